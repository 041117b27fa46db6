package networknt_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestNetworknt(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "networknt")
}
