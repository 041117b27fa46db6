package hostconfig

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestHostConfig(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "hostconfig")
}
