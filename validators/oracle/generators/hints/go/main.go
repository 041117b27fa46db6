// Command hints does what the hints of `conform fix` ask of an author with the real
// Go libraries (google/jsonschema-go, which the MCP SDK uses, and
// invopop/jsonschema): the schema before and after the change in the source, one
// JSON line each.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	google "github.com/google/jsonschema-go/jsonschema"
	invopop "github.com/invopop/jsonschema"
)

type line struct {
	Generator string `json:"generator"`
	Version   string `json:"version"`
	Rewrite   string `json:"rewrite"`
	Change    string `json:"change"`
	Before    any    `json:"before"`
	After     any    `json:"after"`
}

const (
	googleVersion  = "google/jsonschema-go 0.4.3"
	invopopVersion = "invopop/jsonschema 0.13.0"
)

func main() {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, l := range lines() {
		l.Generator = "go-jsonschema"
		if err := out.Encode(l); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func of[T any]() any {
	s, err := google.For[T](nil)
	if err != nil {
		return err.Error()
	}
	return s
}

func reflected[T any](r invopop.Reflector) any { return r.ReflectFromType(reflect.TypeFor[T]()) }

type any1 struct {
	V any `json:"v"`
}
type anyDescribed struct {
	V any `json:"v" jsonschema:"anything"`
}
type slice struct {
	V []string `json:"v"`
}
type pair struct {
	V []float64 `json:"v"`
}
type point struct {
	X float64 `json:"x"`
}
type segment struct {
	A point `json:"a"`
	B point `json:"b"`
}
type wrapped struct {
	Result []string `json:"result"`
}

// tuple is the hand-written schema that the hint speaks about.
func tuple(closed bool) any {
	v := &google.Schema{Type: "array", PrefixItems: []*google.Schema{{Type: "number"}, {Type: "string"}}, MinItems: new(2), MaxItems: new(2)}
	if closed {
		v.Items = &google.Schema{Not: &google.Schema{}}
	}
	return &google.Schema{Type: "object", Properties: map[string]*google.Schema{"v": v}}
}

func list() any {
	s, _ := google.For[pair](nil)
	s.Properties["v"].MinItems, s.Properties["v"].MaxItems = new(2), new(2)
	return s
}

func open() any {
	s, _ := google.For[point](nil)
	s.AdditionalProperties = nil
	return s
}

func notNull() any {
	s, _ := google.For[slice](nil)
	s.Properties["v"].Types, s.Properties["v"].Type = nil, "array"
	return s
}

func lines() []line {
	return []line{
		{Version: googleVersion, Rewrite: "tuple-open-tail", Change: "Items left nil in place of &jsonschema.Schema{Not: &jsonschema.Schema{}}", Before: tuple(true), After: tuple(false)},
		{Version: googleVersion, Rewrite: "tuple-union-items", Change: "a slice of one type with MinItems and MaxItems", Before: tuple(false), After: list()},
		{Version: googleVersion, Rewrite: "boolean-subschemas", Change: "a jsonschema description tag on the interface{} field", Before: of[any1](), After: of[anyDescribed]()},
		{Version: googleVersion, Rewrite: "object-open", Change: "AdditionalProperties set to nil", Before: of[point](), After: open()},
		{Version: googleVersion, Rewrite: "type-list-as-any-of", Change: "Types set to nil and Type to array on the slice's schema", Before: of[slice](), After: notNull()},
		{Version: googleVersion, Rewrite: "root-wrap-object", Change: "a struct with one field in place of a slice", Before: of[[]string](), After: of[wrapped]()},
		{Version: invopopVersion, Rewrite: "inline-refs", Change: "Reflector{DoNotReference: true}", Before: reflected[segment](invopop.Reflector{}), After: reflected[segment](invopop.Reflector{DoNotReference: true})},
		{Version: invopopVersion, Rewrite: "object-open", Change: "Reflector{AllowAdditionalProperties: true}", Before: reflected[point](invopop.Reflector{DoNotReference: true}), After: reflected[point](invopop.Reflector{DoNotReference: true, AllowAdditionalProperties: true})},
		{Version: invopopVersion, Rewrite: "boolean-subschemas", Change: "a jsonschema:\"description=…\" tag", Before: reflected[any1](invopop.Reflector{DoNotReference: true}), After: reflected[struct {
			V any `json:"v" jsonschema:"description=anything"`
		}](invopop.Reflector{DoNotReference: true})},
	}
}
