package serve_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/lab/serve"
)

func TestServe(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "serve")
}

var _ = Describe("Serving a person's own host", func() {
	var s *serve.Session
	var web *httptest.Server
	post := func(name, body string) string {
		GinkgoHelper()
		r, err := http.Post(web.URL+"/mcp/"+name, "application/json", strings.NewReader(body))
		Expect(err).NotTo(HaveOccurred())
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		Expect(err).NotTo(HaveOccurred())
		return string(data)
	}

	BeforeEach(func() {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		server, _ := c.Server("probe")
		s, err = serve.Open("some-host", "1.2", []probe.Server{server}, probe.Legacy, filepath.Join(GinkgoT().TempDir(), "log"))
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(s.Close)
		web = httptest.NewServer(s.Handler())
		DeferCleanup(web.Close)
	})

	It("records the handshake, the list, the calls and what the model reported", func() {
		post("probe", `{"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","clientInfo":{"name":"x"}}}`)
		post("probe", `{"id":2,"method":"tools/list"}`)
		Expect(post("probe", `{"id":3,"method":"tools/call","params":{"name":"both_diff","arguments":{"q":"x"}}}`)).To(ContainSubstring("CT_both_diff"))
		Expect(post("report", `{"id":1,"method":"tools/list"}`)).To(ContainSubstring("report_seen"))
		Expect(post("report", `{"id":4,"method":"tools/call","params":{"name":"report_seen","arguments":{"tag":"[[P:both_diff]]","tool":"srv_both_diff","output":"CT_both_diff"}}}`)).To(ContainSubstring("noted"))
		run, err := s.Run()
		Expect(err).NotTo(HaveOccurred())
		for _, l := range run.Lines() {
			Expect(l.Reached).NotTo(ContainElement(false), "what is not reported is unknown")
			if l.Probe == "both_diff" {
				Expect(l.Protocol).To(Equal("2025-03-26"))
				Expect(l.Offered.Name).To(Equal("srv_both_diff"))
				Expect(l.Offered.Description).To(BeEmpty(), "a report says nothing about it")
				Expect(l.Called).To(Equal(1))
				Expect(*l.Seen.Text).To(BeEquivalentTo("CT_both_diff"))
				Expect(l.Seen.Images).To(BeNil(), "nor about images")
			} else {
				Expect(l.Offered).To(BeNil(), "%s was not reported, which says nothing", l.Probe)
			}
		}
	})

	It("reads what a host said to programs that it started", func() {
		log, err := probe.OpenLog(s.LogPath)
		Expect(err).NotTo(HaveOccurred())
		defer log.Close()
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		server, _ := c.Server("probe")
		for of, said := range map[*probe.Server]string{
			&server:                `{"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}` + "\n" + `{"id":2,"method":"tools/list"}` + "\n" + `{"id":3,"method":"tools/call","params":{"name":"both_diff"}}`,
			new(serve.Reporting()): `{"id":1,"method":"tools/call","params":{"name":"report_seen","arguments":{"tag":"both_diff","tool":"x_both_diff","output":"o"}}}`,
		} {
			Expect(of.ServeStdio(probe.Legacy, strings.NewReader(said+"\n"), io.Discard, log)).To(Succeed())
		}
		run, err := s.Run()
		Expect(err).NotTo(HaveOccurred())
		Expect(run.Transport).To(Equal("stdio"))
		Expect(run.Record.Tools).To(ConsistOf(HaveField("Name", "x_both_diff")))
		Expect(run.Traffic["probe"].Listed).To(BeTrue())
	})

	It("says how a host starts the servers itself", func() {
		s.Program = []string{"/bin/conform", "lab", "probe-server"}
		r, err := http.Get(web.URL + "/")
		Expect(err).NotTo(HaveOccurred())
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(html.UnescapeString(string(data))).To(ContainSubstring(`"command": "/bin/conform"`))
	})

	It("shows a page with what to type and what arrived", func() {
		post("probe", `{"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`)
		r, err := http.Get(web.URL + "/")
		Expect(err).NotTo(HaveOccurred())
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(data)).To(And(ContainSubstring("some-host 1.2"), ContainSubstring("/mcp/report"), ContainSubstring("initialize 2025-03-26"), ContainSubstring("report_seen")))
	})

	DescribeTable("refuses pages of other sites", func(host, origin string, status int) {
		r, err := http.NewRequest("POST", web.URL+"/mcp/probe", strings.NewReader(`{"id":1,"method":"tools/list"}`))
		Expect(err).NotTo(HaveOccurred())
		r.Header.Set("Origin", origin)
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		response.Body.Close()
		Expect(response.StatusCode).To(Equal(status))
	},
		Entry("another site", "127.0.0.1:8090", "https://elsewhere.invalid", http.StatusForbidden),
		Entry("a name that was bound anew to this machine", "rebound.invalid:8090", "http://rebound.invalid:8090", http.StatusForbidden),
		Entry("a page without an origin of its own", "127.0.0.1:8090", "null", http.StatusForbidden),
		Entry("our own page", "127.0.0.1:8090", "http://127.0.0.1:8090", http.StatusOK),
		Entry("our own page by another name", "localhost:8090", "http://localhost:8090", http.StatusOK),
	)

	DescribeTable("knows a tag however a model writes it", func(tag string) {
		post("report", `{"id":1,"method":"tools/call","params":{"name":"report_seen","arguments":{"tag":"`+tag+`","tool":"t","output":"o"}}}`)
		run, err := s.Run()
		Expect(err).NotTo(HaveOccurred())
		Expect(run.Record.Answers).To(HaveLen(1))
	},
		Entry("whole", "[[P:both_diff]]"),
		Entry("bare", "both_diff"),
		Entry("without brackets", "P:both_diff"),
		Entry("with one bracket", "[P:both_diff]"),
		Entry("in code", " `[[P:both_diff]]`"),
	)

	DescribeTable("refuses at once what it could not write down at the end", func(host, version, era string) {
		_, err := serve.Open(host, version, nil, probe.Era(era), filepath.Join(GinkgoT().TempDir(), "log"))
		Expect(err).To(HaveOccurred())
	},
		Entry("a host that leaves the folder", "../../some", "1", "dual"),
		Entry("a version with a slash", "some", "1/2", "dual"),
		Entry("a version that is empty", "some", "", "dual"),
		Entry("an era that there is not", "some", "1", "future"),
	)

	It("knows that nothing came", func() {
		Expect(s.Nothing()).To(BeTrue())
		post("probe", `{"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`)
		Expect(s.Nothing()).To(BeFalse())
	})

	It("records that a control tool was reported", func() {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		server, _ := c.Server("twins")
		s.Servers = []probe.Server{server}
		for _, tag := range []string{"ctl_twins", "name_twin_dot"} {
			post("report", `{"id":1,"method":"tools/call","params":{"name":"report_seen","arguments":{"tag":"`+tag+`","tool":"t","output":"o"}}}`)
		}
		run, err := s.Run()
		Expect(err).NotTo(HaveOccurred())
		Expect(run.Lines()[0].Reached).To(Equal(map[string]bool{"ctl_twins": true}))
	})
})
