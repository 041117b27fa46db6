package derive_test

import (
	"encoding/json"
	"fmt"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/derive"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/validators"
)

func TestDerive(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "derive")
}

// members returns the derived members of one key.
func members(s derive.Set, key string) map[string]string {
	for _, c := range derive.Claims(s) {
		if c.Key == key {
			out := map[string]string{}
			for k, v := range c.Members {
				out[k] = string(v)
			}
			return out
		}
	}
	return nil
}

// imagined are the observations of a host that checks results with one profile and
// shows the model what passes.
func imagined(profile string) derive.Set {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	p, ok := validators.Lookup(profile)
	Expect(ok).To(BeTrue(), profile)
	run := observe.Run{Host: "h", Version: "1", Transport: "stdio", Servers: c.Servers, Traffic: map[string]*observe.Traffic{}}
	for _, s := range c.Servers {
		calls := map[string]int{}
		run.Traffic[s.Name] = &observe.Traffic{Started: 1, Listed: true, Calls: calls}
		for _, pr := range s.Probes {
			run.Record.Tools = append(run.Record.Tools, model.Tool{Probe: pr.ID, Name: "mcp_" + s.Name + "_" + pr.Name(), Schema: json.RawMessage(`{}`)})
			if pr.Result == nil {
				continue
			}
			calls[pr.Name()] = 1
			text := "CT_" + pr.ID
			if doc := verify.Expand(pr.Tool).Get("outputSchema"); doc != nil && pr.Result.Has("structuredContent") {
				v, err := p.Compile(doc)
				if err != nil {
					calls[pr.Name()] = 0
					text = err.Error()
				} else if r := v.Validate(pr.Result.Get("structuredContent")); r.Outcome != validators.Valid {
					text = "rejected"
				}
			}
			run.Record.Answers = append(run.Record.Answers, model.Answer{Probe: pr.ID, Arguments: json.RawMessage(`{}`), Texts: []string{text}})
		}
	}
	return derive.Set{Lines: run.Lines()}
}

var _ = Describe("Claims from observations", func() {
	DescribeTable("find the validator by what it rejects", func(profile string) {
		Expect(members(imagined(profile), "result.validator")).To(HaveKeyWithValue("profile", fmt.Sprintf("%q", profile)))
	},
		Entry(nil, "ajv8-draft07-lax"),
		Entry(nil, "ajv8-draft07-noformats"),
		Entry(nil, "ajv8-dispatch"),
		Entry(nil, "python-jsonschema"),
	)

	It("find no validator where nothing is rejected", func() {
		s := imagined("ajv8-draft07-lax")
		for i := range s.Lines {
			if s.Lines[i].Seen != nil {
				all := "CT_" + s.Lines[i].Probe
				s.Lines[i].Seen.Text, s.Lines[i].Called = (*model.Text)(&all), 1
			}
		}
		Expect(members(s, "result.validator")).To(HaveKeyWithValue("profile", `"none"`))
	})

	It("find the template of names", func() {
		Expect(members(imagined("ajv8-draft07-lax"), "offer.name")).To(HaveKeyWithValue("template", `"mcp_{server}_{tool}"`))
	})

	It("find no template where there is no one template", func() {
		s := imagined("ajv8-draft07-lax")
		s.Lines[3].Offered.Name = "another"
		Expect(members(s, "offer.name")).To(BeNil())
	})

	It("read the handshake in the order of its tries", func() {
		s := derive.Set{Handshake: []observe.Step{{Method: "server/discover", Version: "2026-07-28"}, {Method: "initialize", Version: "2025-11-25"}, {Method: "tools/list"}}}
		Expect(members(s, "connect.handshake")["tries"]).To(MatchJSON(`[{"method":"server/discover","version":"2026-07-28"},{"method":"initialize","version":"2025-11-25"}]`))
	})

	line := func(id string, offered *observe.Offered) observe.Line {
		return observe.Line{Probe: id, Offered: offered, Siblings: []string{"ctl"}, Tool: json.RawMessage(`{}`), Result: json.RawMessage(`null`), Reached: map[string]bool{"ctl_h_name_dup": true}}
	}
	here, gone, lost := &observe.Offered{Present: true}, &observe.Offered{}, &observe.Offered{Lost: true}

	DescribeTable("read lists", func(key, member, value string, lines ...observe.Line) {
		Expect(members(derive.Set{Lines: lines}, key)).To(HaveKeyWithValue(member, value))
	},
		Entry("a lost list", "list.shape", "on_failure", `"server"`, line("h_in_null", lost), line("h_in_empty", here)),
		Entry("the first page only", "list.pages", "follow", `"first"`, line("page_1", here), line("page_2", gone)),
		Entry("all pages", "list.pages", "follow", `"all"`, line("page_1", here), line("page_2", here)),
		Entry("the first of two of a name", "list.duplicates", "keep", `"first"`, line("h_name_dup", gone)),
		Entry("both of a name", "list.duplicates", "keep", `"all"`, line("h_name_dup", here)),
		Entry("a list that two of a name lose", "list.duplicates", "keep", `"server"`, line("h_name_dup", lost)),
	)

	It("say nothing of duplicates of which only one was reported", func() {
		l := line("h_name_dup", here)
		l.Reached = nil
		Expect(members(derive.Set{Lines: []observe.Line{l}}, "list.duplicates")).To(BeNil())
	})

	It("do not blame the parser for a tool that goes missing later", func() {
		Expect(members(derive.Set{Lines: []observe.Line{line("h_in_null", gone)}}, "list.shape")).To(BeNil())
	})

	seen := func(both, only string) derive.Set {
		return derive.Set{Lines: []observe.Line{
			{Probe: "both_diff", Called: 1, Seen: &observe.Seen{Text: (*model.Text)(&both)}, Tool: json.RawMessage(`{}`), Result: json.RawMessage(`null`)},
			{Probe: "sc_only_empty_content", Called: 1, Seen: &observe.Seen{Text: (*model.Text)(&only)}, Tool: json.RawMessage(`{}`), Result: json.RawMessage(`null`)},
		}}
	}
	DescribeTable("read what the model sees", func(both, only, prefers, structuredOnly string) {
		m := members(seen(both, only), "view.surface")
		Expect(m["prefers"]).To(Equal(prefers))
		Expect(m["structured_only"]).To(Equal(structuredOnly))
	},
		Entry("content", "CT_both_diff", "", `"content"`, `"empty"`),
		Entry("structured", `{"v":"SC_both_diff"}`, `{"v":"SC_sc_only_empty_content"}`, `"structured"`, `"structured"`),
		Entry("both", `{"v":"SC_both_diff"} CT_both_diff`, "done", `"structured+content"`, ""),
		Entry("the raw result", `{"content":[{"text":"CT_both_diff"}],"structuredContent":{"v":"SC_both_diff"}}`, "", `"raw"`, `"empty"`),
	)
})
