package validators_test

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/cfworker"
	_ "github.com/hostmatrix/conform/validators/pyjsonschema"
	_ "github.com/hostmatrix/conform/validators/spec"
)

func ask(profile string, lines ...string) []string {
	GinkgoHelper()
	var out strings.Builder
	Expect(validators.ServeLines(context.Background(), profile, strings.NewReader(strings.Join(lines, "\n")), &out)).To(Succeed())
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

var _ = Describe("ServeLines", func() {
	It("answers each line in order", func() {
		Expect(ask("cfworker-dispatch",
			`{"schema":{"type":"string"},"instances":["x",1]}`,
			``,
			`{"schema":{"$schema":"urn:x"},"instances":[1]}`,
			`{"instances":[],"schema":{}}`,
			`{"schema":{"pattern":"["},"instances":["a"]}`,
		)).To(Equal([]string{
			`{"results":[{"valid":true},{"valid":false,"text":"#: Instance type \"number\" is invalid. Expected \"string\"."}]}`,
			`{"compile_error":"JSON Schema declares an unsupported dialect (\"$schema\": \"urn:x\"). The default validator supports JSON Schema 2020-12, 2019-09, draft-07, and draft-06; pass an explicit { draft } to CfWorkerJsonSchemaValidator to validate other dialects."}`,
			`{"results":[]}`,
			`{"results":[{"thrown":"Invalid regular expression: /[/u: Unterminated character class"}]}`,
		}))
	})
	It("keeps literals as written", func() {
		Expect(ask("python-jsonschema", `{"schema":{"type":"integer","maximum":9007199254740992},"instances":[1.0,9007199254740993,1e400,{"a":1,"a":"\ud800"}]}`)).To(Equal([]string{
			`{"results":[{"valid":true},` +
				`{"valid":false,"text":"9007199254740993 is greater than the maximum of 9007199254740992\n\nFailed validating 'maximum' in schema:\n    {'type': 'integer', 'maximum': 9007199254740992}\n\nOn instance:\n    9007199254740993"},` +
				`{"valid":false,"text":"inf is not of type 'integer'\n\nFailed validating 'type' in schema:\n    {'type': 'integer', 'maximum': 9007199254740992}\n\nOn instance:\n    inf"},` +
				`{"valid":false,"text":"{'a': '\\ud800'} is not of type 'integer'\n\nFailed validating 'type' in schema:\n    {'type': 'integer', 'maximum': 9007199254740992}\n\nOn instance:\n    {'a': '\\ud800'}"}]}`,
		}))
	})
	It("says what it can't tell, once per instance", func() {
		Expect(ask("2020-12", `{"schema":{"maximum":1e999999},"instances":[1,2]}`)).To(Equal([]string{
			`{"results":[{"unknown":"a number in the schema has an exponent beyond ±5000 or more than 20000 digits"},{"unknown":"a number in the schema has an exponent beyond ±5000 or more than 20000 digits"}]}`,
		}))
	})
	It("answers what is no request and goes on", func() {
		got := ask("2020-12", `{"schema":`, `[]`, `{"schema":{}}`, `{"instances":[]}`, `{"schema":{},"instances":[1]}`)
		Expect(got).To(HaveLen(5))
		for _, line := range got[:4] {
			Expect(line).To(HavePrefix(`{"error":"`))
		}
		Expect(got[4]).To(Equal(`{"results":[{"valid":true}]}`))
	})
	It("skips a line that is too long", func() {
		long := `{"schema":{},"instances":["` + strings.Repeat("x", validators.MaxLine) + `"]}`
		got := ask("2020-12", long, `{"schema":{},"instances":[1]}`)
		Expect(got).To(Equal([]string{
			`{"error":"the line is longer than 67108864 bytes"}`,
			`{"results":[{"valid":true}]}`,
		}))
	})
	It("knows no profile that is not there", func() {
		err := validators.ServeLines(context.Background(), "nope", strings.NewReader(""), new(strings.Builder))
		Expect(err).To(MatchError(ContainSubstring(`no validator profile "nope"`)))
	})
	It("ends with its context", func() {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(errors.New("enough"))
		err := validators.ServeLines(ctx, "2020-12", strings.NewReader(`{"schema":{},"instances":[]}`), new(strings.Builder))
		Expect(err).To(MatchError(context.Canceled))
	})
})

var _ = Describe("ServeBowtie", func() {
	bowtie := func(lines ...string) []string {
		GinkgoHelper()
		var out strings.Builder
		Expect(validators.ServeBowtie(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out)).To(Succeed())
		return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	It("introduces itself", func() {
		got := bowtie(`{"cmd":"start","version":1}`)
		Expect(got).To(HaveLen(1))
		Expect(got[0]).To(MatchJSON(got[0]))
		Expect(got[0]).To(ContainSubstring(`"dialects":["https://json-schema.org/draft/2020-12/schema","http://json-schema.org/draft-07/schema#"]`))
	})
	It("changes the dialect and runs cases until it is stopped", func() {
		Expect(bowtie(
			`{"cmd":"run","seq":1,"case":{"description":"d","schema":{"prefixItems":[{"type":"string"}]},"tests":[{"description":"t","instance":[1]},{"description":"u","instance":["x"]}]}}`,
			`{"cmd":"dialect","dialect":"http://json-schema.org/draft-07/schema#"}`,
			`{"cmd":"run","seq":"two","case":{"schema":{"prefixItems":[{"type":"string"}]},"tests":[{"instance":[1]}]}}`,
			`{"cmd":"dialect","dialect":"http://json-schema.org/draft-03/schema#"}`,
			`{"cmd":"stop"}`,
			`{"cmd":"run","seq":3,"case":{"schema":{},"tests":[]}}`,
		)).To(Equal([]string{
			`{"seq":1,"results":[{"valid":false},{"valid":true}]}`,
			`{"ok":true}`,
			`{"seq":"two","results":[{"valid":true}]}`,
			`{"ok":false}`,
		}))
	})
	It("reports what went wrong with the case", func() {
		got := bowtie(
			`{"cmd":"run","seq":1,"case":{"schema":{"type":5},"tests":[{"instance":1}]}}`,
			`{"cmd":"run","seq":2,"case":{"schema":{"$ref":"#"},"tests":[{"instance":1}]}}`,
			`{"cmd":"run","seq":3,"case":{"schema":{},"registry":{"urn:a":{}},"tests":[]}}`,
			`{"cmd":"run","seq":4,"case":{}}`,
			`{"cmd":"sing"}`,
			`nonsense`,
		)
		Expect(got).To(HaveLen(6))
		Expect(got[0]).To(HavePrefix(`{"seq":1,"errored":true,"context":{"message":"`))
		Expect(got[1]).To(HavePrefix(`{"seq":2,"results":[{"skipped":true,"message":"`))
		Expect(got[2]).To(HavePrefix(`{"seq":3,"skipped":true,"message":"`))
		Expect(got[3]).To(HavePrefix(`{"seq":4,"errored":true`))
		Expect(got[4]).To(HavePrefix(`{"errored":true`))
		Expect(got[5]).To(HavePrefix(`{"errored":true`))
	})
})
