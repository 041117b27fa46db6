package lint_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
)

// serveFixture is the variable that makes this test binary a fixture server on
// stdio, so that the suite needs no other program.
const serveFixture = "CONFORM_LINT_FIXTURE"

func TestMain(m *testing.M) {
	if id := os.Getenv(serveFixture); id != "" {
		set, err := fixture.Find(id)
		if err == nil {
			err = fixture.Serve(context.Background(), set, os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestLint(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "lint")
}
