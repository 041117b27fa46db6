package model

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// plan calls two tools.
func plan() []Step {
	return []Step{{Probe: "a", Arguments: schema.MustParse(`{"q":"x"}`)}, {Probe: "b", Arguments: schema.MustParse(`{}`)}}
}

// ask sends one request to the model and returns what it says.
func ask(s *Server, path, body string) string {
	GinkgoHelper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
	return w.Body.String()
}

// events returns the data of a stream of server-sent events.
func events(stream string) []string {
	var out []string
	for _, line := range strings.Split(stream, "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			out = append(out, data)
		}
	}
	return out
}

var _ = Describe("The scripted model", func() {
	var log bytes.Buffer
	var s *Server
	BeforeEach(func() {
		log.Reset()
		s = New(plan(), &log)
	})

	const chatTools = `"tools":[{"type":"function","function":{"name":"x_a","description":"[[P:a]] one","parameters":{"type":"object","n":1.0}}},` +
		`{"type":"function","function":{"name":"own","description":"the host's own"}}]`

	It("calls a tool by its tag over Chat Completions and records what came back", func() {
		first := ask(s, "/v1/chat/completions", `{"model":"m","messages":[],`+chatTools+`}`)
		Expect(first).To(And(ContainSubstring(`"name":"x_a"`), ContainSubstring(`"id":"call_1_a"`), ContainSubstring(`"arguments":"{\"q\":\"x\"}"`)))
		last := ask(s, "/v1/chat/completions", `{"model":"m","messages":[{"role":"tool","tool_call_id":"call_1_a","content":"SAW"}],`+chatTools+`}`)
		Expect(last).To(ContainSubstring(`"content":"DONE"`))
		r := s.Record()
		Expect(r.Tools).To(HaveLen(1))
		Expect(string(r.Tools[0].Schema)).To(Equal(`{"type":"object","n":1.0}`), "as written")
		Expect(r.Answers).To(HaveLen(1))
		Expect(r.Answers[0].Texts).To(BeEquivalentTo([]string{"SAW"}))
		Expect(strings.Count(log.String(), "\n")).To(Equal(2))
	})

	It("streams a call over every interface", func() {
		chat := events(ask(s, "/v1/chat/completions", `{"stream":true,"messages":[],`+chatTools+`}`))
		Expect(chat[len(chat)-1]).To(Equal("[DONE]"))
		Expect(chat[0]).To(ContainSubstring("call_1_a"))

		s = New(plan(), &log)
		responses := ask(s, "/v1/responses", `{"stream":true,"input":[],"tools":[{"type":"namespace","name":"mcp__s","tools":[{"type":"function","name":"a","description":"[[P:a]]"}]}]}`)
		Expect(responses).To(And(ContainSubstring("event: response.completed"), ContainSubstring(`"namespace":"mcp__s"`), ContainSubstring("call_1_a")))

		s = New(plan(), &log)
		messages := ask(s, "/v1/messages?beta=true", `{"stream":true,"messages":[],"tools":[{"name":"a","description":"[[P:a]]","input_schema":{}}]}`)
		Expect(messages).To(And(ContainSubstring("event: message_stop"), ContainSubstring("toolu_call_1_a"), ContainSubstring(`"partial_json":"{\"q\":\"x\"}"`)))

		s = New(plan(), &log)
		gemini := ask(s, "/v1beta/models/g:streamGenerateContent", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"a","description":"[[P:a]]","parametersJsonSchema":{}}]}]}`)
		Expect(events(gemini)).To(HaveLen(1))
		Expect(gemini).To(ContainSubstring(`"id":"call_1_a"`))
	})

	It("reads answers of Anthropic and Gemini with their error marks", func() {
		ask(s, "/v1/messages", `{"messages":[],"tools":[{"name":"a","description":"[[P:a]]","input_schema":{}}]}`)
		ask(s, "/v1/messages", `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_call_1_a","is_error":true,"content":[{"type":"text","text":"T"},{"type":"image"}]}]}],"tools":[]}`)
		a := s.Record().Answers[0]
		Expect(a.Texts).To(BeEquivalentTo([]string{"T"}))
		Expect(a.Images).To(Equal(1))
		Expect(*a.IsError).To(BeTrue())

		s = New(plan(), &log)
		ask(s, "/m:generateContent", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"a","description":"[[P:a]]"}]}]}`)
		ask(s, "/m:generateContent", `{"contents":[{"parts":[{"functionResponse":{"id":"call_1_a","response":{"error":"E"}}},{"inlineData":{"mimeType":"image/png"}},{"inlineData":{"mimeType":"audio/wav"}}]}],"tools":[]}`)
		a = s.Record().Answers[0]
		Expect(a.Texts).To(BeEquivalentTo([]string{"E"}))
		Expect(a.Images).To(Equal(1))
		Expect(a.Other).To(Equal([]string{"inlineData:audio/wav"}))
		Expect(*a.IsError).To(BeTrue())
	})

	DescribeTable("knows a tool without a tag by its name", func(name string, known bool) {
		s = New([]Step{{Probe: "bare", Arguments: schema.MustParse(`{}`), Wire: "say.it"}}, &log)
		asked := ask(s, "/chat/completions", `{"messages":[],"tools":[{"type":"function","function":{"name":"`+name+`"}}]}`)
		if !known {
			Expect(s.Record().Tools).To(BeEmpty())
			return
		}
		Expect(asked).To(And(ContainSubstring("call_1_bare"), ContainSubstring(`"name":"`+name+`"`)))
		Expect(s.Record().Tools[0].Probe).To(Equal("bare"))
	},
		Entry("as it is", "say.it", true),
		Entry("sanitized, behind its server", "mcp__srv__say_it", true),
		Entry("a tool of the host", "read_file", false),
		Entry("a name that only ends alike", "essay_it", false),
	)

	It("counts images whatever the case of their type", func() {
		ask(s, "/m:generateContent", `{"contents":[],"tools":[{"functionDeclarations":[{"name":"a","description":"[[P:a]]"}]}]}`)
		ask(s, "/m:generateContent", `{"contents":[{"parts":[{"functionResponse":{"id":"call_1_a","response":{"output":"O"}}},{"inlineData":{"mimeType":"IMAGE/Png"}}]}],"tools":[]}`)
		Expect(s.Record().Answers[0].Images).To(Equal(1))
	})

	It("counts images that follow an answer in the user's name", func() {
		ask(s, "/chat/completions", `{"messages":[],"tools":[{"type":"function","function":{"name":"a","description":"[[P:a]]"}}]}`)
		ask(s, "/chat/completions", `{"messages":[{"role":"tool","tool_call_id":"call_1_a","content":"T"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}],"tools":[]}`)
		Expect(s.Record().Answers[0].Images).To(BeZero())
		Expect(s.Record().Answers[0].After).To(Equal(1))
	})

	It("asks once more when an answer does not come back, then goes on", func() {
		const both = `"tools":[{"type":"function","function":{"name":"a","description":"[[P:a]]"}},{"type":"function","function":{"name":"b","description":"[[P:b]]"}}]`
		Expect(ask(s, "/chat/completions", `{"messages":[],`+both+`}`)).To(ContainSubstring("call_1_a"))
		Expect(ask(s, "/chat/completions", `{"messages":[],`+both+`}`)).To(ContainSubstring("call_2_a"))
		Expect(ask(s, "/chat/completions", `{"messages":[],`+both+`}`)).To(ContainSubstring("call_3_b"))
		Expect(s.Record().Unanswered).To(ConsistOf("a", "b"))
	})

	It("ends a host that never stops asking", func() {
		for range 200 {
			ask(s, "/chat/completions", `{"messages":[]}`)
		}
		Expect(s.Record().Looped).To(BeTrue())
	})

	It("answers side requests with the least that satisfies them", func() {
		Expect(ask(s, "/v1/chat/completions", `{"messages":[{"role":"user","content":"a title, please"}]}`)).To(ContainSubstring(`"content":"ok"`))
		Expect(ask(s, "/v1/models", ``)).To(ContainSubstring("fake-model"))
		Expect(ask(s, "/v1/messages/count_tokens", ``)).To(MatchJSON(`{"input_tokens":10}`))
		Expect(ask(s, "/m:countTokens", ``)).To(MatchJSON(`{"totalTokens":10}`))
		routed := ask(s, "/m:generateContent", `{"contents":[],"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"choice":{"type":"STRING","enum":["flash","pro"]},"n":{"type":"INTEGER"}}}}}`)
		Expect(routed).To(ContainSubstring(`{\"choice\":\"flash\",\"n\":0}`))
		Expect(ask(s, "/v1/telemetry", `not JSON`)).To(ContainSubstring("not in the lab"))
		Expect(s.Record().Side).To(ContainElement("POST /v1/telemetry"))
	})

	It("refuses a conversation that is not JSON", func() {
		Expect(ask(s, "/v1/messages", `{`)).To(ContainSubstring("not JSON"))
	})

	It("searches where tools are behind a search", func() {
		Expect(ask(s, "/responses", `{"input":[],"tools":[{"type":"tool_search"}]}`)).To(ContainSubstring(`"type":"tool_search_call"`))
		found := `{"input":[{"type":"tool_search_output","tools":[{"type":"function","name":"a","description":"[[P:a]]","defer_loading":true}]}],"tools":[{"type":"tool_search"}]}`
		Expect(ask(s, "/responses", found)).To(ContainSubstring(`"query":"b"`), "alone, because it did not come with the others")
		Expect(ask(s, "/responses", found)).To(ContainSubstring("call_1_a"))
		Expect(s.Record().Tools[0].Deferred).To(BeTrue())
	})

	Describe("finds a tool without a tag", func() {
		BeforeEach(func() {
			s = New([]Step{{Probe: "a", Arguments: schema.MustParse(`{}`)}, {Probe: "bare", Arguments: schema.MustParse(`{}`), Wire: "say.it"}}, &log)
		})

		It("behind a search, by a search for its name", func() {
			const offered = `"tools":[{"type":"tool_search"}]}`
			Expect(ask(s, "/responses", `{"input":[],`+offered)).To(ContainSubstring(`"query":"conformance probe"`))
			first := `{"type":"tool_search_output","tools":[{"type":"function","name":"a","description":"[[P:a]]","defer_loading":true}]}`
			Expect(ask(s, "/responses", `{"input":[`+first+`],`+offered)).To(ContainSubstring(`"query":"say.it"`))
			second := `{"type":"tool_search_output","tools":[{"type":"function","name":"a","description":"[[P:a]]"},{"type":"function","name":"mcp__srv__say_it","defer_loading":true}]}`
			Expect(ask(s, "/responses", `{"input":[`+first+`,`+second+`],`+offered)).To(ContainSubstring("call_1_a"))
			Expect(s.Record().Tools).To(ConsistOf(HaveField("Probe", "a"), And(HaveField("Probe", "bare"), HaveField("Name", "mcp__srv__say_it"), HaveField("Deferred", true))))
			Expect(s.Record().Tools).To(HaveEach(HaveField("Copies", 0)), "found twice is not there twice")
		})

		It("that a prompt lists among others, and that is shown as text", func() {
			prompt := `{"role":"user","content":"- \"srv_a\": \"[[P:a]] one\"\n- \"srv_say_it\"\n- \"srv_essay_it2\""}`
			tools := `"tools":[{"type":"function","function":{"name":"tool_search"}},{"type":"function","function":{"name":"tool_call"}}]`
			Expect(ask(s, "/chat/completions", `{"messages":[`+prompt+`],`+tools+`}`)).To(ContainSubstring(`select:srv_a,srv_say_it\"`))
			shown, err := json.Marshal(`{"name":"srv_a","description":"[[P:a]] one","parameters":{}} {"name":"srv_say_it","description":"","parameters":{}} {"name":"other","parameters":{}}`)
			Expect(err).NotTo(HaveOccurred())
			answer := `{"role":"tool","tool_call_id":"call_select_2","content":` + string(shown) + `}`
			ask(s, "/chat/completions", `{"messages":[`+prompt+`,`+answer+`],`+tools+`}`)
			Expect(s.Record().Tools).To(ConsistOf(HaveField("Probe", "a"), And(HaveField("Probe", "bare"), HaveField("Name", "srv_say_it"))))
		})

		It("in a program", func() {
			exec := `"tools":[{"type":"custom","name":"exec"}]`
			Expect(ask(s, "/responses", `{"input":[],`+exec+`}`)).To(ContainSubstring(`[\"say_it\"].some(`), "by its name as hosts write it")
			out, err := json.Marshal(`[{"name":"mcp__srv__say_it","description":""}]`)
			Expect(err).NotTo(HaveOccurred())
			page := `{"type":"custom_tool_call_output","call_id":"call_list_1","output":` + string(out) + `}`
			end := `{"type":"custom_tool_call_output","call_id":"call_list_2","output":"[]"}`
			ask(s, "/responses", `{"input":[`+page+`],`+exec+`}`)
			Expect(ask(s, "/responses", `{"input":[`+page+`,`+end+`],`+exec+`}`)).To(ContainSubstring("call_1_bare"))
			Expect(s.Record().Tools).To(ConsistOf(HaveField("Probe", "bare")))
		})
	})

	It("selects tools that a prompt only names, and calls hidden ones through another", func() {
		prompt := `{"role":"user","content":"- \"srv_a\": \"[[P:a]] one\""}`
		tools := `"tools":[{"type":"function","function":{"name":"tool_search"}},{"type":"function","function":{"name":"tool_call"}}]`
		Expect(ask(s, "/chat/completions", `{"messages":[`+prompt+`],`+tools+`}`)).To(ContainSubstring(`select:srv_a`))
		shown, err := json.Marshal(`<function>{"name":"srv_a","description":"[[P:a]] one","parameters":{"type":"object"}}</function>`)
		Expect(err).NotTo(HaveOccurred())
		answer := `{"role":"tool","tool_call_id":"call_select_1","content":` + string(shown) + `}`
		call := ask(s, "/chat/completions", `{"messages":[`+prompt+`,`+answer+`],`+tools+`}`)
		Expect(call).To(And(ContainSubstring(`"name":"tool_call"`), ContainSubstring(`{\"name\":\"srv_a\",\"arguments\":{\"q\":\"x\"}}`)))
		Expect(s.Record().Tools[0].Via).To(Equal("tool_search"))
		Expect(s.Record().Named).To(Equal([]string{"a"}))
	})

	It("asks for a tool alone whose declaration did not come with others", func() {
		prompt := `{"role":"user","content":"- \"srv_a\": \"[[P:a]] one\"\n- \"srv_b\": \"[[P:b]] two\""}`
		tools := `"tools":[{"type":"function","function":{"name":"tool_search"}},{"type":"function","function":{"name":"tool_call"}}]`
		body := `{"messages":[` + prompt + `],` + tools + `}`
		Expect(ask(s, "/chat/completions", body)).To(ContainSubstring(`select:srv_a,srv_b`))
		Expect(ask(s, "/chat/completions", body)).To(ContainSubstring(`select:srv_a\"`))
		Expect(ask(s, "/chat/completions", body)).To(ContainSubstring(`select:srv_b\"`))
		Expect(ask(s, "/chat/completions", body)).To(ContainSubstring(`"content":"ok"`))
	})

	It("selects tools that a prompt lists by name only, each once", func() {
		tools := `"tools":[{"name":"ToolSearch"}]`
		prompt := `{"messages":[{"role":"user","content":"deferred: mcp__s__a mcp__s__b"}],` + tools + `}`
		Expect(ask(s, "/v1/messages", prompt)).To(ContainSubstring("select:mcp__s__a,mcp__s__b"))
		Expect(ask(s, "/v1/messages", prompt)).NotTo(ContainSubstring("select:"))
	})

	It("writes programs where tools are functions of a program", func() {
		exec := `"tools":[{"type":"namespace","name":"functions","tools":[{"type":"custom","name":"exec"}]}]`
		Expect(ask(s, "/responses", `{"input":[],`+exec+`}`)).To(ContainSubstring("slice(0, 8)"))
		list := `[{"name":"mcp__s__a","description":"[[P:a]] one\n` + "```ts\\ndeclare const a;\\n```" + `"}]`
		out, err := json.Marshal("done\n" + list)
		Expect(err).NotTo(HaveOccurred())
		page := `{"type":"custom_tool_call_output","call_id":"call_list_1","output":` + string(out) + `}`
		Expect(ask(s, "/responses", `{"input":[`+page+`],`+exec+`}`)).To(ContainSubstring("slice(8, 16)"))
		end := `{"type":"custom_tool_call_output","call_id":"call_list_2","output":"[]"}`
		Expect(ask(s, "/responses", `{"input":[`+page+`,`+end+`],`+exec+`}`)).To(ContainSubstring(`await tools[\"mcp__s__a\"]`))
		Expect(s.Record().Tools[0].Rendered).To(Equal("declare const a;"))
	})
})
