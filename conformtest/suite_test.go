package conformtest_test

import (
	"context"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
)

// TestMain lets the test binary stand in for a server on stdio.
func TestMain(m *testing.M) {
	if id := os.Getenv("CONFORMTEST_SERVE"); id != "" {
		set, err := fixture.Find(id)
		if err == nil {
			err = fixture.Serve(context.Background(), set, os.Stdin, os.Stdout)
		}
		if err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func TestConformtest(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "conformtest")
}
