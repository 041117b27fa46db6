package shape_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// revisions in the order of the columns below.
var revisions = []string{"spec-2024-11-05", "spec-2025-03-26", "spec-2025-06-18", "spec-2025-11-25", "spec-2026-07-28"}

const modern = `"resultType":"complete","ttlMs":0,"cacheScope":"private"`

// What each revision's schema.json says; a letter per revision, o for valid and
// X for invalid.
var _ = DescribeTable("the revisions",
	func(part, payload, want string) {
		set := load()
		value := schema.MustParse(payload)
		got := ""
		for _, id := range revisions {
			sh, ok := set.Lookup(id)
			Expect(ok).To(BeTrue(), id)
			refused := false
			if part == "tool" {
				refused = sh.CheckTool(value) != nil
			} else {
				refused = sh.Check(part, value) != nil
			}
			if refused {
				got += "X"
			} else {
				got += "o"
			}
		}
		Expect(got).To(Equal(want))
	},
	Entry("minimal tool", "list", `{`+modern+`,"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`, "ooooo"),
	Entry("no resultType, ttlMs, cacheScope", "list", `{"tools":[]}`, "ooooX"),
	Entry("ttlMs 1.5", "list", `{"resultType":"complete","ttlMs":1.5,"cacheScope":"private","tools":[]}`, "ooooX"),
	Entry("ttlMs -1", "list", `{"resultType":"complete","ttlMs":-1,"cacheScope":"private","tools":[]}`, "ooooX"),
	Entry("cacheScope shared", "list", `{"resultType":"complete","ttlMs":0,"cacheScope":"shared","tools":[]}`, "ooooX"),
	Entry("nextCursor null", "list", `{`+modern+`,"tools":[],"nextCursor":null}`, "XXXXX"),
	Entry("nextCursor empty", "list", `{`+modern+`,"tools":[],"nextCursor":""}`, "ooooo"),
	Entry("tools null", "list", `{`+modern+`,"tools":null}`, "XXXXX"),

	Entry("inputSchema {}", "tool", `{"name":"a","inputSchema":{}}`, "XXXXX"),
	Entry("inputSchema true", "tool", `{"name":"a","inputSchema":true}`, "XXXXX"),
	Entry("inputSchema null", "tool", `{"name":"a","inputSchema":null}`, "XXXXX"),
	Entry("inputSchema missing", "tool", `{"name":"a"}`, "XXXXX"),
	Entry("inputSchema type array", "tool", `{"name":"a","inputSchema":{"type":["object"]}}`, "XXXXX"),
	Entry("inputSchema root oneOf without type", "tool", `{"name":"a","inputSchema":{"oneOf":[{"type":"object"}]}}`, "XXXXX"),
	Entry("inputSchema type and oneOf", "tool", `{"name":"a","inputSchema":{"type":"object","oneOf":[{"required":["x"]}]}}`, "ooooo"),
	Entry("inputSchema root $ref and type", "tool", `{"name":"a","inputSchema":{"type":"object","$ref":"#/$defs/A","$defs":{"A":{}}}}`, "ooooo"),
	Entry("boolean property subschema", "tool", `{"name":"a","inputSchema":{"type":"object","properties":{"x":true}}}`, "XXXXo"),
	Entry("required not strings", "tool", `{"name":"a","inputSchema":{"type":"object","required":[1]}}`, "XXXXo"),
	Entry("$schema non-string", "tool", `{"name":"a","inputSchema":{"type":"object","$schema":5}}`, "oooXX"),
	Entry("outputSchema array root", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`, "ooXXo"),
	Entry("outputSchema {}", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{}}`, "ooXXo"),
	Entry("outputSchema true", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":true}`, "ooXXX"),
	Entry("outputSchema null", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":null}`, "ooXXX"),
	Entry("outputSchema anyOf root", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"anyOf":[{"type":"object"}]}}`, "ooXXo"),
	Entry("outputSchema boolean property", "tool", `{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":false}}}`, "ooXXo"),
	Entry("description null", "tool", `{"name":"a","inputSchema":{"type":"object"},"description":null}`, "XXXXX"),
	Entry("title null", "tool", `{"name":"a","inputSchema":{"type":"object"},"title":null}`, "ooXXX"),
	Entry("annotations null", "tool", `{"name":"a","inputSchema":{"type":"object"},"annotations":null}`, "oXXXX"),
	Entry("readOnlyHint string", "tool", `{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}`, "oXXXX"),
	Entry("_meta null", "tool", `{"name":"a","inputSchema":{"type":"object"},"_meta":null}`, "ooXXX"),
	Entry("unknown field", "tool", `{"name":"a","inputSchema":{"type":"object"},"zzz":1}`, "ooooo"),
	Entry("taskSupport maybe", "tool", `{"name":"a","inputSchema":{"type":"object"},"execution":{"taskSupport":"maybe"}}`, "oooXo"),
	Entry("icon without src", "tool", `{"name":"a","inputSchema":{"type":"object"},"icons":[{"mimeType":"image/png"}]}`, "oooXX"),
	Entry("name empty", "tool", `{"name":"","inputSchema":{"type":"object"}}`, "ooooo"),

	Entry("content empty", "result", `{"resultType":"complete","content":[]}`, "ooooo"),
	Entry("content missing, structured present", "result", `{"resultType":"complete","structuredContent":{}}`, "XXXXX"),
	Entry("content null", "result", `{"resultType":"complete","content":null}`, "XXXXX"),
	Entry("structured array", "result", `{"resultType":"complete","content":[],"structuredContent":[1]}`, "ooXXo"),
	Entry("structured null", "result", `{"resultType":"complete","content":[],"structuredContent":null}`, "ooXXo"),
	Entry("structured string", "result", `{"resultType":"complete","content":[],"structuredContent":"x"}`, "ooXXo"),
	Entry("isError null", "result", `{"resultType":"complete","content":[],"isError":null}`, "XXXXX"),
	Entry("resultType missing", "result", `{"content":[]}`, "ooooX"),
	Entry("resultType weird", "result", `{"resultType":"weird","content":[]}`, "ooooo"),
	Entry("audio", "result", `{"resultType":"complete","content":[{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}`, "Xoooo"),
	Entry("resource_link", "result", `{"resultType":"complete","content":[{"type":"resource_link","uri":"x://a","name":"a"}]}`, "XXooo"),
	Entry("resource_link without name", "result", `{"resultType":"complete","content":[{"type":"resource_link","uri":"x://a"}]}`, "XXXXX"),
	Entry("image without mimeType", "result", `{"resultType":"complete","content":[{"type":"image","data":"AAAA"}]}`, "XXXXX"),
	Entry("unknown content type", "result", `{"resultType":"complete","content":[{"type":"video"}]}`, "XXXXX"),
	Entry("text number", "result", `{"resultType":"complete","content":[{"type":"text","text":5}]}`, "XXXXX"),
	Entry("resource without text or blob", "result", `{"resultType":"complete","content":[{"type":"resource","resource":{"uri":"x://a"}}]}`, "XXXXX"),
	Entry("priority 2", "result", `{"resultType":"complete","content":[{"type":"text","text":"t","annotations":{"priority":2}}]}`, "XXXXX"),
)

var _ = DescribeTable("an input_required result of 2026-07-28",
	func(payload string) {
		sh, _ := load().Lookup("spec-2026-07-28")
		Expect(sh.Check("result", schema.MustParse(payload))).To(BeNil())
	},
	Entry("neither inputRequests nor requestState", `{"resultType":"input_required"}`),
	Entry("requestState only", `{"resultType":"input_required","requestState":"s"}`),
)
