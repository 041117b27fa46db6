package spec

import (
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	internalmeta "github.com/hostmatrix/conform/validators/internal/metaschemas"
)

var metaschemas = func() map[string]func() *jsonschema.Schema {
	compiled := make(map[string]func() *jsonschema.Schema)
	for name, d := range dialects {
		compiled[name] = sync.OnceValue(func() *jsonschema.Schema {
			c, url := newCompiler(d.draft, nil), d.meta
			if name == "draft-07" {
				url = addPublished(c, url)
			}
			return c.MustCompile(url)
		})
	}
	return compiled
}()

// addPublished adds the metaschema as json-schema.org publishes it. The library's own
// copy of draft-07 (v6.0.3) wants an enum to have members, all different, which the
// specification only recommends (validation, section 6.1.2).
func addPublished(c *jsonschema.Compiler, id string) (url string) {
	const published = "http://metaschema.invalid/draft-07"
	doc, ok := toAny(internalmeta.All()[id].Without("$id", "$schema"))
	if !ok {
		panic("spec: a published metaschema has a number out of hand")
	}
	if err := c.AddResource(published, doc); err != nil {
		panic(fmt.Sprintf("spec: adding a published metaschema: %v", err))
	}
	return published
}

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
		return []validators.Violation{{Message: "a number has an exponent beyond ±5000 or more than 20000 digits", Keyword: "type"}}
	}
	return resultOf(guarded(func() error { return meta().Validate(doc) })).Violations
}
