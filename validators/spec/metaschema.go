package spec

import (
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

var metaschemas = func() map[string]func() *jsonschema.Schema {
	compiled := make(map[string]func() *jsonschema.Schema)
	for name, d := range dialects {
		compiled[name] = sync.OnceValue(func() *jsonschema.Schema {
			return newCompiler(d.draft).MustCompile(d.meta)
		})
	}
	return compiled
}()

// Metaschema returns what makes the document no schema of the dialect
// (draft-04, draft-06, draft-07, 2019-09, 2020-12), or nothing. It looks at the
// document as it is: neither $schema nor references are followed. In a violation
// Instance is the place in the document and Schema the place in the metaschema.
// An unknown dialect is a programming error and panics.
func Metaschema(dialect string, document *schema.Value) []validators.Violation {
	meta, ok := metaschemas[dialect]
	if !ok {
		panic(fmt.Sprintf("spec.Metaschema: no dialect %q; known are %v", dialect, Dialects))
	}
	doc, ok := toAny(document)
	if !ok {
		return []validators.Violation{{Message: "a number has an exponent beyond ±5000", Keyword: "type"}}
	}
	return resultOf(guarded(func() error { return meta().Validate(doc) })).Violations
}
