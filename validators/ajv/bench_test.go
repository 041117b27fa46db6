package ajv_test

import (
	"fmt"
	"testing"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// toolSchemas are output schemas in the manner of the common generators: objects of
// scalars, nullable unions, arrays of referenced objects, a tagged union.
func toolSchemas(n int) (documents, instances []*schema.Value) {
	for i := 0; i < n; i++ {
		documents = append(documents, schema.MustParse(fmt.Sprintf(`{
			"type":"object","additionalProperties":false,"required":["id","items","when"],
			"properties":{
				"id":{"type":"string","minLength":1,"pattern":"^[a-z]+-%d$"},
				"when":{"type":"string","format":"date-time"},
				"note":{"anyOf":[{"type":"string"},{"type":"null"}]},
				"total":{"type":"number","minimum":0,"multipleOf":0.5},
				"items":{"type":"array","maxItems":50,"items":{"$ref":"#/$defs/Item"}},
				"shape":{"oneOf":[
					{"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
					{"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"integer"}},"required":["kind","w"]}]}},
			"$defs":{"Item":{"type":"object","required":["name","children"],"properties":{
				"name":{"type":"string","maxLength":80},
				"tags":{"type":"array","items":{"enum":["a","b","c"]},"uniqueItems":true},
				"children":{"type":"array","items":{"$ref":"#/$defs/Item"}}}}}}`, i)))
		instances = append(instances, schema.MustParse(fmt.Sprintf(`{"id":"tool-%d","when":"2024-05-06T07:08:09Z","note":null,"total":12.5,
			"items":[{"name":"x","tags":["a","b"],"children":[{"name":"y","children":[]}]},{"name":"z","children":[]}],
			"shape":{"kind":"box","w":3}}`, i)))
	}
	return documents, instances
}

var benchProfiles = []string{"ajv8-draft07-lax", "ajv8-dispatch", "ajv8-draft07-noformats", "ajv6"}

// BenchmarkCompile compiles 300 schemas per round.
func BenchmarkCompile(b *testing.B) {
	documents, _ := toolSchemas(300)
	for _, id := range benchProfiles {
		b.Run(id, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, document := range documents {
					if _, err := validators.Compile(id, document); err != nil && id != "ajv6" {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkValidate validates one result against each of 300 compiled schemas.
func BenchmarkValidate(b *testing.B) {
	documents, instances := toolSchemas(300)
	for _, id := range benchProfiles {
		b.Run(id, func(b *testing.B) {
			compiled := make([]validators.Validator, len(documents))
			for i, document := range documents {
				v, err := validators.Compile(id, document)
				if err != nil {
					b.Fatal(err)
				}
				compiled[i] = v
			}
			b.ReportAllocs()
			for b.Loop() {
				for i, v := range compiled {
					if r := v.Validate(instances[i]); r.Outcome != validators.Valid {
						b.Fatal(r.Text)
					}
				}
			}
		})
	}
}
