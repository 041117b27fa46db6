package pyjsonschema_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestPyJSONSchema(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Python jsonschema")
}
