package fuzzing

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Drawer draws schemas of common keywords in odd company, and instances that mostly
// fit: what package ground may think plain.
type Drawer struct {
	*rand.Rand
	defs []string // references that lead somewhere
}

// NewDrawer returns a drawer whose draws depend on the seed and the number only.
func NewDrawer(seed, number uint64) *Drawer {
	return &Drawer{Rand: rand.New(rand.NewPCG(seed, number))}
}

func (d *Drawer) pick(options ...string) string { return options[d.IntN(len(options))] }

func (d *Drawer) often(out, of int) bool { return d.IntN(of) < out }

var drawnNames = []string{"a", "b", "c", "id", "items", "x-1", "a/b", "", "0", "10", "$ref", "type", "enum", "é", "toString", "length", "a~b", "a%b", "default"}

func (d *Drawer) name() string {
	if d.often(3, 4) {
		return drawnNames[d.IntN(5)]
	}
	return d.pick(drawnNames...)
}

// Document draws a root schema.
func (d *Drawer) Document() *schema.Value {
	var members []string
	switch d.IntN(6) {
	case 0:
		members = append(members, `"$schema":"http://json-schema.org/draft-07/schema#"`)
	case 1:
		members = append(members, `"$schema":"https://json-schema.org/draft/2020-12/schema"`)
	}
	under := d.pick("$defs", "definitions")
	if d.often(1, 2) {
		d.defs = []string{"#/" + under + "/S", "#/" + under + "/T", "#/" + under + "/U-1.x"}
		if d.often(1, 4) {
			d.defs = append(d.defs, "#", "#/properties/a", "#/"+under+"/S/properties/b", "#/"+under+"/T/anyOf/0", "#/"+under+"/S/items", "#/$defs")
		}
	}
	if len(d.defs) > 0 && d.often(1, 6) {
		members = append(members, d.member("$ref", d.text(d.pick(d.defs...))))
	}
	odd := ""
	if d.often(1, 10) {
		odd = d.member(d.pick(append(drawnNames, "$id", "properties", "allOf", "$schema", "$anchor")...), d.schema(1)) + ","
	}
	members = append(members, d.object(3)...)
	if len(d.defs) > 0 {
		members = append(members, fmt.Sprintf(`%q:{%s"S":%s,"T":%s,"U-1.x":%s}`, under, odd, d.schema(2), d.schema(2), d.schema(1)))
	}
	if d.often(1, 3) {
		d.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return schema.MustParse("{" + strings.Join(unique(members), ",") + "}")
}

func (d *Drawer) member(key, value string) string { return d.text(key) + ":" + value }

func (d *Drawer) text(s string) string {
	return string(schema.Append(nil, schema.Str(s), schema.Style{}))
}

// unique keeps the first member of each name; twice the same is drawn elsewhere.
func unique(members []string) (out []string) {
	seen := map[string]bool{}
	for _, m := range members {
		key, _, _ := strings.Cut(m, ":")
		if !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return out
}

func (d *Drawer) object(depth int) []string {
	var properties, required []string
	for range d.IntN(4) {
		name := d.name()
		properties = append(properties, d.member(name, d.schema(depth-1)))
		if d.often(1, 2) {
			required = append(required, d.text(name))
		}
	}
	if d.often(1, 8) {
		required = append(required, d.text(d.name()))
	}
	members := []string{`"type":"object"`}
	if d.often(1, 8) {
		members = []string{d.pick(`"type":["object","null"]`, `"title":"t"`)}
	}
	if len(properties) > 0 {
		members = append(members, `"properties":{`+strings.Join(unique(properties), ",")+`}`)
	}
	if len(required) > 0 || d.often(1, 8) {
		members = append(members, `"required":[`+strings.Join(unique(required), ",")+`]`)
	}
	switch d.IntN(8) {
	case 0, 1:
		members = append(members, `"additionalProperties":false`)
	case 2:
		members = append(members, `"additionalProperties":`+d.schema(depth-1))
	case 3:
		members = append(members, `"propertyNames":`+d.pick(`{"maxLength":3}`, `{"type":"string"}`, `{"pattern":"^[a-z]"}`, `{"enum":["a","b"]}`, `{"not":{"const":"a"}}`))
	case 4:
		members = append(members, d.pick(`"minProperties":1`, `"maxProperties":2`, `"minProperties":0`))
	}
	if d.often(1, 6) {
		members = append(members, d.choice(depth))
	}
	if d.often(1, 5) {
		members = append(members, d.pick(`"x-order":1`, `"x-fastmcp-wrap-result":true`, `"description":"d"`, `"default":{}`, `"default":{"a":1}`,
			`"examples":[1]`, `"examples":[{"$id":1}]`, `"default":{"$ref":"#/nope"}`, `"examples":[{"id":"a","$anchor":"b"}]`, `"readOnly":true`, `"deprecated":true`, `"$comment":"c"`, `"x-o":{"a":1}`, `"nullable":true`, `"unknown":1`, `"$id":"https://a.test/s"`))
	}
	return members
}

// choice is one member with branches.
func (d *Drawer) choice(depth int) string {
	a, b := d.schema(depth-1), d.schema(depth-1)
	switch d.IntN(6) {
	case 0:
		return `"anyOf":[` + a + `,` + b + `]`
	case 1:
		return `"oneOf":[` + a + `,` + b + `]`
	case 2:
		return `"allOf":[` + a + `,` + b + `]`
	case 3:
		return `"not":` + a
	case 4:
		return `"if":` + a + `,"then":` + b + d.pick(``, `,"else":`+d.schema(depth-1))
	}
	return `"anyOf":[` + a + `]`
}

var drawnScalars = []string{`{"type":"string"}`, `{"type":"string","minLength":1,"maxLength":3}`, `{"type":["string","null"]}`, `{"type":"number","minimum":0.5}`,
	`{"type":"integer","maximum":10}`, `{"type":"integer","exclusiveMinimum":0,"multipleOf":3}`, `{"type":"boolean"}`, `{"enum":["a","b",1,null,true]}`,
	`{"const":"x"}`, `{"const":null}`, `{"const":1}`, `{"const":false}`, `{"enum":[0,1,-5]}`, `true`, `false`, `{}`, `{"title":"t","description":"d"}`, `{"type":"null"}`,
	`{"type":"string","pattern":"^[a-z0-9_]+$"}`, `{"type":"string","pattern":"[0-9]{2}"}`, `{"pattern":"^(?:a|b\\d)?\\w+$"}`, `{"pattern":"^\\S*(-x)*\\.$"}`,
	`{"type":"string","format":"date-time"}`, `{"format":"email"}`, `{"type":"string","format":"uri"}`, `{"format":"uuid"}`, `{"type":"string","format":"date"}`,
	`{"minLength":2}`, `{"minimum":3}`, `{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`, `{"required":["a"]}`, `{"exclusiveMaximum":2.5}`,
	`{"type":"string","default":"q"}`, `{"type":["integer","string","boolean"]}`, `{"type":["array","object"]}`, `{"minItems":1,"minProperties":1}`,
	`{"type":"integer","format":"int32"}`, `{"type":"integer","format":"uint64","minimum":0}`, `{"type":"number","format":"double"}`, `{"type":"string","format":"ipv4"}`, `{"format":"int64"}`, `{"format":"nope"}`, `{"multipleOf":0.1}`,
	`{"type":"array","prefixItems":[{"type":"string"}]}`, `{"items":[{"type":"string"}]}`, `{"type":"string","enum":["a","a"]}`, `{"nullable":true,"type":"string"}`}

func (d *Drawer) schema(depth int) string {
	if len(d.defs) > 0 && d.often(1, 6) {
		beside := d.pick(``, ``, ``, `,"description":"d"`, `,"minLength":2`, `,"type":"string"`, `,"default":1`)
		return `{"$ref":` + d.text(d.pick(d.defs...)) + beside + `}`
	}
	if depth <= 0 || d.often(1, 3) {
		if d.often(4, 5) {
			return drawnScalars[d.IntN(len(drawnScalars)-8)]
		}
		return d.pick(drawnScalars...)
	}
	switch d.IntN(5) {
	case 0, 1:
		return "{" + strings.Join(d.object(depth), ",") + "}"
	case 2, 3:
		return `{"type":"array","items":` + d.schema(depth-1) + d.pick("", "", `,"minItems":1`, `,"maxItems":2`, `,"uniqueItems":true`, `,"uniqueItems":false`) + `}`
	}
	return "{" + d.choice(depth) + d.pick(``, `,"type":"object"`, `,"type":["string","integer"]`) + "}"
}
