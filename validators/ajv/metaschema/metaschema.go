// Package metaschema holds the JSON Schema metaschemas that Ajv 8 registers in
// its instances, as published at json-schema.org.
package metaschema

import (
	"embed"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

//go:embed draft-07.json 2019-09/*.json 2020-12/*.json
var files embed.FS

// The files in the order in which the library adds them: the first that refers to
// a sibling finds it although it comes later, the order only decides what clashes.
var names = map[string][]string{
	"draft-07": {"draft-07.json"},
	"2019-09": {"2019-09/schema.json", "2019-09/applicator.json", "2019-09/content.json",
		"2019-09/core.json", "2019-09/format.json", "2019-09/meta-data.json", "2019-09/validation.json"},
	"2020-12": {"2020-12/schema.json", "2020-12/applicator.json", "2020-12/unevaluated.json",
		"2020-12/content.json", "2020-12/core.json", "2020-12/format-annotation.json",
		"2020-12/meta-data.json", "2020-12/validation.json"},
}

var load = sync.OnceValue(func() map[string][]*schema.Value {
	out := map[string][]*schema.Value{}
	for dialect, paths := range names {
		for _, path := range paths {
			text, err := files.ReadFile(path)
			if err != nil {
				panic("metaschema: " + err.Error())
			}
			out[dialect] = append(out[dialect], schema.MustParse(string(text)))
		}
	}
	return out
})

// Documents returns the metaschemas of a dialect (draft-07, 2019-09, 2020-12),
// the main one first; nil for another name. Callers must not change them.
func Documents(dialect string) []*schema.Value { return load()[dialect] }
