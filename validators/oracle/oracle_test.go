package oracle_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

var _ = Describe("the line protocol", func() {
	DescribeTable("an answer line comes back as it was",
		func(line string) {
			answer, err := oracle.ParseAnswer([]byte(line))
			Expect(err).NotTo(HaveOccurred())
			Expect(answer.Line()).To(Equal(line))
		},
		Entry("every outcome", `{"results":[{"valid":true},{"valid":false,"text":"data/a must be \"x\"\n"},{"thrown":"boom"},{"unknown":"why"}]}`),
		Entry("no instances", `{"results":[]}`),
		Entry("a refused schema", `{"compile_error":"nope"}`),
		Entry("a refusal without words", `{"compile_error":""}`),
		Entry("half a surrogate pair in the text", `{"results":[{"valid":false,"text":"\ud83d"}]}`),
	)

	DescribeTable("what is no answer is an error",
		func(line, why string) {
			_, err := oracle.ParseAnswer([]byte(line))
			Expect(err).To(MatchError(ContainSubstring(why)))
		},
		Entry("not JSON", `Segmentation fault`, "not JSON"),
		Entry("neither results nor compile_error", `{}`, "neither results nor compile_error"),
		Entry("an empty result", `{"results":[{}]}`, "valid, thrown or unknown"),
		Entry("the runner could not read the request", `{"error":"bad line"}`, "bad line"),
	)

	It("keeps a request on one line", func() {
		request := oracle.Request{Schema: "{\n\t\"type\":\r\n \"object\"\n}", Instances: []string{"1.0", "{\n}"}}
		Expect(request.Line()).NotTo(ContainSubstring("\n"))
		v, err := schema.ParseString(request.Line())
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Get("instances").Items[0].Text).To(Equal("1.0"))
	})
})

var _ = Describe("a profile without an oracle", func() {
	It("says which profiles have one", func() {
		Expect(oracle.Available("draft-07")).To(MatchError(ContainSubstring("ajv8-draft07-lax")))
	})

	It("is told apart from one whose library is missing", func() {
		GinkgoT().Setenv("CONFORM_ORACLE_CACHE", GinkgoT().TempDir())
		for _, profile := range oracle.Profiles() {
			Expect(errors.Is(oracle.Available(profile), oracle.ErrNotInstalled)).To(BeTrue(), profile)
		}
	})
})

// Asks the real libraries, where they are installed.
var _ = Describe("a real library", func() {
	for _, profile := range oracle.Profiles() {
		It("answers for "+profile+" in order, with the text as written before its eyes", func() {
			process := ask(profile)
			answers, err := process.AskAll([]oracle.Request{
				{Schema: `{"type":"object","properties":{"a":{"type":"integer"}}}`, Instances: []string{`{"a":1.0}`, `{"a":"x"}`, `{"a":"x","a":2}`}},
				{Schema: "{\n}", Instances: []string{"[]"}},
			})
			Expect(err).NotTo(HaveOccurred())
			Expect(answers).To(HaveLen(2))
			Expect(outcomes(answers[0])).To(Equal([]validators.Outcome{validators.Valid, validators.Invalid, validators.Valid}))
			Expect(outcomes(answers[1])).To(Equal([]validators.Outcome{validators.Valid}))
		})
	}

	It("that does not answer in time is ended, with an error that says so", func() {
		process := ask("ajv8-draft07-lax")
		_, err := process.Ask(`{}`, nil) // the runtime is up
		Expect(err).NotTo(HaveOccurred())
		process.Patience = 300 * time.Millisecond
		_, err = process.Ask(`{"pattern":"^(a+)+$"}`, []string{`"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"`})
		Expect(errors.Is(err, oracle.ErrTimeout)).To(BeTrue(), "%v", err)
		_, err = process.Ask(`{}`, nil)
		Expect(err).To(HaveOccurred())
	})

	It("says through the Python SDK's own session what the shortcut says", func() {
		if err := oracle.Available("python-jsonschema"); err != nil {
			Skip(err.Error())
		}
		session, err := oracle.StartWith(context.Background(), "python-jsonschema", "--session")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(session.Close)
		constructs, err := oracle.ReadConstructs("goldens/constructs.jsonl")
		Expect(err).NotTo(HaveOccurred())
		goldens, err := oracle.ReadGoldens("goldens/python-jsonschema.jsonl")
		Expect(err).NotTo(HaveOccurred())
		const every = 25 // the session checks the schema anew for each instance
		for i := 0; i < len(constructs); i += every {
			c := constructs[i]
			answer, err := session.Ask(c.Schema, c.Instances)
			Expect(err).NotTo(HaveOccurred())
			answer = answer.Messages("python-jsonschema")
			golden := goldens[c.ID]
			for j, instance := range c.Instances {
				switch {
				case instance == "null": // the session asks for structured content before it validates
				case golden.CompileError != nil && answer.CompileError == nil: // no SchemaError: found by each call
					Expect(answer.Results[j].Text).To(Equal(*golden.CompileError), c.ID)
				case golden.CompileError != nil:
					Expect(*answer.CompileError).To(Equal(*golden.CompileError), c.ID)
				default:
					Expect(answer.Results[j]).To(Equal(golden.Results[j]), c.ID)
				}
			}
		}
	})

	It("reports text that is not JSON as an error, not as a verdict", func() {
		process := ask("ajv8-draft07-lax")
		_, err := process.Ask(`{"type":}`, []string{"1"})
		Expect(err).To(MatchError(ContainSubstring("could not read the request")))
	})
})

func ask(profile string) *oracle.Process {
	GinkgoHelper()
	if err := oracle.Available(profile); err != nil {
		Skip(err.Error())
	}
	process, err := oracle.Start(context.Background(), profile)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(process.Close)
	return process
}

func outcomes(answer oracle.Answer) []validators.Outcome {
	var out []validators.Outcome
	for _, r := range answer.Results {
		out = append(out, r.Outcome)
	}
	return out
}
