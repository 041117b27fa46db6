package capabilities_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/capabilities"
)

var _ = Describe("host.schema.json", func() {
	It("is in step with the types that decode a capability file", func() {
		if *update {
			Expect(os.WriteFile("host.schema.json", capabilities.JSONSchema(), 0o644)).To(Succeed())
		}
		file, err := os.ReadFile("host.schema.json")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(file)).To(Equal(string(capabilities.JSONSchema())), "run `go test ./capabilities -update`")
	})

	It("accepts every capability file and refuses faulty ones", func() {
		compiler := jsonschema.NewCompiler()
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(capabilities.JSONSchema()))
		Expect(err).NotTo(HaveOccurred())
		Expect(compiler.AddResource("host.schema.json", document)).To(Succeed())
		schema, err := compiler.Compile("host.schema.json")
		Expect(err).NotTo(HaveOccurred())
		files, err := filepath.Glob("*.json")
		Expect(err).NotTo(HaveOccurred())
		for _, f := range files {
			if strings.HasSuffix(f, ".schema.json") {
				continue
			}
			data, err := os.ReadFile(f)
			Expect(err).NotTo(HaveOccurred())
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
			Expect(err).NotTo(HaveOccurred())
			Expect(schema.Validate(value)).To(Succeed(), f)
		}
		for _, faulty := range []string{
			`{"format":"conform-host/2","id":"a","name":"A","kind":"host","claims":{},"evidence":{}}`,
			`{"format":"conform-host/1","id":"a","name":"A","kind":"hos","claims":{},"evidence":{}}`,
			`{"format":"conform-host/1","id":"a","name":"A","kind":"host","claims":{"view.surfac":[]},"evidence":{}}`,
			`{"format":"conform-host/1","id":"a","name":"A","kind":"host","claims":{"view.surface":[{"value":{"prefer":"x"},"evidence":[]}]},"evidence":{}}`,
		} {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(faulty))
			Expect(err).NotTo(HaveOccurred())
			Expect(schema.Validate(value)).NotTo(Succeed(), faulty)
		}
	})
})
