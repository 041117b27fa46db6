package ground_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestGround(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Common ground")
}
