package fuzzing

import (
	"github.com/hostmatrix/conform/schema"
)

// Instance draws a value for the document: fitting as far as a naive reader can tell,
// with an oddity here and there.
func (d *Drawer) Instance(document *schema.Value) *schema.Value {
	v := d.fit(document, document, 6)
	if v.Kind != schema.Object && d.often(9, 10) {
		return schema.Obj(schema.Member{Key: "a", Value: v})
	}
	return v
}

var drawnValues = []string{`0`, `1`, `3`, `-5`, `6`, `10`, `12`, `"a"`, `"b"`, `"x"`, `"ab"`, `"42"`, `"b7_k"`, `"-x-x."`, `null`, `true`, `false`, `[]`, `{}`, `["a","b"]`, `[1,2]`,
	`{"a":1}`, `{"b":"x","a":null}`, `2.5`, `0.75`, `"2026-01-15T09:30:00Z"`, `"2026-01-15T09:30:00.123Z"`, `"2026-02-28"`, `"ann@example.com"`, `"https://example.com/a/b"`,
	`"8c5ab1a4-1f7c-4d5e-9a66-3f0a1d2b3c4d"`,
	// odd ones
	`1.0`, `-0`, `1e2`, `12345678901234567890`, `1e400`, `"😀😀"`, `"é"`, `"a\n"`, `"\ud800"`, `"2026-01-15"`, `"2016-12-31T23:59:60Z"`, `{"a":1,"a":2}`, `{"toString":1}`,
	`{"__proto__":{}}`, `[1,1.0]`, `[[],[]]`, `""`, `999999999999999`, `-9007199254740991`, `9007199254740991`, `9007199254740990`, `9007199254740992`, `1000000000000000`, `9007199254740993`, `"2026-02-30"`, `"x y"`, `{"":1,"0":2}`, `[{"a":1},{"a":1}]`, `["a","a"]`, `0.1`, `1.50`}

const drawnOdd = 31

func (d *Drawer) value() *schema.Value {
	if d.often(5, 6) {
		return schema.MustParse(drawnValues[d.IntN(drawnOdd)])
	}
	return schema.MustParse(d.pick(drawnValues...))
}

// fit follows what stands there as a schema says it, more or less.
func (d *Drawer) fit(root, s *schema.Value, depth int) *schema.Value {
	if s == nil || s.Kind != schema.Object || depth <= 0 || d.often(1, 12) {
		return d.value()
	}
	if ref, ok := s.Get("$ref").IsString(); ok && len(ref) > 0 {
		if pointer, ok := schema.ParsePointer(ref[1:]); ok {
			return d.fit(root, root.Lookup(pointer), depth-1)
		}
	}
	for _, keyword := range [...]string{"anyOf", "oneOf", "allOf"} {
		if branches := s.Get(keyword); branches != nil && len(branches.Items) > 0 && d.often(2, 3) {
			return d.fit(root, branches.Items[d.IntN(len(branches.Items))], depth-1)
		}
	}
	if c := s.Get("const"); c != nil {
		return c
	}
	if e := s.Get("enum"); e != nil && len(e.Items) > 0 {
		return e.Items[d.IntN(len(e.Items))]
	}
	return d.typed(root, s, depth)
}

func (d *Drawer) typed(root, s *schema.Value, depth int) *schema.Value {
	word, ok := s.Get("type").IsString()
	if words := s.Get("type"); !ok && words != nil && len(words.Items) > 0 {
		word = words.Items[d.IntN(len(words.Items))].Text
	}
	if word == "" && s.Has("properties") {
		word = "object"
	}
	switch word {
	case "object":
		return d.members(root, s, depth)
	case "array":
		var items []*schema.Value
		for range d.IntN(4) {
			items = append(items, d.fit(root, s.Get("items"), depth-1))
		}
		return schema.List(items...)
	case "":
		return d.value()
	}
	for range 12 {
		if v := d.value(); v.Kind.String() == word || word == "integer" && v.Kind == schema.Number {
			return v
		}
	}
	return d.value()
}

func (d *Drawer) members(root, s *schema.Value, depth int) *schema.Value {
	var out []schema.Member
	has := map[string]bool{}
	for _, p := range s.Get("properties").Unique() {
		if d.often(3, 4) {
			out = append(out, schema.Member{Key: p.Key, Value: d.fit(root, p.Value, depth-1)})
			has[p.Key] = true
		}
	}
	if required := s.Get("required"); required != nil {
		for _, r := range required.Items {
			if !has[r.Text] && d.often(9, 10) {
				out = append(out, schema.Member{Key: r.Text, Value: d.fit(root, s.Get("properties").Get(r.Text), depth-1)})
				has[r.Text] = true
			}
		}
	}
	if d.often(1, 4) {
		if key := d.name(); !has[key] || d.often(1, 10) {
			out = append(out, schema.Member{Key: key, Value: d.fit(root, s.Get("additionalProperties"), depth-1)})
		}
	}
	return schema.Obj(out...)
}
