package lint_test

import (
	"context"
	"net/http"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/wire"
)

// A server that this project did not write: what it breaks is known, and nothing
// else may be said about it.
var _ = Describe("the Go SDK's server", func() {
	type arguments struct {
		Region string `json:"region,omitempty" jsonschema:"Region to look in"`
	}
	type answer struct {
		Sites []string `json:"sites" jsonschema:"Its sites"`
	}

	look := func(stateless bool) []string {
		server := mcp.NewServer(&mcp.Implementation{Name: "sites", Version: "1.0.0"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "sites", Description: "Lists sites.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(context.Context, *mcp.CallToolRequest, arguments) (*mcp.CallToolResult, answer, error) {
				return nil, answer{[]string{"Kiel"}}, nil
			})
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
		host := httptest.NewServer(handler)
		defer host.Close()
		_, result := look(wire.Target{URL: host.URL}, handshakes)
		var out []string
		seen := map[string]bool{}
		for _, a := range result.Advice {
			if a.Severity != verdict.Info && !seen[a.Rule] {
				seen[a.Rule] = true
				out = append(out, a.Rule)
			}
		}
		return out
	}

	It("leaks fields of new revisions into old ones, takes requests of any page and reads no base64", func() {
		Expect(look(true)).To(ConsistOf("http-origin", "http-header-refused", "http-stream-buffering", "era-structured", "era-modern-fields", "log-level"))
	})

	It("is taken for a legacy one when it lists no modern revision", func() {
		Expect(look(false)).To(ConsistOf("http-origin", "http-session-required", "era-structured", "era-modern-fields", "log-level"))
	})
})

var _ = Describe("the findings of a protocol row", func() {
	It("are those of the revision's sessions, by tool", func() {
		c := capture(session(d, tool(`"description":"T.","outputSchema":{"type":"array"}`)), session(e, tool(`"description":"T.","outputSchema":true`)))
		found, _ := lint.SpecFindings(c, d, lint.Until{})
		Expect(found["t"]).To(ConsistOf(And(HaveField("Rule", "output-root"), HaveField("Severity", verdict.Error), HaveField("Stage", verdict.List), HaveField("SchemaPointer", "/outputSchema/type"))))
		found, _ = lint.SpecFindings(c, e, lint.Until{})
		Expect(found["t"]).To(ConsistOf(HaveField("SchemaPointer", "/outputSchema")))
		found, _ = lint.SpecFindings(c, a, lint.Until{})
		Expect(found).To(BeEmpty())
	})

	It("have no quality in them", func() {
		found, _ := lint.SpecFindings(list(d, tool(`"title":"T"`)), d, lint.Until{})
		Expect(found).To(BeEmpty())
	})
})
