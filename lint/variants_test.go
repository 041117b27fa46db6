package lint_test

import (
	"context"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// reporters are the rules that may report for the promise of a variant, by the
// promise's rule where more than the rules that cover it by name will do.
var reporters = map[string][]string{
	"REF":     {"schema-ref-dangling", "schema-ref-remote"},
	"APP":     {"app-meta", "app-resource"},
	"RES":     {"resource-name", "resource-description", "resource-template", "resource-entry", "resource-unique"},
	"PROMPT":  {"prompt-description", "prompt-argument-description"},
	"PARITY":  {"surface-parity", "structured-text"},
	"TRUNC":   {"structured-truncated"},
	"ERRTEXT": {"error-text"},

	"COMPLETION": {"completion-values"}, "NOTICE": {"notification-params"}, "PROGRESS": {"progress"}, "REQUIRED": {"required-undeclared"}, "DEFAULT": {"default-mismatch"},
	"PROMPTUNKNOWN": {"unknown-prompt"}, "PROMPTARGS": {"prompt-arguments"}, "RESTEXT": {"result-text"}, "RESMIME": {"resource-mime"}, "ERRSTRUCT": {"error-structured"},
	"PING": {"ping"}, "READ": {"resource-contents"}, "READUNKNOWN": {"unknown-resource"}, "RESLIST": {"resource-entry"}, "MESSAGES": {"prompt-messages"},
	"LOGLEVEL": {"log-level-ignored"}, "EMPTY": {"result-empty"}, "TASKS": {"task-undeclared"},
	"HINTS": {"annotation-coherence"}, "BATCH": {"message-batch-refused"}, "REMOVED": {"era-removed-method"}, "INFO": {"era-server-info"},
	"TC4":  {"structured-absent", "structured-mismatch", "structured-text", "structured-undeclared"},
	"TL2":  {"tool-entry", "input-root", "list-fails"},
	"TL4":  {"input-properties", "schema-invalid"},
	"TL14": {"list-set"},
	"T11":  {"server-request-modern", "message-after-final", "unrequested-notification"},
	"T15":  {"http-session-id", "http-modern-session", "http-session-unique"},
}

func rulesFor(v fixture.Set) []string {
	if named := reporters[v.Promise.Rule]; named != nil {
		return named
	}
	var out []string
	for _, r := range lint.Rules() {
		if slices.Contains(r.Covers, v.Promise.Rule) {
			out = append(out, r.ID)
		}
	}
	return out
}

// handshakes pin every revision, newest first: what is read-only is known from there
// when a session of 2024-11-05, which has no annotations, is planned.
var handshakes = []wire.Handshake{
	{Mode: wire.Discover, Version: "2026-07-28"}, {Mode: wire.Initialize, Version: "2025-11-25"}, {Mode: wire.Initialize, Version: "2025-06-18"},
	{Mode: wire.Initialize, Version: "2025-03-26"}, {Mode: wire.Initialize, Version: "2024-11-05"},
}

// planner plans the calls of each session; a tool that said readOnlyHint: true in a
// session before may be called in later ones too.
func planner() func(*recording.Session) []recording.Call {
	var readOnly []string
	return func(s *recording.Session) []recording.Call {
		for _, t := range s.Tools {
			if t.Value.Get("annotations").Get("readOnlyHint").IsTrue() {
				readOnly = append(readOnly, t.Name)
			}
		}
		return recording.Plan(s, nil, recording.PlanOptions{PerTool: 2, SampleErrors: true, AllowCalls: readOnly}).Requests()
	}
}

// look runs everything on a live server: every revision, calls, probes, rules.
func look(target wire.Target, handshakes []wire.Handshake) (*recording.Capture, lint.Result) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	options := wire.Options{Handshakes: handshakes, Concurrency: 1, Lists: true,
		Timeouts: wire.Timeouts{Start: 5 * time.Second, Request: 2 * time.Second, Grace: 20 * time.Millisecond, Stop: 400 * time.Millisecond},
		Calls:    planner()}
	capture, _ := wire.Capture(ctx, target, options)
	Expect(wire.Probe(ctx, target, wire.ProbeOptions{Options: options}, capture)).To(Succeed())
	return capture, lint.Run(capture, lint.Input{})
}

func onStdio(id string) wire.Target {
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	return wire.Target{Command: []string{self}, Env: []string{serveFixture + "=" + id}}
}

func overHTTP(set fixture.Set) (wire.Target, func()) {
	server := httptest.NewServer(fixture.Handler(set))
	return wire.Target{URL: server.URL + "/mcp"}, server.Close
}

// lookAtAll looks at several sets, a few at a time: most of the time is waiting.
func lookAtAll(sets []fixture.Set, transport string) []lint.Result {
	results := make([]lint.Result, len(sets))
	slots := make(chan struct{}, 4)
	var all sync.WaitGroup
	for i, v := range sets {
		slots <- struct{}{}
		all.Add(1)
		go func() {
			defer GinkgoRecover()
			defer all.Done()
			defer func() { <-slots }()
			target, stop := onStdio(v.ID), func() {}
			if transport == "http" {
				target, stop = overHTTP(v)
			}
			defer stop()
			// What shows in every era shows in the newest of each; each revision by
			// itself is for clean servers and for promises of the legacy era.
			shakes := handshakes
			if v.Promise != nil && v.Promise.Level != "clean" && !slices.Equal(v.Promise.Eras, []string{"legacy"}) {
				shakes = handshakes[:2]
			}
			_, results[i] = look(target, shakes)
		}()
	}
	all.Wait()
	return results
}

// alarms are the findings above info.
func alarms(r lint.Result) (out []string) {
	for _, a := range r.Advice {
		if a.Severity != verdict.Info {
			out = append(out, a.Rule+" "+a.Tool+" ["+a.Session+"]: "+a.Message)
		}
	}
	return out
}

// tally counts what was found, by level.
type tally map[string]*struct{ found, all int }

func (t tally) count(level string, found bool) {
	if t[level] == nil {
		t[level] = &struct{ found, all int }{}
	}
	t[level].all++
	if found {
		t[level].found++
	}
}

func (t tally) rate(level string) float64 {
	return 100 * float64(t[level].found) / float64(t[level].all)
}

// goals are the rates that must be reached, in percent. Source: issue 6.
var goals = map[string]float64{"must": 98, "should": 95, "quality": 90}

var _ = Describe("live servers that break one promise each", func() {
	for _, transport := range []string{"stdio", "http"} {
		It("are told from clean ones over "+transport, func() {
			rates := tally{}
			var missed, alarmed []string
			variants := fixture.Variants()
			clean, err := fixture.Find("clean")
			Expect(err).NotTo(HaveOccurred())
			sets := slices.DeleteFunc(append(variants, clean), func(v fixture.Set) bool {
				return v.Promise != nil && !slices.Contains(v.Promise.Transports, transport)
			})
			results := lookAtAll(sets, transport)
			for i, v := range sets {
				p, result := v.Promise, results[i]
				if p == nil || p.Level == "clean" {
					for _, a := range alarms(result) {
						alarmed = append(alarmed, v.ID+": "+a)
					}
					for _, n := range result.NotChecked {
						if strings.Contains(n.Reason, "failed") {
							alarmed = append(alarmed, v.ID+": "+n.Rule+" "+n.Reason)
						}
					}
					continue
				}
				found := slices.ContainsFunc(result.Advice, func(a verdict.Advice) bool { return slices.Contains(rulesFor(v), a.Rule) })
				rates.count(p.Level, found)
				if !found {
					missed = append(missed, v.ID+" ("+p.Rule+"): "+p.About+"\n      "+strings.Join(alarms(result), "\n      "))
				} else if os.Getenv("CONFORM_LINT_TRACE") != "" {
					GinkgoWriter.Printf("%s (%s)\n      %s\n", v.ID, p.Rule, strings.Join(alarms(result), "\n      "))
				}
			}
			for level, goal := range goals {
				GinkgoWriter.Printf("%s %s: %d of %d (%.1f %%)\n", transport, level, rates[level].found, rates[level].all, rates.rate(level))
				Expect(rates.rate(level)).To(BeNumerically(">=", goal), "%s over %s; missed:\n%s", level, transport, strings.Join(missed, "\n"))
			}
			GinkgoWriter.Println("missed: " + strings.Join(missed, "\n"))
			Expect(alarmed).To(BeEmpty())
		})
	}
})
