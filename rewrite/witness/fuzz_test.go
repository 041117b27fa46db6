package witness_test

import (
	"testing"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// FuzzSearch holds two promises on any schema: the search ends without a panic,
// and a witness is accepted by the dialect and not by the host.
func FuzzSearch(f *testing.F) {
	for _, text := range constructs {
		f.Add(property(text).Compact())
	}
	f.Add(`{"$ref":"#"}`)
	f.Add(`{"anyOf":[{"$ref":"#/anyOf/1"},{"$ref":"#/anyOf/0"}]}`)
	f.Add(`{"type":["object",5],"properties":[],"required":{},"items":null,"enum":{},"pattern":7}`)
	f.Fuzz(func(t *testing.T, text string) {
		document, err := schema.ParseString(text)
		if err != nil {
			t.Skip()
		}
		const profile = "ajv8-draft07-lax"
		answer := witness.Search(document, profile, witness.Options{Budget: 40, AnyRoot: true})
		for _, w := range answer.Witnesses {
			own, err := validators.Compile(answer.Dialect, document)
			if err != nil || own.Validate(w.Instance).Outcome != validators.Valid {
				t.Fatalf("the dialect does not accept %s", w.Instance.Compact())
			}
			if w.Outcome != validators.Invalid && w.Outcome != validators.Thrown {
				t.Fatalf("the host does not reject %s: %v", w.Instance.Compact(), w.Outcome)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	document := property(constructs[0])
	for b.Loop() {
		witness.Search(document, "ajv8-draft07-lax", witness.Options{})
	}
}
