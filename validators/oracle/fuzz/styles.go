package main

import "github.com/hostmatrix/conform/schema"

// object draws an object schema as zod, pydantic, schemars, C# and Go write them.
func (g *generator) object(depth int) *schema.Value {
	properties, required := obj(), []string{}
	for range 1 + g.upTo(3) {
		name := pick(g.dice, names...)
		properties = properties.With(name, g.schema(depth-1))
		if g.chance(2) {
			required = append(required, name)
		}
	}
	out := obj(member("type", str("object")), member("properties", properties))
	if g.chance(12) {
		out = out.With("type", list(str("object"), str("null")))
	}
	if g.chance(12) {
		required = append(required, pick(g.dice, names...))
	}
	if len(required) > 0 || g.chance(10) {
		out = out.With("required", strs(required))
	}
	switch g.IntN(6) {
	case 0, 1:
		out = out.With("additionalProperties", schema.Flag(false))
	case 2:
		out = out.With("additionalProperties", g.schema(depth-2))
	}
	if g.chance(15) {
		out = out.With("propertyNames", g.typed(0))
	}
	if !g.plain && g.chance(20) {
		out = out.With("unevaluatedProperties", pick(g.dice, schema.Flag(false), g.schema(0)))
	}
	if g.chance(10) {
		out = out.With("title", str("T"))
	}
	if !g.plain && g.chance(20) {
		out = out.With("x-order", num("1"))
	}
	return out
}

// typed draws a schema around one type, with the keywords that generators add.
func (g *generator) typed(depth int) *schema.Value {
	kind := pick(g.dice, types...)
	if depth <= 0 && (kind == "array" || kind == "object") {
		kind = "string"
	}
	if kind == "object" {
		if g.chance(5) {
			return obj(member("type", str("object")), member("additionalProperties", g.schema(depth-1)))
		}
		return g.object(depth)
	}
	out := obj(member("type", str(kind)))
	switch kind {
	case "string":
		out = g.stringKeywords(out)
	case "integer", "number":
		out = g.numberKeywords(out)
	case "array":
		out = g.arrayKeywords(out, depth)
	}
	switch g.IntN(14) {
	case 0:
		out = out.With("type", list(str(kind), str("null")))
	case 1:
		out = out.With("nullable", schema.Flag(!g.chance(4)))
	case 2:
		out = out.With("default", g.scalar())
	case 3:
		out = out.With("type", list(str(kind), str(pick(g.dice, types...))))
	}
	return out
}

func (g *generator) stringKeywords(out *schema.Value) *schema.Value {
	way := g.IntN(8)
	if g.plain && (way == 0 || way == 5) {
		way = 1
	}
	switch way {
	case 0:
		out = out.With("format", str(pick(g.dice, formats...)))
	case 1:
		out = out.With("pattern", str(g.pattern()))
	case 2:
		out = out.With("minLength", g.count()).With("maxLength", g.count())
	case 3:
		out = out.With("enum", strs(some(g.dice, "on", "off", "a", "b", "")))
	case 4:
		out = out.With("const", str(g.text()))
	case 5:
		out = out.With("format", str(pick(g.dice, formats...))).With("pattern", str(g.pattern()))
	}
	return out
}

func (g *generator) numberKeywords(out *schema.Value) *schema.Value {
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if g.chance(5) {
			out = out.With(keyword, num(g.number()))
		}
	}
	switch way := g.IntN(6); {
	case way == 0:
		out = out.With("multipleOf", g.divisor())
	case way == 1 && !g.plain:
		out = out.With("format", str(pick(g.dice, "int32", "int64", "float", "double", "uint8", "uint64")))
	case way == 2:
		out = out.With("enum", list(num(g.number()), num(g.number())))
	}
	return out
}

func (g *generator) arrayKeywords(out *schema.Value, depth int) *schema.Value {
	way := g.IntN(7)
	if g.plain && way != 4 {
		way = 0
	}
	switch way {
	case 0, 1, 2:
		out = out.With("items", g.schema(depth-1))
	case 3: // tuple of 2020-12
		out = out.With("prefixItems", g.schemas(depth-1, 3))
		if g.chance(2) {
			out = out.With("items", pick(g.dice, schema.Flag(false), g.schema(depth-2)))
		}
	case 4: // tuple of draft-07
		out = out.With("items", g.schemas(depth-1, 3))
		if g.chance(2) {
			out = out.With("additionalItems", pick(g.dice, schema.Flag(false), g.schema(depth-2)))
		}
	case 5:
		out = out.With("contains", g.schema(depth-1))
		if g.chance(2) {
			out = out.With("minContains", g.count())
		}
		if g.chance(3) {
			out = out.With("maxContains", g.count())
		}
	}
	if g.chance(4) {
		out = out.With("minItems", g.count())
	}
	if g.chance(4) {
		out = out.With("maxItems", g.count())
	}
	if g.chance(5) {
		out = out.With("uniqueItems", schema.Flag(!g.chance(5)))
	}
	if !g.plain && g.chance(12) {
		out = out.With("unevaluatedItems", pick(g.dice, schema.Flag(false), g.schema(0)))
	}
	return out
}

// choice draws the unions that generators write: optional, literal, tagged, anything.
func (g *generator) choice(depth int) *schema.Value {
	switch g.IntN(6) {
	case 0:
		return obj(member("anyOf", list(g.schema(depth-1), obj(member("type", str("null"))))))
	case 1:
		branches := list()
		for _, tag := range some(g.dice, "x", "y", "z") {
			branches.Items = append(branches.Items, g.object(depth-1).With("properties",
				obj(member("kind", obj(member("const", str(tag)))), member("a", g.schema(depth-2)))).With("required", strs([]string{"kind"})))
		}
		out := obj(member(pick(g.dice, "oneOf", "anyOf"), branches))
		if !g.plain && g.chance(2) {
			out = out.With("discriminator", obj(member("propertyName", str("kind"))))
		}
		return out
	case 2:
		return obj(member("enum", g.literals()))
	case 3:
		return obj(member("const", g.value(2)))
	case 4:
		return obj(member("allOf", g.schemas(depth-1, 3)))
	default:
		return obj(member(pick(g.dice, "anyOf", "oneOf"), g.schemas(depth-1, 3)))
	}
}

func (g *generator) literals() *schema.Value {
	out := list()
	for range 1 + g.upTo(3) {
		out.Items = append(out.Items, g.value(1))
	}
	return out
}

// schemas draws a list of 1 to n subschemas.
func (g *generator) schemas(depth, n int) *schema.Value {
	out := list()
	for range 1 + g.IntN(n) {
		out.Items = append(out.Items, g.schema(depth))
	}
	return out
}
