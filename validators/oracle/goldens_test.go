package oracle_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/oracle"
)

var _ = Describe("the goldens", func() {
	constructs, err := oracle.ReadConstructs("goldens/constructs.jsonl")
	if err != nil {
		constructs = nil // the first spec reports it
	}

	It("hold constructs of every kind", func() {
		Expect(err).NotTo(HaveOccurred())
		Expect(len(constructs)).To(BeNumerically(">=", 600))
		families := map[string]int{}
		for _, c := range constructs {
			families[c.Family]++
			Expect(c.Instances).NotTo(BeEmpty(), c.ID)
			_, err := schema.ParseString(c.Schema)
			Expect(err).NotTo(HaveOccurred(), c.ID)
		}
		for _, family := range []string{"keyword", "order", "odd", "ref", "number", "proto", "format", "regex",
			"zod3", "zod4", "pydantic", "typebox", "schemars", "csharp", "go", "openapi", "fuzz",
			"valibot", "arktype", "effect", "msgspec", "mashumaro", "apischema", "java", "kotlin"} {
			Expect(families).To(HaveKey(family))
		}
	})

	for _, profile := range oracle.Profiles() {
		It("answer every construct, and nothing else, for "+profile, func() {
			goldens, err := oracle.ReadGoldens(filepath.Join("goldens", profile+".jsonl"))
			Expect(err).NotTo(HaveOccurred())
			Expect(goldens).To(HaveLen(len(constructs)))
			for _, c := range constructs {
				answer, ok := goldens[c.ID]
				Expect(ok).To(BeTrue(), "%s: run go run ./validators/oracle/regen", c.ID)
				if answer.CompileError == nil {
					Expect(answer.Results).To(HaveLen(len(c.Instances)), c.ID)
				}
				Expect(answer.Line()).To(Equal(answer.Messages(profile).Line()), c.ID)
			}
		})
	}

	It("keep the texts of numbers and duplicate keys", func() {
		name := filepath.Join(GinkgoT().TempDir(), "c.jsonl")
		line := `{"id":"x","family":"f","schema":{"const":1.0,"a":1,"a":2},"instances":[1e400,{"k":1.50}]}`
		Expect(os.WriteFile(name, []byte(line+"\n"), 0o600)).To(Succeed())
		read, err := oracle.ReadConstructs(name)
		Expect(err).NotTo(HaveOccurred())
		Expect(read).To(HaveLen(1))
		Expect(read[0].Line()).To(Equal(line))
	})

	DescribeTable("are refused with the place of the fault",
		func(content, why string) {
			name := filepath.Join(GinkgoT().TempDir(), "c.jsonl")
			Expect(os.WriteFile(name, []byte(content), 0o600)).To(Succeed())
			_, err := oracle.ReadConstructs(name)
			Expect(err).To(MatchError(And(ContainSubstring(name+":"), ContainSubstring(why))))
		},
		Entry("not JSON", "{\n", "1: "),
		Entry("no id", `{"family":"f","schema":{},"instances":[]}`, "id and family"),
		Entry("no schema", `{"id":"x","family":"f","instances":[]}`, "schema and instances"),
		Entry("one id twice", strings.Repeat(`{"id":"x","family":"f","schema":{},"instances":[1]}`+"\n", 2), "2: a second construct"),
	)
})

var _ = Describe("the message of a Python text", func() {
	DescribeTable("is what stands before the schema and the instance",
		func(profile, text, message string) { Expect(oracle.Message(profile, text)).To(Equal(message)) },
		Entry("cut", "python-jsonschema", "1 is not of type 'string'\n\nFailed validating 'type' in schema:\n    {}", "1 is not of type 'string'"),
		Entry("a blank line in the value stays", "python-jsonschema", "'a\n\nb' is too long", "'a\n\nb' is too long"),
		Entry("a full stack is one thing wherever it filled up", "python-jsonschema", "RecursionError: maximum recursion depth exceeded in comparison", "RecursionError: maximum recursion depth exceeded"),
		Entry("other libraries' texts stay whole", "ajv6", "a\n\nFailed validating b", "a\n\nFailed validating b"),
	)
})
