package pyjsonschema_test

import (
	"strings"
	"testing"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

const benchSchema = `{"type":"object","properties":{"id":{"type":"string","format":"uuid"},"tags":{"type":"array","items":{"type":"string","minLength":1}},
"owner":{"anyOf":[{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer","minimum":0}},"required":["name"],"additionalProperties":false},{"type":"null"}]}},
"required":["id","tags"],"additionalProperties":false}`

const benchInstance = `{"id":"7f9c24e5-2b1a-4c3d-8e5f-6a7b8c9d0e1f","tags":["a","b","c"],"owner":{"name":"n","age":3}}`

func BenchmarkCompile(b *testing.B) {
	document := schema.MustParse(benchSchema)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := validators.Compile("python-jsonschema", document); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	v, err := validators.Compile("python-jsonschema", schema.MustParse(benchSchema))
	if err != nil {
		b.Fatal(err)
	}
	instance := schema.MustParse(benchInstance)
	b.ReportAllocs()
	for b.Loop() {
		if r := v.Validate(instance); r.Outcome != validators.Valid {
			b.Fatal(r.Text)
		}
	}
}

// BenchmarkWideSchema compiles ten thousand branches.
func BenchmarkWideSchema(b *testing.B) {
	document := schema.MustParse(`{"anyOf":[` + strings.Repeat(`{"minLength":2},`, 10_000) + `{"type":"null"}]}`)
	for b.Loop() {
		if _, err := validators.Compile("python-jsonschema", document); err != nil {
			b.Fatal(err)
		}
	}
}
