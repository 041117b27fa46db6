package ajv_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/ajv"
)

// FuzzValidate holds every profile to its promise: no panic, errors of the two known
// kinds, an end in bounded time.
func FuzzValidate(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"],"unevaluatedProperties":false}`, `{"a":{"a":{}}}`},
		{`{"anyOf":[{"$ref":"#/$defs/A"},{"$dynamicRef":"#B"}],"$defs":{"A":{"$id":"x","$dynamicAnchor":"B"}}}`, `[1,"x",null]`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"items":{"$recursiveRef":"#"}}`, `[[[]]]`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"$ref":"#/definitions/a"}},"dependencies":{"x":["y"]}}`, `{"x":1}`},
		{`{"pattern":"^(a|b)*$","format":"uri","formatMinimum":"x","if":{"not":{}},"then":false}`, `"abab"`},
		{`{"patternProperties":{"^a":{"contains":{"const":[1,{"b":2}]}}},"propertyNames":{"maxLength":3}}`, `{"ab":[[1,{"b":2}]]}`},
		{`{"$id":"http://u@h:80/%7Ea/../b?q#f","$ref":"//x/y","properties":{"__proto__":null}}`, `{"__proto__":1}`},
	} {
		f.Add(seed[0], seed[1])
	}
	profiles := []string{"ajv8-draft07-lax", "ajv8-draft07-noformats", "ajv8-dispatch", "ajv8-2020-only", "ajv8-strict", "ajv6"}
	f.Fuzz(func(t *testing.T, document, instance string) {
		s, err := schema.Parse([]byte(document), schema.Limits{Depth: 500, Bytes: 1 << 14})
		if err != nil {
			t.Skip()
		}
		i, err := schema.Parse([]byte(instance), schema.Limits{Depth: 500, Bytes: 1 << 14})
		if err != nil {
			t.Skip()
		}
		for _, id := range profiles {
			start := time.Now()
			v, err := validators.Compile(id, s)
			var refused *validators.CompileError
			var unknown *validators.UnknownError
			switch {
			case err == nil:
				if r := v.Validate(i); r.Outcome == validators.Invalid && len(r.Violations) == 0 {
					t.Errorf("%s: invalid without a violation: %s", id, r.Text)
				}
			case !errors.As(err, &refused) && !errors.As(err, &unknown):
				t.Errorf("%s: an error of no known kind: %v", id, err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s took %v", id, took)
			}
		}
	})
}
