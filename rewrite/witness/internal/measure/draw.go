package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// dice draws schemas that try to be proven alike and are not: mostly keywords that
// every library knows, beside members, names and values on which some stumble.
type dice struct {
	*rand.Rand
	tag  string // $schema with a comma, or ""
	defs []string
}

func newDice(seed, n uint64) *dice {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, n))}
	d.tag = d.pick("", "", "", `"$schema":"http://json-schema.org/draft-07/schema#",`, `"$schema":"https://json-schema.org/draft/2020-12/schema",`,
		`"$schema":"http://json-schema.org/draft-07/schema",`, `"$schema":"https://json-schema.org/draft/2019-09/schema",`)
	if d.IntN(3) == 0 {
		d.defs = []string{"A", "B", "a b", "items", "é"}[:1+d.IntN(5)]
	}
	return d
}

func (d *dice) pick(options ...string) string { return options[d.IntN(len(options))] }

// rarely is true about once in n.
func (d *dice) rarely(n int) bool { return d.IntN(n) == 0 }

func (d *dice) document() *schema.Value {
	text := strings.TrimPrefix(d.object(4), "{")
	var defs []string
	for _, name := range d.defs {
		defs = append(defs, fmt.Sprintf("%q:%s", name, d.schema(2)))
	}
	head := "{" + d.tag
	if defs != nil {
		head += fmt.Sprintf("%q:{%s},", d.pick("$defs", "$defs", "definitions"), strings.Join(defs, ","))
	}
	return schema.MustParse(head + text)
}

// names of members: common ones, and words that mean something to a library.
var names = []string{"a", "b", "c", "id", "type", "items", "default", "enum", "const", "required", "properties", "format", "$ref", "definitions", "x-1", "a b", "é", "a/b", "a~b", "0", "length", "nullable"}

func (d *dice) name() string {
	if d.rarely(40) {
		return d.pick("toString", "__proto__", "constructor", "", "%41", "😀", "valueOf")
	}
	return names[d.IntN(len(names))]
}

func (d *dice) object(depth int) string {
	var properties, required []string
	seen := map[string]bool{}
	for range 1 + d.IntN(3) {
		name := d.name()
		if seen[name] {
			continue
		}
		seen[name] = true
		properties = append(properties, fmt.Sprintf("%q:%s", name, d.schema(depth-1)))
		if d.IntN(3) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	if d.rarely(8) {
		required = append(required, fmt.Sprintf("%q", d.name()+"2"))
	}
	out := `{` + d.pick(`"type":"object",`, `"type":"object",`, `"type":["object","null"],`, "") + `"properties":{` + strings.Join(properties, ",") + `}`
	if required != nil || d.rarely(6) {
		out += `,"required":[` + strings.Join(required, ",") + `]`
	}
	if d.IntN(3) == 0 {
		out += d.pick(`,"additionalProperties":false`, `,"additionalProperties":`+d.schema(depth-2), `,"maxProperties":2`, `,"minProperties":1`, `,"minProperties":0`,
			`,"propertyNames":{"pattern":"^[a-z]"}`, `,"propertyNames":{"maxLength":2}`, `,"propertyNames":false`)
	}
	if d.rarely(20) {
		out += d.pick(`,"patternProperties":{"^a":{"type":"string"}}`, `,"dependentRequired":{"a":["b"]}`, `,"dependencies":{"a":["b"]}`, `,"unevaluatedProperties":false`,
			`,"dependentSchemas":{"a":{"required":["b"]}}`, `,"required":["a","a"]`, `,"minProperties":1.0`)
	}
	return out + d.note() + `}`
}

// note is something that no library should mind.
func (d *dice) note() string {
	if !d.rarely(5) {
		return ""
	}
	return d.pick(`,"title":"t"`, `,"description":"d"`, `,"$comment":"c"`, `,"examples":[{"a":1},null]`, `,"default":null`, `,"default":{"b":[1]}`, `,"default":"x"`,
		`,"deprecated":true`, `,"readOnly":false`, `,"x-order":3`, `,"x-a":null`, `,"examples":[]`, `,"default":{"$ref":"#/nowhere"}`, `,"examples":[{"$id":"x"}]`,
		`,"x-m":{"$ref":"#/nowhere"}`, `,"nullable":true`, `,"contentEncoding":"base64"`, `,"widget":"w"`, `,"$anchor":"t"`)
}

func (d *dice) schema(depth int) string {
	if depth <= 0 || d.rarely(3) {
		return d.scalar()
	}
	switch d.IntN(11) {
	case 0, 1:
		return d.object(depth)
	case 2, 3:
		return d.array(depth)
	case 4:
		return `{"anyOf":` + d.several(depth) + d.note() + `}`
	case 5:
		return `{"oneOf":` + d.several(depth) + d.note() + `}`
	case 6:
		return `{"allOf":` + d.several(depth) + d.note() + `}`
	case 7:
		return `{"not":` + d.schema(depth-1) + `}`
	case 8:
		return `{"if":` + d.schema(depth-1) + d.pick(`,"then":`, `,"else":`, `,"then":true,"else":`) + d.schema(depth-1) + `}`
	}
	if d.defs == nil {
		return d.scalar()
	}
	return d.reference()
}

func (d *dice) several(depth int) string {
	out := "[" + d.schema(depth-1)
	for range d.IntN(3) {
		out += "," + d.schema(depth-1)
	}
	return out + "]"
}

func (d *dice) reference() string {
	name := strings.NewReplacer(" ", d.pick("%20", " ")).Replace(d.defs[d.IntN(len(d.defs))])
	ref := d.pick("#/$defs/", "#/$defs/", "#/definitions/") + name
	if d.rarely(12) {
		ref = d.pick("#", "#/properties/a", "#/properties/b/items", "#t", "")
	}
	return fmt.Sprintf(`{"$ref":%q%s}`, ref, d.pick("", "", "", `,"description":"d"`, `,"default":1`, `,"type":"string"`, `,"maxLength":1`, `,"minimum":2`, `,"$defs":{}`))
}

func (d *dice) array(depth int) string {
	item := d.schema(depth - 1)
	bounds := d.pick("", "", `,"minItems":1`, `,"maxItems":2`, `,"minItems":0`, `,"uniqueItems":true`, `,"uniqueItems":false`)
	switch d.IntN(8) {
	case 0:
		return fmt.Sprintf(`{"type":"array","prefixItems":[%s,%s]%s%s}`, item, d.scalar(), d.pick("", `,"items":false`, `,"items":`+d.scalar(), `,"items":true`), bounds)
	case 1:
		return fmt.Sprintf(`{%s"items":[%s,%s]%s%s}`, d.pick(`"type":"array",`, ""), item, d.scalar(), d.pick("", `,"additionalItems":false`, `,"additionalItems":`+d.scalar()), bounds)
	case 2:
		return d.pick(`{"type":"array"}`, `{"type":"array","items":true}`, `{"type":"array","items":false}`, `{"contains":{"type":"string"}}`, `{"type":"array","additionalItems":false}`, `{"uniqueItems":true}`)
	}
	return `{` + d.pick(`"type":"array",`, `"type":["array","string"],`, "") + `"items":` + item + bounds + d.note() + `}`
}

func (d *dice) scalar() string {
	if d.rarely(12) {
		return d.pick(`{"minLength":1.0}`, `{"maxLength":2e0}`, `{"enum":[1.0]}`, `{"enum":[[1],{"a":1}]}`, `{"const":{"a":[1]}}`, `{"const":1.0}`, `{"enum":["a","a"]}`, `{"enum":[]}`,
			`{"multipleOf":0.01}`, `{"multipleOf":1e-7}`, `{"minimum":1e2}`, `{"maximum":9007199254740991}`, `{"minimum":-9007199254740993}`, `{"type":"number","format":"int32"}`,
			`{"format":"date"}`, `{"type":"string","format":"no-such"}`, `{"pattern":"^\\p{L}$"}`, `{"pattern":"(?=a)"}`, `{"pattern":"^a\\-b$"}`, `{"pattern":"\\u0041"}`, `{"pattern":"[^a]"}`,
			`{"pattern":"^.$"}`, `{"pattern":"\\bword"}`, `{"type":"any"}`, `{"type":[]}`, `{"const":-0}`, `{"const":null}`, `{"exclusiveMaximum":true,"maximum":3}`, `{"id":"x","type":"string"}`,
			`{"$id":"x","type":"string"}`, `{"type":"integer","nullable":true}`, `{"pattern":"(a|b)*c"}`, `{"pattern":"^(?:a{2,3}|[0-9]+)$"}`, `{"minimum":0.1,"maximum":0.3}`, `{"type":["integer","number"]}`)
	}
	return d.pick(`{"type":"string"}`, `{"type":"string","minLength":1,"maxLength":3}`, `{"type":["string","null"]}`, `{"type":"number","minimum":0.5}`, `{"type":"integer","maximum":10}`,
		`{"type":"number","exclusiveMinimum":0,"multipleOf":3}`, `{"type":"boolean"}`, `{"enum":["a","b",1,null,false]}`, `{"const":"x"}`, `true`, `false`, `{}`, `{"type":"null"}`,
		`{"type":"string","pattern":"^[a-z0-9_]+"}`, `{"type":"string","pattern":"[0-9]{2}"}`, `{"pattern":"^a|b"}`, `{"minLength":2}`, `{"maximum":3,"exclusiveMinimum":-2}`, `{"const":true}`,
		`{"enum":[0,1]}`, `{"required":["a"]}`, `{"properties":{"a":{"type":"null"}}}`, `{"type":["integer","string"],"minimum":2,"maxLength":1}`, `{"enum":[""]}`, `{"const":0}`, `{"type":"object","title":"é"}`)
}

// instances draws objects that need not fit.
func (d *dice) instances(n int) []*schema.Value {
	var out []*schema.Value
	for range n {
		out = append(out, schema.MustParse(d.record(3)))
	}
	return out
}

func (d *dice) record(depth int) string {
	var members []string
	seen := map[string]bool{}
	for range d.IntN(4) {
		if name := d.name() + d.pick("", "", "", "", "2"); !seen[name] {
			seen[name] = true
			members = append(members, fmt.Sprintf("%q:%s", name, d.value(depth-1)))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (d *dice) value(depth int) string {
	if depth > 0 && d.rarely(2) {
		return d.pick(d.record(depth), "["+d.value(depth-1)+"]", "["+d.value(depth-1)+","+d.value(depth-1)+"]", "["+d.value(depth-1)+","+d.value(depth-1)+","+d.value(depth-1)+"]", "[]", "{}")
	}
	return d.pick("0", "1", "1.0", "-1", "2", "3", "0.5", "0.3", "10", "12.5", "3.0", "-0", "0.0", "999999999999999", "100000000000000", "0.10000000000001", `""`, `"a"`, `"ab"`, `"abcd"`, `"a\n"`, `"42"`,
		`"é"`, `"😀"`, `"😀😀"`, `"b\u0000"`, "null", "true", "false", `"x"`, `"\u2028"`, `"A"`, `"constructor"`, `"1"`, `"true"`)
}
