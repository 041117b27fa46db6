// Package fuzzing holds the fuzz target that the engines share.
package fuzzing

import (
	"testing"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// maxText bounds a drawn document in bytes: longer ones only make the search slower.
const maxText = 4096

// Validate asks the profiles about drawn schemas and instances: whatever stands in
// them, there is an answer, and it has words unless it is valid. Each of checks is
// called for every pair as well.
func Validate(f *testing.F, profiles []string, checks ...func(t *testing.T, document, instance *schema.Value)) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"minLength":1,"pattern":"^a"}},"unevaluatedProperties":false}`, `{"a":"b","c":1}`},
		{`{"$id":"https://x.test/a","anyOf":[{"$anchor":"q","items":{"$ref":"#q"}},{"$dynamicRef":"#q"}],"multipleOf":0.1}`, `[[1e400],{"__proto__":null}]`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"additionalItems":false,"dependencies":{"a":["b"]},"format":"date-time"}`, `"2024-01-01T00:00:00Z"`},
		{`{"required":true,"enum":5,"allOf":{},"properties":[],"$ref":7,"minLength":"1"}`, `{"\ud800":-0.0}`},
		{`{"oneOf":[{"not":{}},true,{"if":{},"then":{"$ref":"#"}}]}`, `"x"`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, schemaText, instanceText string) {
		if len(schemaText) > maxText || len(instanceText) > maxText {
			return
		}
		document, err := schema.ParseString(schemaText)
		if err != nil {
			return
		}
		instance, err := schema.ParseString(instanceText)
		if err != nil {
			return
		}
		for _, check := range checks {
			check(t, document, instance)
		}
		for _, profile := range profiles {
			p, ok := validators.Lookup(profile)
			if !ok {
				t.Fatalf("no profile %q", profile)
			}
			v, err := p.Compile(document)
			if err != nil {
				continue
			}
			r := v.Validate(instance)
			if (r.Text == "") != (r.Outcome == validators.Valid) && !(r.Outcome == validators.Invalid && len(r.Violations) > 0) {
				t.Errorf("%s: outcome %v with text %q", profile, r.Outcome, r.Text)
			}
		}
	})
}
