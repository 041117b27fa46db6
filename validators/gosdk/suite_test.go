package gosdk_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestGoSDK(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Go SDK")
}
