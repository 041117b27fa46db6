package ajv_test

import (
	"bufio"
	"bytes"
	_ "embed"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// Each line is one behaviour: a schema, an instance and what the real libraries said
// of it, profile by profile (ajv 8.20.0, ajv 6.15.0 and the Ajv bundled in
// @modelcontextprotocol/client 2.4.0 and 2.0.0-beta.5, on Node 20).
//
//go:embed testdata/behaviours.jsonl
var behaviours []byte

var _ = Describe("the behaviours of Ajv", func() {
	lines := bufio.NewScanner(bytes.NewReader(behaviours))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := schema.MustParse(lines.Text())
		It(line.Get("behaviour").Text, func() {
			for _, m := range line.Get("verdicts").Members {
				Expect(answer(profile(m.Key), line.Get("schema"), line.Get("instance"))).To(Equal(m.Value.Text), m.Key)
			}
		})
	}
})
