package capabilities_test

import (
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

// Each check of lint, on a file in which nothing else is wrong.
var _ = DescribeTable("what lint objects to",
	func(claims, evidence, message string) {
		table, err := capabilities.Load(fstest.MapFS{"a.json": {Data: []byte(`{"format":"conform-host/1","id":"a","name":"A","kind":"host","claims":{` +
			claims + `},"evidence":{` + evidence + `}}`)}})
		Expect(err).NotTo(HaveOccurred())
		var texts []string
		for _, f := range table.Lint() {
			texts = append(texts, f.Message)
		}
		if message == "" {
			Expect(texts).To(BeEmpty())
			return
		}
		Expect(texts).To(ConsistOf(ContainSubstring(message)))
	},
	Entry("nothing", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, sound, ""),
	Entry("ranges that overlap and say the same", `"view.surface":[{"since":"1.0","until":"3.0","value":{"prefers":"raw"},"evidence":["e"]},{"since":"2.0","until":"4.0","value":{"prefers":"raw"},"evidence":["e"]}]`,
		sound, "the ranges overlap from 2.0 to 3.0 and say the same"),
	Entry("the same twice", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]},{"value":{"prefers":"raw"},"evidence":["e"]}]`,
		sound, "two claims say the same for the same versions"),
	Entry("an open range over another one", `"view.surface":[{"since":"1.0","value":{"prefers":"raw"},"evidence":["e"]},{"since":"2.0","value":{"prefers":"raw"},"evidence":["e"]}]`,
		sound, "the ranges overlap from 2.0 on and say the same"),
	Entry("a hole", `"view.surface":[{"since":"1.0","until":"2.0","value":{"prefers":"raw"},"evidence":["e"]},{"since":"3.0","value":{"prefers":"content"},"evidence":["e"]}]`,
		sound, "the ranges leave a hole from 2.0 to 3.0"),
	Entry("contradicting claims are kept", `"view.surface":[{"since":"1.0","value":{"prefers":"raw"},"evidence":["e"]},{"since":"1.0","value":{"prefers":"content"},"evidence":["e"]}]`, sound, ""),
	Entry("evidence without a date", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"https://example.com/1"}`, "it has no date"),
	Entry("a date that is none", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"https://example.com/1","date":"May 2026"}`, `the date "May 2026" is no day written YYYY-MM-DD`),
	Entry("a day that the calendar lacks", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"https://example.com/1","date":"2026-02-30"}`, `the date "2026-02-30" is no day`),
	Entry("a link that GitHub has no page for", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"https://github.com/a/b/issue/1","date":"2026-01-01"}`, "an issue is /OWNER/NAME/issues/N"),
	Entry("a link to a comment", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"https://github.com/a/b/issues/1#issuecomment-2","date":"2026-01-01"}`, ""),
	Entry("a link that is none", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"reported","url":"example.com/1","date":"2026-01-01"}`, `the URL "example.com/1" is not an https address`),
	Entry("a link without a host", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"documented","url":"https:///1","date":"2026-01-01"}`, "is not an https address"),
	Entry("evidence that no claim uses", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, sound+`,"f":{"basis":"reported","url":"https://example.com/2","date":"2026-01-01"}`, "evidence f: no claim uses it"),
	Entry("an observation of nothing", `"view.surface":[{"since":"1.0","value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"observed","version":"1.0","date":"2026-01-01"}`, "needs a record or says in text what was run"),
	Entry("an observation for all versions", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"observed","version":"1.0","date":"2026-01-01","text":"run"}`, "an observed claim needs a version range"),
	Entry("a source without a path", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"source","date":"2026-01-01"}`, "names the path that was read"),
	Entry("an inference from nothing", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"],"note":"n"}]`, `"e":{"basis":"inferred","date":"2026-01-01"}`, "says what it is drawn from"),
	Entry("an inference without a note", `"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]`, `"e":{"basis":"inferred","date":"2026-01-01","text":"by analogy"}`, "it is inferred; a note must say"),
	Entry("a check whose end is not known, without a note", `"list.drop":[{"value":[{"check":{"op":"items-array"},"on_failure":"unknown"}],"evidence":["e"]}]`, sound, `a check ends in "unknown"; a note must say`),
	Entry("a check whose end is not known, with a note", `"list.drop":[{"value":[{"check":{"op":"items-array"},"on_failure":"unknown"}],"evidence":["e"],"note":"one report"}]`, sound, ""),
)

const sound = `"e":{"basis":"reported","url":"https://example.com/1","date":"2026-01-01"}`

// Each kind of nonsense that decoding refuses, with the line and the nearest word.
var _ = DescribeTable("values that no stage understands",
	func(key, value, message string) {
		_, err := capabilities.Decode("a.json", []byte("{\"format\":\"conform-host/1\",\"id\":\"a\",\"name\":\"A\",\"kind\":\"host\",\n\"claims\":{\n\""+key+"\":[{\n\"value\":"+value+
			",\n\"evidence\":[\"e\"]}]},\n\"evidence\":{"+sound+"}}"))
		Expect(err).To(MatchError(HavePrefix("a.json: claim " + key + "[0]: line 4: ")))
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
	Entry(nil, "list.duplicates", `{"keep":"frst"}`, `did you mean "first"?`),
	Entry(nil, "list.pages", `{"follow":"al"}`, `did you mean "all"?`),
	Entry(nil, "list.shape", `{"shape":"rmcp","on_failure":"servr"}`, `did you mean "server"?`),
	Entry(nil, "list.relist", `{"match":"(("}`, "is no regular expression"),
	Entry(nil, "offer.name", `{"template":"{tol}"}`, `did you mean "tool"?`),
	Entry(nil, "offer.name", `{"template":"{tool}","max":-3}`, "max: -3 is negative"),
	Entry(nil, "offer.name", `{"template":"{tool}","allow":"[a-"}`, "is no character class"),
	Entry(nil, "offer.name", `{"template":"{tool}","overflow":"ct"}`, `did you mean "cut"?`),
	Entry(nil, "offer.api.name", `{"pattern":"^[a-z"}`, "is no regular expression"),
	Entry(nil, "offer.limits", `{"tools":-1}`, "tools: -1 is negative"),
	Entry(nil, "offer.limits", `{"tools":9,"on_tools":"requst"}`, `did you mean "request"?`),
	Entry(nil, "offer.description", `{"max":9,"unit":"byte"}`, `did you mean "bytes"?`),
	Entry(nil, "call.arguments", `{"profile":"none","uncompilable":"toool"}`, `did you mean "tool"?`),
	Entry(nil, "call.approval", `{"mode":"m","needs":"readonlyHint"}`, `did you mean "readOnlyHint"?`),
	Entry(nil, "result.validator", `{"profile":"none","missing":"rejct"}`, `did you mean "reject"?`),
	Entry(nil, "view.surface", `{"prefers":"structred"}`, `did you mean "structured"?`),
	Entry(nil, "view.surface", `{"prefers":""}`, "prefers is missing"),
	Entry(nil, "view.blocks", `{"image":"lots"}`, `did you mean "lost"?`),
	Entry(nil, "view.limit", `{"max":0}`, "max is missing or 0"),
	Entry(nil, "connect.handshake", `{"tries":[]}`, "without any try"),
	Entry(nil, "connect.handshake", `{"tries":[{"method":"initialise","version":"2025-06-18"}]}`, `did you mean "initialize"?`),
	Entry(nil, "view.apps", `{"shwn":true}`, `unknown key "shwn"; did you mean "shown"?`),
	Entry(nil, "offer.limits", `{"tools":"many"}`, `"tools" must be int, not string`),
)
