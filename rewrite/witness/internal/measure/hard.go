package main

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// base is a schema with an instance that the schema's own dialect accepts and at
// least one library rejects, or reads in its own way.
type base struct{ name, schema, instance string }

// bases were written for this measure and never looked at by the generator.
var bases = []base{
	{"closed tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `["x",3]`},
	{"tuple with a rest", `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, `["x",3]`},
	{"tuple of objects with a rest", `{"type":"array","prefixItems":[{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}],"items":{"type":"object","required":["ref"]}}`, `[{"id":1},{"ref":2}]`},
	{"tuple without a type", `{"prefixItems":[{"type":"boolean"}],"items":false}`, `[true]`},
	{"unevaluated rest", `{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":{"type":"integer"}}`, `["x",3]`},
	{"minContains of none", `{"type":"array","contains":{"type":"object","required":["primary"]},"minContains":0,"maxContains":1}`, `[]`},
	{"contains evaluates", `{"type":"array","contains":{"type":"string"},"unevaluatedItems":false}`, `["a"]`},
	{"additionalItems without a list", `{"type":"array","items":{"type":"string"},"additionalItems":false}`, `["a","b"]`},
	{"dependencies in 2020-12", `{"type":"object","dependencies":{"card":["address"]}}`, `{"card":1}`},
	{"dependencies with a schema", `{"type":"object","dependencies":{"card":{"required":["address"]}}}`, `{"card":1}`},
	{"date-time without offset", `{"type":"string","format":"date-time"}`, `"2026-03-01T10:00:00"`},
	{"date with a time", `{"type":"string","format":"date"}`, `"2026-03-01T00:00:00Z"`},
	{"time without offset", `{"type":"string","format":"time"}`, `"10:00"`},
	{"duration in words", `{"type":"string","format":"duration"}`, `"3 days"`},
	{"e-mail of localhost", `{"type":"string","format":"email"}`, `"root@localhost"`},
	{"host with underscore", `{"type":"string","format":"hostname"}`, `"my_host"`},
	{"relative uri", `{"type":"string","format":"uri"}`, `"/files/a.txt"`},
	{"uri with a space", `{"type":"string","format":"uri"}`, `"https://a.example/b c"`},
	{"uri-reference with a space", `{"type":"string","format":"uri-reference"}`, `"a b"`},
	{"uuid without hyphens", `{"type":"string","format":"uuid"}`, `"0123456789abcdef0123456789abcdef"`},
	{"ipv4 with a mask", `{"type":"string","format":"ipv4"}`, `"10.0.0.0/8"`},
	{"ipv6 with a zone", `{"type":"string","format":"ipv6"}`, `"fe80::1%eth0"`},
	{"empty regex class", `{"type":"string","format":"regex"}`, `"["`},
	{"json pointer without slash", `{"type":"string","format":"json-pointer"}`, `"a/b"`},
	{"int32 beyond", `{"type":"integer","format":"int32"}`, `3000000000`},
	{"byte that is none", `{"type":"string","format":"byte"}`, `"?"`},
	{"unknown format", `{"type":"string","format":"semver"}`, `"1.2"`},
	{"cents", `{"type":"number","multipleOf":0.01}`, `19.99`},
	{"tenths", `{"type":"number","multipleOf":0.1,"minimum":0,"maximum":100}`, `0.3`},
	{"a small step", `{"type":"number","multipleOf":0.0001}`, `0.0075`},
	{"constant beyond a double", `{"const":9007199254740993}`, `9007199254740993`},
	{"enum of large numbers", `{"enum":[9007199254740993,9007199254740995]}`, `9007199254740995`},
	{"integer of 1e400", `{"type":"integer"}`, `1e400`},
	{"maximum at 2^53", `{"type":"integer","maximum":9007199254740992}`, `9007199254740992`},
	{"unique large numbers", `{"type":"array","uniqueItems":true}`, `[9007199254740992,9007199254740993]`},
	{"unique one and true", `{"type":"array","uniqueItems":true,"items":{"type":["integer","boolean"]}}`, `[1,true]`},
	{"member toString", `{"type":"object","properties":{"toString":{"type":"string"},"a":{"type":"string"}}}`, `{"a":"x"}`},
	{"member constructor", `{"type":"object","properties":{"constructor":{"type":"string"}},"additionalProperties":false}`, `{}`},
	{"a name of two code points", `{"type":"string","maxLength":1}`, `"😀"`},
	{"digits of all scripts", `{"type":"string","pattern":"^\\d{4}$"}`, `"2026"`},
	{"escape of a hyphen", `{"type":"string","pattern":"^[\\w\\-]+\\-[a-z]+$"}`, `"a-b"`},
	{"escape of a space", `{"type":"string","pattern":"^a\\ b$"}`, `"a b"`},
	{"no newline at the end", `{"type":"string","pattern":"^[^\\n]*$"}`, `"a"`},
	{"case insensitive", `{"type":"string","pattern":"(?i)^abc$"}`, `"ABC"`},
	{"named group of Python", `{"type":"string","pattern":"^(?P<y>[0-9]{4})$"}`, `"2026"`},
	{"end of Python", `{"type":"string","pattern":"\\A[a-z]+\\Z"}`, `"abc"`},
	{"possessive", `{"type":"string","pattern":"^a++$"}`, `"aa"`},
	{"unicode property", `{"type":"string","pattern":"^\\p{L}+$"}`, `"Ünal"`},
	{"quantifier of a brace", `{"type":"string","pattern":"^{[a-z]+}$"}`, `"{a}"`},
	{"type and enum with null", `{"type":"string","nullable":true,"enum":["a","b"]}`, `"a"`},
	{"nullable without a type", `{"nullable":true,"enum":["a"]}`, `"a"`},
	{"exclusive bound of draft-04", `{"type":"number","minimum":0,"exclusiveMinimum":true}`, `1`},
	{"required of draft-03", `{"type":"object","properties":{"a":{"type":"string","required":true}}}`, `{"a":"x"}`},
	{"empty enum", `{"type":"object","properties":{"a":{"enum":[]}}}`, `{}`},
	{"enum with one value twice", `{"enum":["a","a"]}`, `"a"`},
	{"type any", `{"type":"object","properties":{"a":{"type":"any"}}}`, `{"a":1}`},
	{"type float", `{"type":"float"}`, `1.5`},
	{"anchor", `{"$ref":"#thing","$defs":{"t":{"$anchor":"thing","type":"string"}}}`, `"x"`},
	{"unknown keyword", `{"type":"string","widget":"area"}`, `"x"`},
	{"list of items in 2020-12", `{"type":"array","items":[{"type":"number"},{"type":"number"}]}`, `[1,2]`},
	{"list of items, closed", `{"type":"array","items":[{"type":"number"}],"additionalItems":false,"minItems":1}`, `[1]`},
	{"definitions with an odd name", `{"$ref":"#/$defs/a%20b","$defs":{"a b":{"type":"string"}}}`, `"x"`},
	{"dynamic reference", `{"$dynamicRef":"#node","$defs":{"n":{"$dynamicAnchor":"node","type":"string"}}}`, `"x"`},
	{"defaults beside a bound", `{"type":"object","properties":{"a":{"type":"integer","default":1},"b":{"type":"integer","default":2}},"maxProperties":1}`, `{"b":3}`},
	{"wrong default", `{"type":"object","properties":{"a":{"type":"integer","default":"x"}}}`, `{"a":3}`},
}

// place puts a base and its instance somewhere in a document; %s is the base.
type place struct{ name, schema, instance string }

var places = []place{
	{"a member", `{"type":"object","properties":{"v":%s},"required":["v"]}`, `{"v":%s}`},
	{"an optional member deep down", `{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"},"page":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"meta":{"type":"object","properties":{"v":%s}}}}}}}}}`,
		`{"ok":true,"page":{"rows":[{"meta":{"v":%s}}]}}`},
	{"a map", `{"type":"object","properties":{"by":{"type":"object","additionalProperties":%s}}}`, `{"by":{"k":%s}}`},
	{"a definition", `{"type":"object","properties":{"list":{"type":"array","items":{"$ref":"#/$defs/V"}}},"$defs":{"V":{"type":"object","properties":{"v":%s}}}}`, `{"list":[{"v":%s}]}`},
	{"a branch beside null", `{"type":"object","properties":{"v":{"anyOf":[{"type":"null"},{"type":"object","required":["in"],"properties":{"in":%s}}]}}}`, `{"v":{"in":%s}}`},
	{"the third branch", `{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"c"},"in":%s},"required":["kind","in"]}]}}}`,
		`{"v":{"kind":"c","in":%s}}`},
	{"one of two allOf", `{"type":"object","allOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"v":%s}}]}`, `{"id":"1","v":%s}`},
	{"then", `{"type":"object","properties":{"kind":{"enum":["a","b"]}},"if":{"properties":{"kind":{"const":"b"}},"required":["kind"]},"then":{"properties":{"v":%s}}}`, `{"kind":"b","v":%s}`},
	{"among thirty", `{"type":"object","properties":{` + thirty() + `,"v":%s}}`, `{"v":%s}`},
	{"names by a pattern", `{"type":"object","patternProperties":{"^x-[a-z]+$":%s},"additionalProperties":false}`, `{"x-a":%s}`},
	{"a tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"v":%s,"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`,
		`{"root":{"name":"a","kids":[{"name":"b","v":%s}]}}`},
}

// thirty are members that take their share of the instances.
func thirty() string {
	var out []string
	for i := range 30 {
		out = append(out, fmt.Sprintf(`"m%d":{"type":["string","null"],"minLength":1,"maxLength":%d,"pattern":"^[a-z]"}`, i, 20+i))
	}
	return strings.Join(out, ",")
}

// placed are all bases at all places. Definitions of a base move to the root.
func placed(bases []base) []item {
	var out []item
	for _, b := range bases {
		for _, p := range places {
			out = append(out, item{b.name + " in " + p.name, p.hold(b), []*schema.Value{schema.MustParse(fmt.Sprintf(p.instance, b.instance))}})
		}
	}
	return out
}

// hold is the document with the base at the place.
func (p place) hold(b base) *schema.Value {
	lone := schema.MustParse(b.schema)
	document := schema.MustParse(fmt.Sprintf(p.schema, lone.Without("$defs").Compact()))
	return withDefs(document, lone.Get("$defs"))
}

// withDefs adds definitions to those of a document.
func withDefs(document, more *schema.Value) *schema.Value {
	if more == nil {
		return document
	}
	defs := document.Get("$defs")
	if defs == nil {
		defs = schema.Obj()
	}
	for _, m := range more.Members {
		defs = defs.With(m.Key, m.Value)
	}
	return document.With("$defs", defs)
}
