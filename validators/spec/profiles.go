package spec

import (
	"fmt"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

const library = "the specification, read by santhosh-tekuri/jsonschema v6.0.3"

func init() {
	for _, p := range []struct {
		id, dialect, title, source string
		formats                    bool
	}{
		{"draft-07", "draft-07", "JSON Schema draft-07, format as annotation", "draft-handrews-json-schema-validation-01 section 7", false},
		{"draft-07-formats", "draft-07", "JSON Schema draft-07, format asserted", "draft-handrews-json-schema-validation-01 section 7", true},
		{"2020-12", "2020-12", "JSON Schema 2020-12, format as annotation", "draft-bhutton-json-schema-validation-01 section 7.2.1", false},
		{"2020-12-formats", "2020-12", "JSON Schema 2020-12, format asserted", "draft-bhutton-json-schema-validation-01 section 7.2.2", true},
	} {
		exact := ground.Alike | ground.Integer | ground.Line
		if !p.formats {
			exact |= ground.Format | ground.OtherFormat
		}
		if p.dialect == "draft-07" {
			exact |= ground.TupleTagged | ground.TupleUntagged
		} else {
			exact |= ground.TuplePrefix
		}
		validators.Register(validators.Profile{
			ID: p.id, Title: p.title, Library: library, Source: p.source, Ground: ground.All, Exact: exact,
			Compile: func(document *schema.Value) (validators.Validator, error) {
				return compile(p.dialect, p.formats, document)
			},
		})
	}
	validators.Register(validators.Profile{
		ID: "spec-dispatch", Title: "The dialect that $schema names, 2020-12 without it; format as annotation",
		Library: library, Source: "MCP 2025-11-25, basic: JSON Schema usage (SEP-1613)", Ground: ground.All,
		Exact: ground.Alike | ground.Integer | ground.Line | ground.Format | ground.OtherFormat | ground.TupleTagged | ground.TuplePrefix,
		Compile: func(document *schema.Value) (validators.Validator, error) {
			dialect, ok := DialectOf(document)
			if !ok {
				return nil, &validators.CompileError{Text: fmt.Sprintf(
					"$schema %s names no dialect of JSON Schema from draft-04 to 2020-12", document.Get("$schema").Compact())}
			}
			return compile(dialect, false, document)
		},
	})
}
