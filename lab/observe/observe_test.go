package observe_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// run is a run of one server in which everything listed.
func run(server string, record model.Record) observe.Run {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	s, ok := c.Server(server)
	Expect(ok).To(BeTrue())
	calls := map[string]int{}
	for _, a := range record.Answers {
		_, p, _ := c.Find(a.Probe)
		calls[p.Name()]++
	}
	return observe.Run{Host: "h", Version: "1", Mode: adapters.Mode{Name: "default", Model: "m"}, Transport: "stdio", Servers: []probe.Server{s}, Record: record,
		Traffic: map[string]*observe.Traffic{server: {Started: 1, Listed: true, Protocol: "2025-06-18", Calls: calls}}}
}

func find(lines []observe.Line, id string) observe.Line {
	GinkgoHelper()
	for _, l := range lines {
		if l.Probe == id {
			return l
		}
	}
	Fail("no line of " + id)
	return observe.Line{}
}

func offer(id, description string) model.Tool {
	return model.Tool{Probe: id, Name: "x_" + id, Description: description, Schema: json.RawMessage(`{"type":"object"}`)}
}

func sent(id string) string { return "[[P:" + id + "]] conformance probe tool " + id }

var _ = Describe("An observation", func() {
	It("tells a list that is lost from a tool that is dropped", func() {
		l := find(run("h_in_null", model.Record{Tools: []model.Tool{offer("tuple_ok", sent("tuple_ok"))}}).Lines(), "h_in_null")
		Expect(l.Offered.Lost).To(BeTrue())
		Expect(l.Reached).To(Equal(map[string]bool{"ctl_h_in_null": false}))
		l = find(run("h_in_null", model.Record{Tools: []model.Tool{offer("ctl_h_in_null", sent("ctl_h_in_null"))}}).Lines(), "h_in_null")
		Expect(l.Offered.Lost).To(BeFalse())
		Expect(l.Offered.Present).To(BeFalse())
	})

	It("says nothing of an offer when the host ended before it made one", func() {
		l := find(run("probe", model.Record{}).Lines(), "both_diff")
		Expect(l.Offered).To(BeNil())
		Expect(l.Note).To(ContainSubstring("ended before it offered"))
	})

	DescribeTable("says how a description changed", func(got, how string) {
		l := find(run("probe", model.Record{Tools: []model.Tool{offer("both_diff", got)}}).Lines(), "both_diff")
		Expect(l.Offered.Description).To(Equal(how))
	},
		Entry("not at all", sent("both_diff"), ""),
		Entry("more behind it", sent("both_diff")+" (from server probe)", "extended"),
		Entry("less of it", sent("both_diff")[:30]+"…", "cut"),
		Entry("words before it", "MCP: "+sent("both_diff"), "rewritten"),
		Entry("gone", "", "absent"),
	)

	It("describes a long text by its ends, its length and the host's mark", func() {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		_, p, _ := c.Find("big_text_20k")
		whole := verify.Expand(p.Result).Get("content").Items[0].Get("text").Text
		got := whole[:5000] + "[cut here]" + whole[len(whole)-1000:]
		l := find(run("sizes", model.Record{Tools: []model.Tool{offer("big_text_20k", sent("big_text_20k"))},
			Answers: []model.Answer{{Probe: "big_text_20k", Arguments: json.RawMessage(`{}`), Texts: []string{got}}}}).Lines(), "big_text_20k")
		Expect(l.Seen.Text).To(BeNil())
		Expect(*l.Seen.Length).To(Equal(6010))
		Expect(got).To(And(HavePrefix(string(l.Seen.Head)), HaveSuffix(string(l.Seen.Tail))))
		Expect(l.Seen.SHA256).To(Equal(fmt.Sprintf("%x", sha256.Sum256([]byte(got)))))
		Expect(l.Seen.Cut.Text).To(BeEquivalentTo("[cut here]"))
		Expect(l.Seen.Cut.Offset).To(Equal(5000))
		Expect(len(l.Result)).To(BeNumerically("<", 400), "the long text is described, not repeated")
	})

	It("keeps half a pair that a host left of a character", func() {
		var a model.Answer
		Expect(json.Unmarshal([]byte(`{"probe":"both_diff","arguments":{},"texts":["cut \ud83d…"]}`), &a)).To(Succeed(), "as the report of a run brings it")
		lines := run("probe", model.Record{Answers: []model.Answer{a}}).Lines()
		l := find(lines, "both_diff")
		Expect(*l.Seen.Length).To(Equal(6), "half a pair is one unit")
		data, err := observe.Write(observe.Header{}, lines)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(ContainSubstring(`"text":"cut \ud83d…"`))
		var again observe.Seen
		written, err := json.Marshal(l.Seen)
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(written, &again)).To(Succeed())
		Expect(*again.Text).To(Equal(*l.Seen.Text), "what is kept from an earlier file stays as it is")
	})

	It("folds a long value that came back whole", func() {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		_, p, _ := c.Find("big_sc")
		value := json.RawMessage(verify.Expand(p.Result).Compact())
		l := find(run("sizes", model.Record{Answers: []model.Answer{{Probe: "big_sc", Arguments: json.RawMessage(`{}`), Value: value}}}).Lines(), "big_sc")
		Expect(*l.Seen.SameAsSent).To(BeTrue())
		back, err := schema.Parse(l.Seen.Value, schema.Limits{})
		Expect(err).NotTo(HaveOccurred())
		Expect(verify.Expand(back).Compact()).To(MatchJSON(value))
		Expect(len(l.Seen.Value)).To(BeNumerically("<", 500))
	})

	It("replaces what differs from run to run, and takes the host's own remarks away", func() {
		r := run("probe", model.Record{Answers: []model.Answer{{Probe: "both_diff", Arguments: json.RawMessage(`{}`),
			Texts: []string{"took 0.123 s\n", "<note>of the host</note>"}}}})
		r.Volatile = []adapters.Volatile{{Name: "seconds", Pattern: regexp.MustCompile(`took ([0-9.]+) s`)}}
		r.Noise = regexp.MustCompile(`^<note>.*</note>$`)
		s := find(r.Lines(), "both_diff").Seen
		Expect(*s.Text).To(BeEquivalentTo("took <seconds> s"))
		Expect(s.Length).To(BeNil(), "the length of the real text differs too")
		Expect(*s.WithHolders).To(Equal(16))
	})

	It("counts a call that the model made twice once", func() {
		r := run("probe", model.Record{Again: []string{"both_diff"}, Answers: []model.Answer{{Probe: "both_diff", Arguments: json.RawMessage(`{}`)}}})
		r.Traffic["probe"].Calls["both_diff"] = 2
		l := find(r.Lines(), "both_diff")
		Expect(l.Called).To(Equal(1))
	})

	It("reads handshakes, calls and eras from the servers' log", func() {
		path := filepath.Join(GinkgoT().TempDir(), "log")
		entries := []probe.Entry{
			{PID: 7, Server: "s", Event: "in", Raw: json.RawMessage(`{"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c"}}}}`)},
			{PID: 9, Server: "s", Event: "in", Raw: json.RawMessage(`{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"d"}}}`)},
			{PID: 9, Server: "s", Event: "out", Raw: json.RawMessage(`{"id":1,"result":{"protocolVersion":"2025-06-18"}}`)},
			{PID: 9, Server: "s", Event: "in", Raw: json.RawMessage(`{"id":2,"method":"tools/list"}`)},
			{PID: 9, Server: "s", Event: "in", Raw: json.RawMessage(`{"id":3,"method":"tools/call","params":{"name":"t"}}`)},
			{PID: 9, Server: "s", Event: "bad", Text: "x"},
		}
		var b strings.Builder
		for _, e := range entries {
			line, err := json.Marshal(e)
			Expect(err).NotTo(HaveOccurred())
			b.Write(append(line, '\n'))
		}
		Expect(os.WriteFile(path, []byte(b.String()), 0o600)).To(Succeed())
		all, err := observe.ReadTraffic(path)
		Expect(err).NotTo(HaveOccurred())
		t := all["s"]
		Expect(t.Started).To(Equal(2))
		Expect(t.Protocol).To(Equal("2025-06-18"))
		Expect(t.Calls).To(Equal(map[string]int{"t": 1}))
		Expect(t.Handshake).To(HaveLen(3))
		Expect(t.Handshake[1]).To(Equal(observe.Step{Method: "initialize", Version: "2025-11-25", Capabilities: json.RawMessage(`{"roots":{}}`), Process: 2}))
		Expect(string(t.Info)).To(Equal(`{"name":"d"}`))
	})

	It("has no traffic where no server was ever started", func() {
		all, err := observe.ReadTraffic(filepath.Join(GinkgoT().TempDir(), "none"))
		Expect(err).NotTo(HaveOccurred())
		Expect(all).To(BeEmpty())
	})
})
