package main

import (
	"fmt"
	"slices"
	"strings"
)

// property is a drawn schema of one member with values that fit and that don't.
type property struct{ name, schema, fits, not string }

// kinds are schemas with a value that fits and one that does not, as draft 2020-12 reads it.
var kinds = [][3]string{
	{`{"type": "string"}`, `"z"`, `3`},
	{`{"type": "string", "minLength": 2}`, `"🚢x"`, `"🚢"`},
	{`{"type": "string", "maxLength": 2}`, `"ab"`, `"abc"`},
	{`{"type": "string", "pattern": "^\\d+$"}`, `"12"`, `"x"`},
	{`{"type": "string", "pattern": "^\\p{L}+$"}`, `"é"`, `"1"`},
	{`{"type": "string", "format": "date"}`, `"2026-02-28"`, `"2026-02-30"`},
	{`{"type": "string", "format": "email"}`, `"a@b.ch"`, `"a b"`},
	{`{"type": "string", "format": "ipv4"}`, `"127.0.0.1"`, `"127.0.0.256"`},
	{`{"type": "string", "format": "made-up"}`, `"x"`, `1`},
	{`{"type": "number"}`, `1.5`, `"1.5"`},
	{`{"type": "number", "multipleOf": 0.1}`, `0.3`, `0.35`},
	{`{"type": "number", "exclusiveMinimum": 1, "maximum": 3}`, `3`, `1`},
	{`{"type": "integer"}`, `1.0`, `1.5`},
	{`{"type": "integer", "minimum": 2}`, `2`, `1`},
	{`{"type": "integer"}`, `12345678901234567890`, `"7"`},
	{`{"type": "boolean"}`, `false`, `"true"`},
	{`{"type": "null"}`, `null`, `0`},
	{`{"type": ["string", "null"]}`, `null`, `{}`},
	{`{"type": ["integer", "boolean"], "default": 1}`, `true`, `null`},
	{`{"type": "string", "nullable": true}`, `"z"`, `null`},
	{`{"enum": ["a", 1, null]}`, `1`, `"1"`},
	{`{"type": "string", "enum": ["a", "b", ""]}`, `""`, `"c"`},
	{`{"const": {"k": 1}}`, `{"k": 1.0}`, `{"k": 2}`},
	{`{"type": "array", "items": {"type": "integer"}}`, `[1, 2]`, `[1, "2"]`},
	{`{"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": true}`, `[1, 2]`, `[1, 1]`},
	{`{"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": false}`, `["a", 1]`, `["a", 1, 2]`},
	{`{"type": "array", "items": [{"type": "string"}], "additionalItems": false}`, `["a"]`, `["a", 1]`},
	{`{"type": "array", "contains": {"const": 1}}`, `[2, 1]`, `[2]`},
	{`{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}`, `{"n": 1}`, `{}`},
	{`{"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": false}`, `{"n": 1}`, `{"m": 1}`},
	{`{"type": "object", "additionalProperties": {"type": "number"}}`, `{"é": 1}`, `{"é": "1"}`},
	{`{"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "propertyNames": {"maxLength": 3}}`, `{"x-a": "1"}`, `{"x-a": 1}`},
	{`{"type": "object", "minProperties": 1}`, `{"a": 1}`, `{}`},
	{`{"anyOf": [{"type": "string"}, {"type": "integer"}]}`, `7`, `7.5`},
	{`{"oneOf": [{"type": "object", "properties": {"k": {"const": "a"}}, "required": ["k"]}, {"type": "object", "properties": {"k": {"const": "b"}, "v": {"type": "number"}}, "required": ["k", "v"]}]}`, `{"k": "b", "v": 1}`, `{"k": "b"}`},
	{`{"allOf": [{"type": "object", "properties": {"p": {"type": "string"}}}, {"required": ["p"]}]}`, `{"p": "1"}`, `{}`},
	{`{"not": {"type": "string"}}`, `1`, `"1"`},
	{`{"$ref": "#/$defs/D"}`, `{"d": "x"}`, `{"d": 1}`},
	{`{"$ref": "#/$defs/D", "description": "beside"}`, `{"d": "x"}`, `[]`},
	{`{"$ref": "#/$defs/T"}`, `{"v": 1, "next": {"v": 2}}`, `{"v": 1, "next": {}}`},
	{`{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "number"}}`, `1`, `""`},
	{`{"type": "string", "contentEncoding": "base64", "deprecated": true, "readOnly": true}`, `"eA=="`, `1`},
	{`{}`, `[null]`, `[null]`},
	{`true`, `"any"`, `"any"`},
}

const defs = `"$defs": {"D": {"type": "object", "properties": {"d": {"type": "string"}}}, "T": {"type": "object", "properties": {"v": {"type": "number"}, "next": {"$ref": "#/$defs/T"}}, "required": ["v"]}}`

func (d drawer) properties() []property {
	var out []property
	for range 1 + d.IntN(3) {
		name := d.one("a", "kind", "node", "q", "c d", "ünï", "10", "a.b", "limit", "B")
		if slices.ContainsFunc(out, func(p property) bool { return p.name == name }) {
			continue
		}
		k := kinds[d.IntN(len(kinds))]
		schema := k[0]
		if d.chance(30) && strings.HasPrefix(schema, `{"type"`) {
			schema = strings.TrimSuffix(schema, "}") + d.optional(50, `"description": `+quote(d.words()), `"title": "A title"`, `"default": `+k[1], `"examples": [`+k[1]+`]`, `"x-more": {"k": 1}`) + "}"
		}
		out = append(out, property{name, schema, k[1], k[2]})
	}
	return out
}

// object writes the schema of an object with properties.
func (d drawer) schemaOf(properties []property) string {
	var members, required []string
	for _, p := range properties {
		members = append(members, quote(p.name)+": "+p.schema)
		if d.chance(50) {
			required = append(required, quote(p.name))
		}
	}
	text := `{"type": "object", "properties": {` + strings.Join(members, ", ") + "}"
	if len(required) > 0 {
		text += `, "required": [` + strings.Join(required, ", ") + "]"
	}
	if strings.Contains(text, "#/$defs/") {
		text += ", " + defs
	}
	return text + d.optional(15, `"additionalProperties": `+d.one("false", "true", `{"type": "string"}`), `"$schema": `+quote(d.one("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema")),
		`"title": "Root"`, `"description": "root"`) + "}"
}

// instance writes an object that fits, mostly, or with one member that does not, is
// missing or is of no schema.
func (d drawer) instance(properties []property) string {
	wrong := -1
	if d.chance(40) {
		wrong = d.IntN(len(properties))
	}
	var members []string
	for i, p := range properties {
		switch {
		case i == wrong && d.chance(30): // left out
		case i == wrong:
			members = append(members, quote(p.name)+": "+p.not)
		default:
			members = append(members, quote(p.name)+": "+p.fits)
		}
	}
	if d.chance(12) {
		members = append(members, `"more": 1`)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// output draws a tool with an outputSchema and a result.
func (d drawer) output() string {
	properties := d.properties()
	structured := d.instance(properties)
	content := d.one("", d.block(), fmt.Sprintf(`{"type": "text", "text": %s}`, quote(structured)))
	result := fmt.Sprintf(`{"content": [%s]%s%s}`, content, d.optional(88, `"structuredContent": `+structured), d.optional(12, `"isError": true`, `"_meta": {}`))
	return fmt.Sprintf(`"tool": {"outputSchema": %s}, "result": %s`, d.schemaOf(properties), result)
}

// input draws a tool with an inputSchema and the arguments of its call.
func (d drawer) input() string {
	properties := d.properties()
	return fmt.Sprintf(`"tool": {"inputSchema": %s%s}, "arguments": %s`, d.schemaOf(properties),
		d.optional(12, `"title": "Tool title"`, `"annotations": {"readOnlyHint": true}`, `"annotations": {"title": "Hint", "destructiveHint": false}`, `"_meta": {"v/k": 1}`), d.instance(properties))
}

// definition draws a tool with something wrong in it by chance.
func (d drawer) definition() string {
	properties := d.properties()
	text := `{"inputSchema": ` + d.schemaOf(properties)
	if d.chance(50) {
		text += `, "outputSchema": ` + d.schemaOf(d.properties())
	}
	return d.wrong(text + d.optional(30, `"title": "Tool title"`, `"annotations": {"readOnlyHint": true}`, `"icons": [{"src": "https://e.com/i.png"}]`, `"execution": {"taskSupport": "optional"}`) + "}")
}
