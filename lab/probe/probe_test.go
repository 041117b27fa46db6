package probe_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

func builtin() *probe.Catalogue {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	return c
}

func named(name string) probe.Server {
	GinkgoHelper()
	s, ok := builtin().Server(name)
	Expect(ok).To(BeTrue(), name)
	return s
}

func respond(s probe.Server, era probe.Era, message string) string {
	return s.Respond(era, schema.MustParse(message)).Compact()
}

var _ = Describe("The catalogue", func() {
	It("tags every tool and names claims that the table knows", func() {
		for _, s := range builtin().Servers {
			Expect(s.About).NotTo(BeEmpty(), s.Name)
			for _, p := range s.Probes {
				text, _ := p.Tool.Get("description").IsString()
				if d := p.Tool.Get("description").Get("$text"); d != nil {
					text, _ = d.Get("head").IsString()
				}
				Expect(text).To(ContainSubstring("[[P:"+p.ID+"]]"), p.ID)
				Expect(p.Claims).NotTo(BeEmpty(), p.ID)
				for _, key := range p.Claims {
					Expect(capabilities.ClaimKeys()).To(ContainElement(key), p.ID)
				}
			}
		}
	})

	It("gives every definition that may cost a list a server with a control tool", func() {
		for _, s := range builtin().Servers {
			poison := slices.ContainsFunc(s.Probes, func(p probe.Probe) bool { return strings.HasPrefix(p.ID, "h_") })
			if poison {
				Expect(s.Control).To(BeTrue(), s.Name)
				Expect(s.Probes).To(HaveLen(1), s.Name)
			}
		}
	})

	It("measures sizes exactly", func() {
		_, p, ok := builtin().Find("schema_5001")
		Expect(ok).To(BeTrue())
		i := slices.IndexFunc(named("sizes").Tools(), func(t *schema.Value) bool { return t.Get("name").Text == p.Name() })
		Expect(named("sizes").Tools()[i].Get("inputSchema").Compact()).To(HaveLen(5001))
	})

	DescribeTable("refuses", func(text, reason string) {
		_, err := probe.Parse([]byte(text))
		Expect(err).To(MatchError(ContainSubstring(reason)))
	},
		Entry("another format", `{"format":"x"}`, `format "x"`),
		Entry("what is no JSON", `{`, "catalogue"),
		Entry("a probe without an id", `{"format":"conform-probes/1","servers":[{"name":"s","probes":[{}]}]}`, "without an id"),
		Entry("a probe that is there twice", `{"format":"conform-probes/1","servers":[{"name":"s","probes":[{"id":"a"},{"id":"a"}]}]}`, "twice"),
	)
})

var _ = Describe("A probe server", func() {
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`
	const discover = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`

	DescribeTable("speaks its era", func(era probe.Era, message, part string) {
		Expect(respond(named("probe"), era, message)).To(ContainSubstring(part))
	},
		Entry("legacy: the version asked for", probe.Legacy, initialize, `"protocolVersion":"2025-06-18"`),
		Entry("legacy: the newest for an unknown one", probe.Legacy, strings.Replace(initialize, "2025-06-18", "1999-01-01", 1), `"protocolVersion":"2025-11-25"`),
		Entry("legacy: no discovery", probe.Legacy, discover, `-32601`),
		Entry("modern: no initialize", probe.Modern, initialize, `-32022`),
		Entry("modern: discovery", probe.Modern, discover, `"supportedVersions":["2026-07-28"]`),
		Entry("dual: both", probe.Dual, initialize, `"protocolVersion":"2025-06-18"`),
		Entry("dual: discovery, with what its results carry", probe.Dual, discover, `"resultType":"complete"`),
	)

	It("serves one tool a page where it paginates", func() {
		first := respond(named("paged"), probe.Legacy, `{"id":1,"method":"tools/list"}`)
		Expect(first).To(And(ContainSubstring("page_1"), ContainSubstring(`"nextCursor":"1"`), Not(ContainSubstring("page_2"))))
		Expect(respond(named("paged"), probe.Legacy, `{"id":1,"method":"tools/list","params":{"cursor":"2"}}`)).NotTo(ContainSubstring("nextCursor"))
		Expect(respond(named("paged"), probe.Legacy, `{"id":1,"method":"tools/list","params":{"cursor":"-9"}}`)).To(ContainSubstring("page_1"))
	})

	It("answers calls as the catalogue says", func() {
		call := func(name string) string {
			return respond(named("probe"), probe.Legacy, `{"id":"x","method":"tools/call","params":{"name":"`+name+`"}}`)
		}
		Expect(call("both_diff")).To(And(ContainSubstring("CT_both_diff"), ContainSubstring("SC_both_diff"), ContainSubstring(`"id":"x"`)))
		Expect(call("rpc_error")).To(ContainSubstring("RPCDATA_rpc_error"))
		Expect(call("nobody")).To(ContainSubstring("Unknown tool"))
	})

	It("lets a tool without an input schema be one", func() {
		tools := named("h_in_missing").Tools()
		Expect(tools[0].Has("inputSchema")).To(BeTrue())
		Expect(tools[1].Has("inputSchema")).To(BeFalse())
	})

	It("writes down over stdio what came, good or bad, and never the values of the environment", func() {
		path := filepath.Join(GinkgoT().TempDir(), "log")
		log, err := probe.OpenLog(path)
		Expect(err).NotTo(HaveOccurred())
		GinkgoT().Setenv("LAB_TEST_SECRET", "do-not-log")
		var out bytes.Buffer
		Expect(named("probe").ServeStdio(probe.Legacy, strings.NewReader(initialize+"\nnot JSON\n{\"method\":\"notifications/initialized\"}\n"), &out, log)).To(Succeed())
		Expect(log.Close()).To(Succeed())
		Expect(strings.Count(out.String(), "\n")).To(Equal(1))
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(And(ContainSubstring("LAB_TEST_SECRET"), Not(ContainSubstring("do-not-log"))))
		var events []string
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var e probe.Entry
			Expect(json.Unmarshal([]byte(line), &e)).To(Succeed())
			events = append(events, e.Event)
		}
		Expect(events).To(Equal([]string{"start", "in", "out", "bad", "in", "end"}))
	})

	It("serves HTTP, and keeps secrets of the headers out of its log", func() {
		path := filepath.Join(GinkgoT().TempDir(), "log")
		log, err := probe.OpenLog(path)
		Expect(err).NotTo(HaveOccurred())
		h := named("probe").Handler(probe.Legacy, log)
		post := func(body string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer do-not-log")
			r.Header.Set("User-Agent", "some-host/1")
			h.ServeHTTP(w, r)
			return w
		}
		Expect(post(initialize).Body.String()).To(ContainSubstring("serverInfo"))
		Expect(post(`{"method":"notifications/initialized"}`).Code).To(Equal(202))
		get := httptest.NewRecorder()
		h.ServeHTTP(get, httptest.NewRequest("GET", "/mcp", nil))
		Expect(get.Code).To(Equal(405))
		data, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(And(ContainSubstring("some-host/1"), Not(ContainSubstring("do-not-log"))))
	})
})
