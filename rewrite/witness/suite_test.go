package witness_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

func TestWitness(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "rewrite/witness")
}
