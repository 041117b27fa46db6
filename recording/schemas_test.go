package recording_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/recording"
)

// formatSchema compiles one of the schemas beside the code.
func formatSchema(name string) func(text string) error {
	GinkgoHelper()
	file, err := os.Open(name)
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	Expect(err).NotTo(HaveOccurred())
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	Expect(c.AddResource(name, document)).To(Succeed())
	compiled := c.MustCompile(name)
	return func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		return compiled.Validate(v)
	}
}

var _ = Describe("the schemas of the formats", func() {
	It("accept what is written", func() {
		valid := formatSchema("recording.schema.json")
		c := liveFixture("demo", "2025-06-18")
		s := c.Sessions[0]
		failure := &recording.Failure{Kind: "timeout", Text: "x", Status: 500}
		s.Plan = recording.Plan(s, nil, recording.PlanOptions{}).Tools
		s.Pages = append(s.Pages, recording.Page{Cursor: "2", Failed: failure})
		s.Calls = append(s.Calls, &recording.Call{Tool: "x", Failed: failure, Origin: recording.Real})
		s.Messages = append(s.Messages, recording.Message{Session: s.ID, From: "server", Kind: "stderr", Bytes: []byte("\xff")})
		c.Sessions = append(c.Sessions, &recording.Session{ID: "b", Era: recording.Modern, InitError: failure})
		c.Problems = []recording.Problem{{Rule: "r", Session: s.ID}}
		kinds := 0
		for _, line := range strings.Split(strings.TrimSpace(write(c)), "\n") {
			Expect(valid(line)).To(Succeed(), line)
			kinds++
		}
		Expect(kinds).To(BeNumerically(">", 20))
	})

	DescribeTable("agree with the readers",
		func(format, text string, good bool) {
			var err error
			asJSON := text
			switch format {
			case "case":
				_, err = recording.ReadCase("x", []byte(text))
			case "recording":
				_, err = recording.Read("x", strings.NewReader(`{"format":"conform-recording/1"}`+"\n"+text+"\n"), recording.Limits{})
			case "samples":
				_, err = recording.ReadSamples("x", []byte(text))
				var v any
				Expect(yaml.Unmarshal([]byte(text), &v)).To(Succeed())
			}
			Expect(err == nil).To(Equal(good), "reader: %v", err)
			err = formatSchema(format + ".schema.json")(asJSON)
			Expect(err == nil).To(Equal(good), "schema: %v", err)
		},
		Entry(nil, "case", smallCase, true),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","pages":[[],{}]}`, true),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","pages":[5]}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x"}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"pages":[]}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"","protocol_version":"x","tools":[]}`, false),
		Entry(nil, "case", `{"format":"conform-case/2","id":"a","protocol_version":"x","tools":[]}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"sever":{}}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"server":5}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"results":[{"tool":"t","result":1,"result_error":2}]}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"results":[{"tool":"t","result":null}]}`, true),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"expect":[{"host":"h","verdict":"fine"}]}`, false),
		Entry(nil, "case", `{"format":"conform-case/1","id":"a","protocol_version":"x","tools":[],"expect":[{"host":"h","verdict":"works","stage":"lst"}]}`, false),
		Entry(nil, "recording", `{"session":"a","from":"server","kind":"message","at_ms":0.5,"text":"x"}`, true),
		Entry(nil, "recording", `{"session":"a","from":"server","kind":"message","at_ms":-1,"text":"x"}`, false),
		Entry(nil, "recording", `{"session":"a","from":"server","kind":"message","text":"x","base64":""}`, false),
		Entry(nil, "recording", `{"from":"server","kind":"message","text":"x"}`, false),
		Entry(nil, "recording", `{"session":"a","from":"conform","kind":"session","value":{"negotiated":"x","era":"legacy"}}`, true),
		Entry(nil, "recording", `{"session":"a","from":"conform","kind":"session","value":{"era":"old"}}`, false),
		Entry(nil, "recording", `{"session":"a","from":"conform","kind":"session","value":{"init_error":{"kin":"x"}}}`, false),
		Entry(nil, "recording", `{"session":"a","from":"conform","kind":"problem","value":{"message":"x"}}`, false),
		Entry(nil, "recording", `{"session":"a","from":"conform","kind":"call"}`, false),
		Entry(nil, "samples", `{"samples":[{"tool":"a","arguments":{"b":1}}],"skip":[{"tool":"c"}]}`, true),
		Entry(nil, "samples", `{"samples":[{"tool":"a","arguments":[]}]}`, false),
		Entry(nil, "samples", `{"samples":[{"tool":""}]}`, false),
		Entry(nil, "samples", `{"samplse":[]}`, false),
	)

	It("accept the shared corpus, when present", func() {
		root := sharedCorpus()
		valid := formatSchema("case.schema.json")
		names, err := filepath.Glob(filepath.Join(root, "cases", "*.json"))
		Expect(err).NotTo(HaveOccurred())
		for _, name := range names {
			data, err := os.ReadFile(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(valid(string(data))).To(Succeed(), name)
		}
	})
})
