package main

import "github.com/hostmatrix/conform/schema"

// soupKeywords are drawn independently of each other and of any type.
var soupKeywords = []string{
	"type", "type", "properties", "properties", "patternProperties", "additionalProperties", "required", "required", "propertyNames", "minProperties",
	"maxProperties", "items", "prefixItems", "additionalItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "enum", "const",
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties",
	"unevaluatedItems", "nullable", "$ref", "default", "$comment", "x-unknown", "$dynamicRef", "formatMinimum", "discriminator",
}

// strange are the keywords that draft-07 does not have, or that refuse a schema
// where they stand alone.
var strange = map[string]bool{
	"prefixItems": true, "additionalItems": true, "minContains": true, "maxContains": true, "dependentRequired": true, "dependentSchemas": true,
	"unevaluatedProperties": true, "unevaluatedItems": true, "nullable": true, "x-unknown": true, "$dynamicRef": true, "formatMinimum": true,
	"discriminator": true, "format": true,
}

// soup draws a subschema of several keywords that mean to meet each other.
func (g *generator) soup(depth int) *schema.Value {
	out := obj()
	for range 1 + g.upTo(4) {
		keyword := pick(g.dice, soupKeywords...)
		if g.plain && strange[keyword] {
			continue
		}
		switch keyword {
		case "if": // alone it says nothing
			out = out.With("if", g.schema(depth-1))
			for _, branch := range some(g.dice, "then", "else") {
				out = out.With(branch, g.schema(depth-1))
			}
		case "$ref", "$dynamicRef":
			for _, m := range g.reference().Members {
				out = out.With(m.Key, m.Value)
			}
		default:
			out = out.With(keyword, g.keyword(keyword, depth))
		}
	}
	return out
}

// keyword draws a value that the keyword may have.
func (g *generator) keyword(keyword string, depth int) *schema.Value {
	switch keyword {
	case "type":
		if g.chance(4) {
			return strs(some(g.dice, types...))
		}
		return str(pick(g.dice, types...))
	case "properties", "dependentSchemas":
		return g.schemaMap(names, depth-1)
	case "patternProperties":
		return g.schemaMap(g.patterns(), depth-1)
	case "required":
		return strs(some(g.dice, names[:12]...))
	case "dependentRequired":
		return obj(member(pick(g.dice, names...), strs(some(g.dice, names[:9]...))))
	case "dependencies":
		out := g.schemaMap(names, depth-1)
		return out.With(pick(g.dice, names...), strs(some(g.dice, names[:9]...)))
	case "minContains", "maxContains", "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties":
		return g.count()
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return num(g.number())
	case "multipleOf":
		return g.divisor()
	case "uniqueItems", "nullable":
		return schema.Flag(!g.chance(4))
	case "pattern":
		return str(g.pattern())
	case "format":
		return str(pick(g.dice, formats...))
	case "formatMinimum":
		return str(pick(g.dice, "2024-01-01", "12:00:00Z", "2024-01-02T03:04:05Z"))
	case "enum":
		return g.literals()
	case "const", "default", "x-unknown":
		return g.value(2)
	case "$comment":
		return str("c")
	case "discriminator":
		return obj(member("propertyName", str(pick(g.dice, names...))))
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return g.schemas(depth-1, 3)
	case "items":
		if !g.plain && g.chance(5) {
			return g.schemas(depth-1, 3)
		}
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems":
		if g.chance(2) {
			return schema.Flag(false)
		}
	}
	return g.schema(depth - 1)
}

func (g *generator) schemaMap(keys []string, depth int) *schema.Value {
	out := obj()
	for range 1 + g.upTo(2) {
		out = out.With(pick(g.dice, keys...), g.schema(depth))
	}
	return out
}

// odd draws a subschema in which one keyword has a value that it may not have.
func (g *generator) odd(depth int) *schema.Value {
	keyword := pick(g.dice, soupKeywords...)
	values := []*schema.Value{
		null, schema.Flag(true), num("5"), num("-1"), num("1.5"), str("x"), str(pick(g.dice, typeOdd...)), list(), obj(), list(str("x"), str("x")),
		list(num("5")), list(null), obj(member("a", null)), obj(member("a", str("string"))), obj(member("$data", str("1/a"))),
	}
	return g.typed(depth).With(keyword, pick(g.dice, values...))
}

// patterns are those that the document may use: plain ones stand first in the pool.
func (g *generator) patterns() []string {
	if g.plain {
		return patterns[:plainPatterns]
	}
	return patterns
}

func (g *generator) pattern() string {
	if !g.plain && g.chance(3) {
		return g.regex()
	}
	return pick(g.dice, g.patterns()...)
}

func (g *generator) count() *schema.Value {
	if g.plain {
		return num(pick(g.dice, counts[:plainCounts]...))
	}
	return num(pick(g.dice, counts...))
}

func (g *generator) divisor() *schema.Value {
	if g.plain {
		return num(pick(g.dice, divisors[:plainDivisors]...))
	}
	return num(pick(g.dice, divisors...))
}
