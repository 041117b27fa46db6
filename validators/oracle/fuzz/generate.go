package main

import "github.com/hostmatrix/conform/schema"

// generator draws one schema document. Subschemas come in three ways: as a
// typical generator writes them (styles.go), as a soup of keywords that mean to
// meet each other (soup.go), and rarely as something no draft allows.
type generator struct {
	dice
	defs   []string // names under the document's definitions
	under  string   // $defs or definitions
	anchor bool     // a definition carries an anchor "S" or "T"
	// plain documents hold nothing that a strict library refuses, so that more
	// than refusals is compared there.
	plain bool
}

// maxDepth bounds the nesting of generated subschemas.
const maxDepth = 4

// document draws a whole schema.
func (d dice) document() *schema.Value {
	g := &generator{dice: d, under: pick(d, "$defs", "$defs", "definitions"), plain: d.chance(3)}
	if g.plain {
		g.under = "definitions"
	}
	if d.chance(2) {
		g.defs = some(d, defNames[:6]...)
		if d.chance(4) {
			g.defs = append(g.defs, pick(d, defNames...)) // now and then an odd name
		}
		g.anchor = !g.plain && d.chance(5)
	}
	root := g.root()
	if root.Kind != schema.Object {
		return root
	}
	if !g.plain && d.chance(2) {
		root = front(root, "$schema", str(pick(d, dialects[:4]...)))
		if d.chance(4) {
			root = root.With("$schema", str(pick(d, dialects...)))
		}
	}
	if !g.plain && d.chance(15) {
		root = front(root, pick(d, "$id", "$id", "id"), str(pick(d, "https://conform.test/root", "root.json", "urn:conform:root", "#", "")))
	}
	if len(g.defs) > 0 {
		root = root.With(g.under, g.definitions())
	}
	return root
}

func (g *generator) root() *schema.Value {
	switch g.IntN(10) {
	case 0, 1, 2, 3, 4:
		return g.object(maxDepth)
	case 5:
		return obj(member("type", str("object")), member("properties", obj(member("a", g.schema(maxDepth-1)))))
	default:
		return g.schema(maxDepth)
	}
}

func (g *generator) definitions() *schema.Value {
	out := obj()
	for _, name := range g.defs {
		s := g.schema(maxDepth - 2)
		if g.anchor && s.Kind == schema.Object && g.chance(2) {
			s = front(s, pick(g.dice, "$anchor", "$anchor", "$dynamicAnchor", "$dynamicAnchor"), str(pick(g.dice, "S", "T")))
		}
		if s.Kind == schema.Object && g.chance(20) {
			s = front(s, "$id", str(pick(g.dice, "https://conform.test/def", "sub", "#S", "sub/")))
		}
		out = out.With(name, s)
	}
	return out
}

// schema draws a subschema.
func (g *generator) schema(depth int) *schema.Value {
	if g.chance(25) {
		return schema.Flag(g.chance(2))
	}
	if depth <= 0 {
		return g.typed(0)
	}
	switch g.IntN(12) {
	case 0, 1, 2, 3, 4:
		return g.typed(depth)
	case 5, 6:
		return g.choice(depth)
	case 7:
		return g.reference()
	case 8:
		if !g.plain && g.chance(4) {
			return g.odd(depth)
		}
		return g.typed(depth)
	default:
		return g.soup(depth)
	}
}

// reference draws a $ref or one of its relatives, mostly one that resolves.
func (g *generator) reference() *schema.Value {
	keyword, target := "$ref", "#"
	switch {
	case g.anchor && g.chance(3):
		keyword = pick(g.dice, "$ref", "$dynamicRef", "$dynamicRef")
		target = pick(g.dice, "#S", "#T")
	case len(g.defs) > 0 && (g.plain || !g.chance(6)):
		target = "#/" + g.under + "/" + escapePointer(pick(g.dice, g.defs...))
	case g.plain:
	case g.chance(3):
		target = pick(g.dice, "#/properties/a", "#/properties/b", "", "#/$defs/Nope", "https://conform.test/root", "other.json", "#nope",
			"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "https://conform.test/def", "sub", "#/allOf/0")
	case g.chance(4):
		keyword = "$recursiveRef"
	}
	out := obj(member(keyword, str(target)))
	if g.chance(3) {
		for _, m := range g.typed(0).Members {
			out = out.With(m.Key, m.Value)
		}
	}
	if g.chance(6) {
		out = out.With("description", str("d"))
	}
	return out
}

func escapePointer(name string) string {
	var out []byte
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '~':
			out = append(out, "~0"...)
		case '/':
			out = append(out, "~1"...)
		default:
			out = append(out, name[i])
		}
	}
	return string(out)
}

func member(key string, value *schema.Value) schema.Member {
	return schema.Member{Key: key, Value: value}
}

// front puts a member before the others.
func front(v *schema.Value, key string, value *schema.Value) *schema.Value {
	return obj(append([]schema.Member{member(key, value)}, v.Without(key).Members...)...)
}
