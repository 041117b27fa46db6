package conformtest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/conformtest"
	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/matrix/verdict"
)

const caseFile = `{"format":"conform-case/1","id":"pairs","title":"pairs","family":"tuple","source":"https://example.com/1","protocol_version":"2025-06-18",
"server":{"name":"hauler","version":"1"},
"tools":[{"name":"hauler_status","description":"runs","inputSchema":{"type":"object"},"outputSchema":` + pairsAsTuple + `}],
"results":[{"tool":"hauler_status","arguments":{},"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"pairs":[[1,42]]}}}],
"expect":[]}`

const ownHost = `{"format":"conform-host/1","id":"own","name":"Own","kind":"host",
 "claims":{"result.validator":[{"value":{"profile":"ajv8-draft07-lax","mismatch_text":"no: {errors}"},"evidence":["told"]}]},
 "evidence":{"told":{"basis":"reported","date":"2026-01-02","url":"https://example.com/1"}}}`

// strict and lax are a host that reads a tuple as drafts before 2020-12 do, and one
// that validates no result.
const strict, lax = "cursor", "codex"

func demo() fixture.Set {
	GinkgoHelper()
	set, err := fixture.Find("demo")
	Expect(err).NotTo(HaveOccurred())
	return set
}

var _ = Describe("WorkIn", func() {
	It("takes a server of the Go SDK in this process", func() {
		Expect(newServer(pairsAsList)).To(conformtest.WorkIn(strict, lax))
		Expect(newServer(pairsAsTuple)).To(conformtest.WorkIn(lax))
		Expect(newServer(pairsAsTuple)).NotTo(conformtest.WorkIn(strict))
	})

	It("takes a server that answers messages within the process, as mcp-go's does", func() {
		Expect(&inProcess{answer(pairsAsList)}).To(conformtest.WorkIn(strict, lax))
		Expect(&inProcess{answer(pairsAsTuple)}).To(conformtest.WorkIn(lax))
		Expect(&inProcess{answer(pairsAsTuple)}).NotTo(conformtest.WorkIn(strict))
	})

	It("takes whatever answers HTTP, and a URL", func() {
		server := newServer(pairsAsTuple)
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
		Expect(handler).NotTo(conformtest.WorkIn(strict))
		Expect(fixture.Handler(demo())).NotTo(conformtest.WorkIn(strict))
		listening := httptest.NewServer(handler)
		DeferCleanup(listening.Close)
		Expect(listening).NotTo(conformtest.WorkIn(strict))
		Expect(listening.URL).NotTo(conformtest.WorkIn(strict))
		Expect(listening.URL).To(conformtest.WorkIn(lax))
	})

	It("takes a function that answers messages", func() {
		Expect(answer(pairsAsList)).To(conformtest.WorkIn(strict))
		Expect(conformtest.Handler(answer(pairsAsTuple))).NotTo(conformtest.WorkIn(strict))
	})

	It("takes a command", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		cmd := exec.Command(self)
		cmd.Env = []string{"CONFORMTEST_SERVE=demo"}
		Expect(cmd).NotTo(conformtest.WorkIn(strict))
		Expect(cmd).To(conformtest.WorkIn(strict).Tools("depot_list"))
		Expect(conformtest.Command{"env", "CONFORMTEST_SERVE=demo", self}).NotTo(conformtest.WorkIn(strict))
	})

	It("takes a file", func() {
		name := filepath.Join(GinkgoT().TempDir(), "pairs.json")
		Expect(os.WriteFile(name, []byte(caseFile), 0o644)).To(Succeed())
		Expect(name).NotTo(conformtest.WorkIn(strict))
		Expect(name).To(conformtest.WorkIn(lax))
		Expect(conformtest.Replay{name}).NotTo(conformtest.WorkIn(strict))
	})

	It("fails in the words of the text report", func() {
		matcher := conformtest.WorkIn(strict)
		works, err := matcher.Match(newServer(pairsAsTuple))
		Expect(err).NotTo(HaveOccurred())
		Expect(works).To(BeFalse())
		Expect(matcher.FailureMessage(nil)).To(SatisfyAll(
			HavePrefix(`Expected the server "hauler" to work in cursor.`),
			ContainSubstring("1. hauler_status breaks in 1 host at result · result-schema-mismatch"),
			ContainSubstring("Structured content does not match the tool's output schema"),
			ContainSubstring("/outputSchema/properties/pairs"),
			ContainSubstring("/structuredContent/pairs/0/0")))
		matcher = conformtest.WorkIn(lax)
		Expect(matcher.Match(newServer(pairsAsTuple))).To(BeTrue())
		Expect(matcher.NegatedFailureMessage(nil)).To(ContainSubstring("not to work in codex, and it does"))
	})

	It("counts what it is told to count", func() {
		report, err := conformtest.WorkIn(strict, lax).Report(newServer(pairsAsTuple))
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Hosts).To(HaveLen(2))
		tool := report.Tools[0].Name
		Expect(newServer(pairsAsTuple)).NotTo(conformtest.WorkIn(strict).Tools(tool[:3] + "*"))
		Expect(report.Target.URL).To(Equal("http://localhost/mcp"), "in memory: no port is opened")
		Expect(report.Summary.Breaks).To(Equal(1))
		everywhere := conformtest.WorkIn().FailOn(verdict.Degraded).Witnesses(0)
		Expect(everywhere.Match(newServer(pairsAsTuple))).To(BeFalse())
		Expect(everywhere.FailureMessage(nil)).To(HavePrefix(`Expected the server "hauler" to work in every host.`))
	})

	It("takes hosts of its own folder, and weighs their evidence", func() {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "own.json"), []byte(ownHost), 0o644)).To(Succeed())
		own := func() *conformtest.Matcher { return conformtest.WorkIn("own").HostsDir(dir) }
		Expect(newServer(pairsAsTuple)).NotTo(own())
		Expect(newServer(pairsAsTuple)).NotTo(own().MinBasis(capabilities.Reported))
		Expect(newServer(pairsAsTuple)).To(own().MinBasis(capabilities.Documented))
		Expect(newServer(pairsAsList)).To(own())
	})

	It("calls what the samples or the test allow", func() {
		samples := filepath.Join(GinkgoT().TempDir(), "samples.yaml")
		Expect(os.WriteFile(samples, []byte("format: conform-samples/1\nsamples:\n  - tool: haul_note\n    arguments: {text: x}\n"), 0o644)).To(Succeed())
		report, err := conformtest.WorkIn(lax).AllowCalls("*").Named("yard").Within(time.Minute).Report(fixture.Handler(demo()))
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Tools).NotTo(BeEmpty())
		_, err = conformtest.WorkIn(lax).Samples(samples).Report(fixture.Handler(demo()))
		Expect(err).NotTo(HaveOccurred())
	})

	DescribeTable("says what is wrong with what it was given", func(server any, matcher *conformtest.Matcher, says string) {
		_, err := matcher.Match(server)
		Expect(err).To(MatchError(ContainSubstring(says)))
	},
		Entry("no server", 42, conformtest.WorkIn(lax), "a int is no server"),
		Entry("a server that was not made", (*mcp.Server)(nil), conformtest.WorkIn(lax), "the *mcp.Server is nil; give the one"),
		Entry("no such file", "server.js", conformtest.WorkIn(lax), `a command is written conformtest.Command{"server.js"}`),
		Entry("an empty command", conformtest.Command{}, conformtest.WorkIn(lax), "the command is empty"),
		Entry("a command that is not there", conformtest.Command{"/nowhere/server"}, conformtest.WorkIn(lax), "/nowhere/server"),
		Entry("no such host", newServer(pairsAsList), conformtest.WorkIn("curser"), `did you mean`),
		Entry("no such folder", newServer(pairsAsList), conformtest.WorkIn(lax).HostsDir("/nowhere"), "no such folder"),
		Entry("no such samples", newServer(pairsAsList), conformtest.WorkIn(lax).Samples("/nowhere.yaml"), "/nowhere.yaml"),
		Entry("a pattern that no tool has", newServer(pairsAsTuple), conformtest.WorkIn(strict).Tools("other_*"), `Tools("other_*"): the server has no such tool`),
		Entry("a server without tools", mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, &mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}}), conformtest.WorkIn(lax), "lists no tools"),
		Entry("a bad pattern", newServer(pairsAsList), conformtest.WorkIn(lax).Tools("["), "is no pattern"),
		Entry("a handler without protocol", http.NotFoundHandler(), conformtest.WorkIn(lax), "conformtest: "),
	)
})
