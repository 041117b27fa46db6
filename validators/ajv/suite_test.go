package ajv_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestAjv(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "validators/ajv")
}
