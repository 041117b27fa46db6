package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

// BenchmarkRun looks at as many tools as the largest server that is known has, each
// with one result.
func BenchmarkRun(bench *testing.B) {
	const count = 2900
	var tools []string
	var calls []*recording.Call
	for i := range count {
		name := fmt.Sprintf("tool_%d", i)
		tools = append(tools, `{"name":"`+name+`","description":"Lists sites.","inputSchema":{"type":"object","properties":{"region":{"type":"string","description":"Region."}},"required":["region"]},
			"outputSchema":{"type":"object","properties":{"sites":{"type":"array","description":"Sites.","items":{"type":"object","properties":{"name":{"type":"string","description":"Name."}}}}},"required":["sites"]}}`)
		calls = append(calls, called(name, `{"region":"north"}`, `{"content":[{"type":"text","text":"Kiel and Hamburg"}],"structuredContent":{"sites":[{"name":"Kiel"},{"name":"Hamburg"}]}}`))
	}
	c := capture(session(d, strings.Join(tools, ","), calls...))
	for bench.Loop() {
		lint.Run(c, lint.Input{})
	}
}
