package rewrite_test

import (
	"testing"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/schema"
)

// FuzzApply holds three promises on any schema or tool: every rewrite ends without
// a panic, leaves its argument alone, and gives JSON.
func FuzzApply(f *testing.F) {
	for _, document := range everything() {
		f.Add(document.Compact())
	}
	f.Add(`{"$ref":"#"}`)
	f.Add(`{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}},"$ref":"#/$defs/A"}`)
	f.Add(`{"type":7,"properties":[],"required":{},"items":null,"enum":{},"pattern":7,"allOf":{},"prefixItems":5}`)
	f.Add(`{"name":"a b","description":null,"annotations":{"x":null},"inputSchema":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		document, err := schema.ParseString(text)
		if err != nil || document.Kind != schema.Object {
			t.Skip()
		}
		before := document.Compact()
		for _, r := range rewrite.Rewrites() {
			out, changed := r.Apply(document)
			if document.Compact() != before {
				t.Fatalf("%s changed its argument", r.Name)
			}
			if !changed {
				continue
			}
			if _, err := schema.ParseString(out.Compact()); err != nil {
				t.Fatalf("%s wrote no JSON: %v", r.Name, err)
			}
		}
	})
}
