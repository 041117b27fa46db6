package probe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
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

// cutLast splits "long_name_63" into its kind and its number.
func cutLast(id string) (kind string, size int, ok bool) {
	at := strings.LastIndexByte(id, '_')
	if at < 0 {
		return id, 0, false
	}
	size, err := strconv.Atoi(id[at+1:])
	return id[:at], size, err == nil
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

	It("has a probe for every claim that a probe can decide", func() {
		elsewhere := map[string]string{
			"layers":           "which rows a host is made of is read in its source",
			"offer.api.name":   "what a vendor's interface refuses is seen only at the vendor: the scripted model takes everything",
			"offer.api.schema": "the same",
			"offer.api.limits": "the same",
		}
		decided := map[string]bool{}
		for _, s := range builtin().Servers {
			for _, p := range s.Probes {
				for _, key := range p.Claims {
					decided[key] = true
				}
			}
		}
		for _, key := range capabilities.ClaimKeys() {
			_, other := elsewhere[key]
			Expect(decided[key]).NotTo(Equal(other), "%s: %s", key, elsewhere[key])
		}
	})

	It("finds limits by ladders whose rungs are as long as they say", func() {
		rungs := map[string]int{}
		for _, s := range builtin().Servers {
			for i, t := range s.Tools() {
				id := s.ControlName()
				if !s.Control || i > 0 {
					id = model.ProbeOf(t.Get("description").Text)
				}
				kind, size, _ := cutLast(id)
				switch kind {
				case "long_name":
					Expect(t.Get("name").Text).To(HaveLen(size), id)
				case "long_desc":
					Expect(t.Get("description").Text).To(HaveLen(size), id)
				case "long_schema":
					Expect(t.Get("inputSchema").Compact()).To(HaveLen(size), id)
				case "count", "deep":
					Expect(i+1).To(Equal(size), id)
				default:
					continue
				}
				rungs[kind]++
			}
			for _, p := range s.Probes {
				number, thousands := strings.CutSuffix(p.ID, "k")
				kind, size, _ := cutLast(number)
				if !thousands || p.Result == nil || !strings.HasPrefix(kind, "long_") {
					continue
				}
				result := verify.Expand(p.Result)
				text := result.Get("content").Items[0].Get("text").Text
				if v := result.Get("structuredContent"); v != nil {
					text = v.Get("v").Text
				}
				Expect(text).To(HaveLen(size*1000), p.ID)
				rungs[kind]++
			}
		}
		for _, kind := range []string{"long_name", "long_desc", "long_schema", "long_text", "long_sc", "count", "deep"} {
			Expect(rungs[kind]).To(BeNumerically(">=", 3), kind)
		}
	})

	It("keeps servers apart that would change what a host does with others", func() {
		for _, s := range builtin().Servers {
			Expect(s.Apart || !s.Odd() && s.Fill == 0).To(BeTrue(), s.Name)
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
		Entry("a probe whose id no tag can hold", `{"format":"conform-probes/1","servers":[{"name":"s","probes":[{"id":"a-b"}]}]}`, "letters, digits and _ alone"),
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

	It("answers oddly, or not at all, where the catalogue says so", func() {
		Expect(respond(named("version_2099_01_01"), probe.Legacy, initialize)).To(ContainSubstring(`"protocolVersion":"2099-01-01"`))
		Expect(respond(named("hello_no_info"), probe.Legacy, initialize)).NotTo(ContainSubstring("serverInfo"))
		for name, method := range map[string]string{"quiet_initialize": "initialize", "quiet_discover": "server/discover", "quiet_list": "tools/list", "quiet_call": "tools/call"} {
			Expect(named(name).Respond(probe.Dual, schema.MustParse(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`))).To(BeNil(), name)
			Expect(respond(named(name), probe.Legacy, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)).To(ContainSubstring("result"), name)
		}
	})

	It("lets a request hang over HTTP that it never answers, as long as the host waits", func() {
		log, err := probe.OpenLog(filepath.Join(GinkgoT().TempDir(), "log"))
		Expect(err).NotTo(HaveOccurred())
		web := httptest.NewServer(named("quiet_list").Handler(probe.Legacy, log))
		defer web.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, "POST", web.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		Expect(err).NotTo(HaveOccurred())
		_, err = http.DefaultClient.Do(r)
		Expect(err).To(MatchError(context.DeadlineExceeded))
	})

	It("fills a list up around its probes", func() {
		s := named("count")
		tools := s.Tools()
		Expect(tools).To(HaveLen(600))
		_, p, _ := builtin().Find("count_129")
		Expect(tools[128].Get("name").Text).To(Equal(p.Name()))
		before, after := s.Around(p)
		Expect(*before).To(Equal(probe.Range{Name: "item_{i}", From: 1, To: 128, Width: 4}))
		Expect(*after).To(Equal(probe.Range{Name: "item_{i}", From: 130, To: 600, Width: 4}))
	})

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

var _ = Describe("The further catalogues", func() {
	DescribeTable("can be read", func(path string) {
		c, err := probe.Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).NotTo(BeEmpty())
	},
		Entry(nil, "more.json"),
		Entry(nil, "names.json"),
		Entry(nil, "blind.json"),
		Entry(nil, "drawn-2.json"),
		Entry(nil, "drawn-3.json"),
		Entry(nil, "unicode.json"),
		Entry(nil, "numbers.json"),
	)

	It("says which file it could not read", func() {
		_, err := probe.Open("nothing.json")
		Expect(err).To(MatchError(ContainSubstring("nothing.json")))
	})
})
