package matrix_test

import (
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/validators"
)

// Claims that no row of the table may make today and a file of the user's own can.
var _ = Describe("A host of one's own", func() {
	cells := func(claims, server string) []verdict.Cell {
		GinkgoHelper()
		table, err := capabilities.Load(fstest.MapFS{"own.json": {Data: []byte(`{"format":"conform-host/1","id":"own","name":"Own","kind":"host","claims":{` + claims +
			`},"evidence":{"e":{"basis":"reported","url":"https://example.com/1","date":"2026-01-01"}}}`)}})
		Expect(err).NotTo(HaveOccurred())
		host, err := table.Resolve("own")
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		c, err := recording.ReadCase("case.json", []byte(`{"format":"conform-case/1","id":"own","protocol_version":"2025-11-25",`+server+`}`))
		Expect(err).NotTo(HaveOccurred())
		return matrix.Evaluate(matrix.Input{Capture: c.Capture(), Hosts: []*capabilities.Resolved{host}, Shapes: shapes,
			Validators: validators.NewCache(), Workers: 1})[0].Cells
	}
	const app = `"tools":[{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://a"}}}]`

	It("says what becomes of an MCP App", func() {
		Expect(cells(`"view.apps":[{"value":{"shown":true},"evidence":["e"]}]`, app)[0].App).To(Equal("shown"))
		Expect(cells(`"view.apps":[{"value":{"shown":false},"evidence":["e"]}]`, app)[0].App).To(Equal("lost"))
		Expect(cells(`"list.pages":[{"value":{"follow":"all"},"evidence":["e"]}]`, app)[0].App).To(BeEmpty())
	})

	It("may refuse the answer to the handshake", func() {
		hello := func(result string) string {
			return `"recording":[{"format":"conform-recording/1","target":{"name":"s","transport":"stdio"},"handshakes":[{"session":"a","requested":"2025-11-25","transport":"stdio"}]},` +
				`{"session":"a","from":"client","kind":"message","text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}"},` +
				`{"session":"a","from":"server","kind":"message","text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":` + result + `}"}]`
		}
		claims := `"connect.handshake":[{"value":{"tries":[{"method":"initialize","version":"2025-11-25"}]},"evidence":["e"]}],"connect.shape":[{"value":{"shape":"ts-sdk-1.23"},"evidence":["e"]}]`
		got := cells(claims, hello(`{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}`))
		Expect(got[0].Verdict).To(Equal(verdict.Breaks))
		Expect(got[0].Findings[0].Rule).To(Equal("handshake-failed"))
		got = cells(claims, hello(`{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}`))
		Expect(got[0].Verdict).NotTo(Equal(verdict.Breaks))
	})
})
