package capabilities

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// JSONSchema returns the JSON Schema (2020-12) of a capability file, made from
// the Go types that decode it, so that the two cannot differ. It is kept beside
// the files as host.schema.json for editors and other programs.
func JSONSchema() []byte {
	g := schemaMaker{defs: map[string]any{}}
	host := g.object(reflect.TypeFor[Host]())
	properties := host["properties"].(map[string]any)
	properties["format"] = map[string]any{"const": Format}
	properties["kind"] = map[string]any{"enum": []string{"host", "framework", "sdk", "api", "spec"}}
	host["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	host["title"] = "conform capability file"
	host["$defs"] = g.defs
	claims := map[string]any{}
	for _, key := range ClaimKeys() {
		claim := g.object(reflect.TypeFor[Claim]())
		claim["properties"].(map[string]any)["value"] = g.of(reflect.TypeOf(claimTypes[key]()).Elem())
		claims[key] = map[string]any{"type": "array", "items": claim}
	}
	g.defs["Claims"] = map[string]any{"type": "object", "properties": claims, "additionalProperties": false}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(host); err != nil {
		panic(err) // maps of strings encode
	}
	return b.Bytes()
}

type schemaMaker struct{ defs map[string]any }

// of returns the schema of a Go type; structs become definitions.
func (g schemaMaker) of(t reflect.Type) any {
	switch t {
	case reflect.TypeFor[Op]():
		return map[string]any{"type": "object", "properties": map[string]any{"op": map[string]any{"type": "string"}}, "required": []string{"op"}}
	case reflect.TypeFor[Basis]():
		return map[string]any{"enum": []Basis{Observed, Source, Documented, Reported, Inferred}}
	case reflect.TypeFor[json.RawMessage]():
		return true
	case reflect.TypeFor[map[string][]Claim]():
		return map[string]any{"$ref": "#/$defs/Claims"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())}
	}
	if _, made := g.defs[t.Name()]; !made {
		g.defs[t.Name()] = true // ends recursion
		g.defs[t.Name()] = g.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

// object returns the schema of a struct: every JSON field, nothing else, those
// without omitempty required.
func (g schemaMaker) object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		properties[name] = g.of(f.Type)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
