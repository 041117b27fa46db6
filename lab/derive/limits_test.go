package derive_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/derive"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// asked is the observation of a catalogue probe, called once, whose answer reached the
// model as text.
func asked(id, text string) observe.Line {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	s, p, ok := c.Find(id)
	Expect(ok).To(BeTrue(), id)
	l := observe.Line{Server: s.Name, Probe: id, Tool: json.RawMessage(p.Tool.Compact()), Arguments: json.RawMessage(p.Arguments.Compact()),
		Result: json.RawMessage("null"), Offered: &observe.Offered{Present: true, Name: p.Name()}, Called: 1, Seen: &observe.Seen{Text: (*model.Text)(&text), Images: new(0)}}
	if p.Result != nil {
		l.Result = json.RawMessage(p.Result.Compact())
	}
	return l
}

// whole and cut are texts of a length as a host passes them on.
func whole(id string) observe.Line { return asked(id, "CT_"+id+"_HEAD … CT_"+id+"_TAIL") }

func cut(id string) observe.Line { return asked(id, "CT_"+id+"_HEAD …") }

func find(s derive.Set, key string) *derive.Claim {
	for _, c := range derive.Claims(s) {
		if c.Key == key {
			return &c
		}
	}
	return nil
}

var _ = Describe("Limits from observations", func() {
	It("find the longest text that comes through whole", func() {
		s := derive.Set{Lines: []observe.Line{whole("long_text_10k"), whole("big_text_20k"), cut("long_text_25k"), cut("big_text_60k")}}
		Expect(members(s, "view.limit")).To(HaveKeyWithValue("max", `{"from":20066,"below":25000}`))
		Expect(find(s, "view.limit").Only).To(BeFalse())
	})

	It("claim no limit that was not reached", func() {
		s := derive.Set{Lines: []observe.Line{whole("long_text_10k"), whole("big_text_200k")}}
		Expect(members(s, "view.limit")).To(HaveKeyWithValue("max", `{"from":200023}`))
		Expect(find(s, "view.limit").Only).To(BeTrue())
	})

	It("claim none where length has no part in it", func() {
		Expect(find(derive.Set{Lines: []observe.Line{cut("long_text_10k"), whole("big_text_200k")}}, "view.limit")).To(BeNil())
	})

	It("find the longest description", func() {
		short, long := asked("long_desc_2048", ""), asked("long_desc_2049", "")
		long.Offered.Description = "cut"
		Expect(members(derive.Set{Lines: []observe.Line{short, long}}, "offer.description")).To(HaveKeyWithValue("max", `{"from":2048,"below":2049}`))
	})

	It("find the longest name, with what the template puts before it", func() {
		var lines []observe.Line
		for _, n := range []int{40, 50, 56, 58, 59, 61} {
			id := fmt.Sprintf("long_name_%d", n)
			if n < 58 {
				id = fmt.Sprintf("name_%d", n)
			}
			l := asked(id, "")
			l.Offered.Name = "mcp_" + l.Server + "_" + l.Offered.Name
			if len(l.Offered.Name) > 68 {
				l.Offered.Present = false
			}
			lines = append(lines, l)
		}
		plain := asked("both_diff", "")
		plain.Offered.Name = "mcp_probe_both_diff"
		Expect(members(derive.Set{Lines: append(lines, plain)}, "offer.name")).To(HaveKeyWithValue("max", `{"from":68,"below":70}`))
	})

	DescribeTable("count tools", func(n observe.Counted, tools string, only bool) {
		c := find(derive.Set{Counts: map[string]observe.Counted{"count": n}}, "offer.limits")
		if tools == "" {
			Expect(c).To(BeNil())
			return
		}
		Expect(string(c.Members["tools"])).To(Equal(tools))
		Expect(c.Only).To(Equal(only))
	},
		Entry("the first 128", observe.Counted{Listed: 600, Offered: 128, First: 128}, `128`, false),
		Entry("all", observe.Counted{Listed: 600, Offered: 600, First: 600}, `{"from":600}`, true),
		Entry("some of them, by a search", observe.Counted{Listed: 600, Offered: 14, First: 1}, "", false),
	)

	DescribeTable("count pages", func(n observe.Counted, limit string) {
		s := derive.Set{Lines: []observe.Line{asked("page_1", ""), asked("page_2", "")}, Counts: map[string]observe.Counted{"deep": n}}
		Expect(members(s, "list.pages")).To(HaveKeyWithValue("max", limit))
	},
		Entry("all", observe.Counted{Listed: 120, Offered: 120, First: 120}, `{"from":120}`),
		Entry("the first 50", observe.Counted{Listed: 120, Offered: 50, First: 50}, `{"from":50,"below":51}`),
	)
})

var _ = Describe("More claims from observations", func() {
	version := func(v string, listed bool) observe.Line {
		l := asked("version_"+strings.ReplaceAll(v, "-", "_"), "")
		l.Handshake = []observe.Step{{Method: "initialize"}}
		if !listed {
			l.Offered = nil
		}
		return l
	}

	It("tell which answers to initialize are accepted", func() {
		s := derive.Set{Lines: []observe.Line{version("2025-06-18", true), version("2025-11-25", true), version("2099-01-01", false)}}
		Expect(members(s, "connect.versions")["accepts"]).To(MatchJSON(`{"with":["2025-06-18","2025-11-25"],"without":["2099-01-01"]}`))
	})

	It("say nothing where every answer is", func() {
		Expect(find(derive.Set{Lines: []observe.Line{version("2099-01-01", true)}}, "connect.versions").Only).To(BeTrue())
	})

	It("tell what becomes of content blocks", func() {
		image := asked("image_block", "CT_image_block")
		image.Seen.Images = new(1)
		s := derive.Set{Lines: []observe.Line{asked("both_diff", "CT_both_diff"), image, asked("audio_block", "CT_audio_block"), asked("blob_block", "CT_blob_block QkxPQkRBVEE="),
			asked("multi_block", "CT_multi_block_1 [file LINKNAME_multi_block] RESTEXT_multi_block")}}
		Expect(members(s, "view.blocks")).To(Equal(map[string]string{"image": `"image"`, "audio": `"lost"`, "blob": `"text"`, "resource": `"text"`, "resource_link": `"placeholder"`}))
	})

	It("say nothing of blocks where a model reports in words", func() {
		image := asked("image_block", "CT_image_block")
		image.Seen.Images = nil
		Expect(find(derive.Set{Lines: []observe.Line{asked("both_diff", "CT_both_diff"), image}}, "view.blocks")).To(BeNil())
	})

	It("leave blocks alone where the raw result is shown", func() {
		s := derive.Set{Lines: []observe.Line{asked("both_diff", `{"content":"CT_both_diff","structuredContent":"SC_both_diff"}`), asked("audio_block", "CT_audio_block")}}
		Expect(find(s, "view.blocks")).To(BeNil())
	})

	It("read the template of errors", func() {
		s := derive.Set{Lines: []observe.Line{asked("rpc_error", "E -32602: RPCERR_rpc_error"), asked("rpc_error_internal", "E -32603: RPCERR_rpc_error_internal")}}
		Expect(members(s, "result.error")).To(HaveKeyWithValue("text", `"E {code}: {message}"`))
	})

	It("find an approval that annotations decide", func() {
		none := asked("ann_none", "no")
		none.Called = 0
		Expect(members(derive.Set{Lines: []observe.Line{none, asked("ann_readonly", "CT_ann_readonly")}}, "call.approval")).To(HaveKeyWithValue("needs", `"readOnlyHint"`))
	})

	It("tell that the parser drops what is no tool by its types, one by one", func() {
		dropped := func(id string) observe.Line {
			return observe.Line{Probe: id, Offered: &observe.Offered{}, Siblings: []string{"ctl"}, Tool: json.RawMessage(`{}`), Result: json.RawMessage(`null`)}
		}
		Expect(members(derive.Set{Lines: []observe.Line{dropped("h_in_null"), dropped("h_title_number")}}, "list.shape")).To(HaveKeyWithValue("on_failure", `"tool"`))
	})

	arguments := func(refused ...string) derive.Set {
		var s derive.Set
		for _, id := range []string{"arg_missing", "arg_type", "arg_number_text", "arg_enum", "arg_extra", "arg_format", "arg_pattern", "arg_2020"} {
			l := asked(id, "")
			for _, r := range refused {
				if r == id {
					l.Called = 0
				}
			}
			s.Lines = append(s.Lines, l)
		}
		return s
	}

	It("tell that nobody checks arguments", func() {
		c := find(arguments(), "call.arguments")
		Expect(string(c.Members["profile"])).To(Equal(`"none"`))
		Expect(c.Only).To(BeTrue())
	})

	It("name no profile for a check of another kind", func() {
		Expect(find(arguments("arg_missing"), "call.arguments")).To(BeNil())
	})
})
