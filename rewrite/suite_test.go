package rewrite_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

func TestRewrite(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "rewrite")
}
