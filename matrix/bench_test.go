package matrix_test

import (
	"fmt"
	"testing"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
)

// everyHost resolves all rows of the built-in table.
func everyHost(tb testing.TB) ([]*capabilities.Resolved, *shape.Set) {
	tb.Helper()
	table, err := capabilities.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	shapes, err := shape.Load(capabilities.Shapes())
	if err != nil {
		tb.Fatal(err)
	}
	var hosts []*capabilities.Resolved
	for _, h := range table.Hosts() {
		r, err := table.Resolve(h.ID)
		if err != nil {
			tb.Fatal(err)
		}
		hosts = append(hosts, r)
	}
	return hosts, shapes
}

// bigCapture is a server with n tools of real-looking schemas and one result each.
func bigCapture(n int) *recording.Capture {
	s := &recording.Session{ID: "s", Requested: "2025-11-25", Negotiated: "2025-11-25", Era: recording.Legacy}
	var tools []*schema.Value
	for i := range n {
		tools = append(tools, schema.MustParse(fmt.Sprintf(`{"name":"tool_%d","description":"Looks up record %d.",
			"inputSchema":{"type":"object","properties":{"id":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20},
				"filter":{"anyOf":[{"type":"object","properties":{"field":{"type":"string"},"op":{"enum":["eq","ne","lt"]}},"required":["field"]},{"type":"null"}]}},"required":["id"]},
			"outputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^r[0-9]+$"},
				"at":{"type":"string","format":"date-time"},"tags":{"type":"array","items":{"type":"string"}},"size":{"type":["integer","null"]}},"required":["id","at"],"additionalProperties":false}},
				"next":{"type":"string"}},"required":["items"]}}`, i, i)))
		result := schema.MustParse(`{"content":[{"type":"text","text":"{\"items\":[{\"id\":\"r1\",\"at\":\"2026-01-02T03:04:05Z\",\"tags\":[\"a\"],\"size\":null}]}"}],
			"structuredContent":{"items":[{"id":"r1","at":"2026-01-02T03:04:05Z","tags":["a"],"size":null}]}}`)
		s.Calls = append(s.Calls, &recording.Call{Tool: fmt.Sprintf("tool_%d", i), Arguments: schema.MustParse(`{"id":"r1"}`), Result: result, Origin: recording.Real})
	}
	s.AddPage(recording.Page{Result: schema.Obj(schema.Member{Key: "tools", Value: schema.List(tools...)})})
	return &recording.Capture{Target: recording.Target{Name: "bench"}, Sessions: []*recording.Session{s}}
}

// BenchmarkEvaluate evaluates 300 tools with a result each in every row of the
// table; each schema is compiled once per profile.
func BenchmarkEvaluate(b *testing.B) {
	hosts, shapes := everyHost(b)
	capture := bigCapture(300)
	b.ReportAllocs()
	for b.Loop() {
		matrix.Evaluate(matrix.Input{Capture: capture, Hosts: hosts, Shapes: shapes, Validators: validators.NewCache()})
	}
	b.ReportMetric(float64(300*len(hosts)), "cells/op")
}
