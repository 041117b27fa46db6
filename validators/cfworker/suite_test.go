package cfworker_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestCfworker(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "cfworker")
}
