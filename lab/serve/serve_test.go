package serve_test

import (
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
				Expect(*l.Seen.Text).To(Equal("CT_both_diff"))
			} else {
				Expect(l.Offered).To(BeNil(), "%s was not reported, which says nothing", l.Probe)
			}
		}
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

	It("refuses pages of other sites", func() {
		r, err := http.NewRequest("POST", web.URL+"/mcp/probe", strings.NewReader(`{}`))
		Expect(err).NotTo(HaveOccurred())
		r.Header.Set("Origin", "https://elsewhere.invalid")
		response, err := http.DefaultClient.Do(r)
		Expect(err).NotTo(HaveOccurred())
		response.Body.Close()
		Expect(response.StatusCode).To(Equal(http.StatusForbidden))
	})
})
