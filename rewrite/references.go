package rewrite

import (
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

var referenceRewrites = []Rewrite{
	{
		Name: "inline-refs", Title: "Put definitions where they are used",
		Doc: "Some hosts lose $defs, or follow no $ref: the model then sees a dangling reference, or the validator fails. " +
			"A schema without references means the same everywhere.",
		Condition: "a local $ref whose target does not contain itself",
		Before:    `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
		After:     `{"properties":{"a":{"type":"string"}}}`,
		Cost:      1,
		Apply:     rooted(inlineRefs),
	},
	{
		Name: "localise-refs", Title: "Refer to $defs only",
		Doc:       "References by anchor, by the $id of an embedded schema, or into properties are followed by few; a copy under $defs is found by all.",
		Condition: "a $ref that leads inside the document but not to a member of $defs or definitions",
		Before:    `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`,
		After:     `{"properties":{"a":{"type":"string"},"b":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string"}}}`,
		Cost:      1,
		Apply:     rooted(localiseRefs),
	},
	{
		Name: "defs-as-definitions", Title: "Keep definitions under definitions",
		Doc: "Hosts that know draft-07 alone may keep definitions and drop $defs.", Condition: "$defs",
		Before: `{"$ref":"#/$defs/A","$defs":{"A":{}}}`, After: `{"$ref":"#/definitions/A","definitions":{"A":{}}}`,
		Apply: rooted(func(v *schema.Value) (*schema.Value, bool) { return renameDefs(v, "$defs", "definitions") }),
	},
	{
		Name: "definitions-as-defs", Title: "Keep definitions under $defs",
		Doc: "$defs is the name since 2019-09; hosts that allow a fixed set of keywords may know it alone.", Condition: "definitions",
		Before: `{"$ref":"#/definitions/A","definitions":{"A":{}}}`, After: `{"$ref":"#/$defs/A","$defs":{"A":{}}}`,
		Apply: rooted(func(v *schema.Value) (*schema.Value, bool) { return renameDefs(v, "definitions", "$defs") }),
	},
	{
		Name: "ref-alone", Title: "Let a $ref stand alone",
		Doc:       "Draft-07 ignores what stands beside $ref, later drafts and Ajv do not: inside an allOf both read the same.",
		Condition: "$ref beside other keywords that validate, in a schema of 2019-09 or later",
		Before:    `{"$ref":"#/$defs/A","maxLength":2}`, After: `{"allOf":[{"$ref":"#/$defs/A"},{"maxLength":2}]}`,
		Apply: func(root *schema.Value) (*schema.Value, bool) {
			if refAlone(root) {
				return root, false
			}
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				ref := s.Get("$ref")
				if ref == nil || s.Has("allOf") {
					return s
				}
				outside, inside := split(s.Without("$ref"))
				if len(inside.Members) == 0 {
					return s
				}
				return outside.With("allOf", schema.List(object("$ref", ref), inside))
			})(root)
		},
	},
	{
		Name: "ref-siblings-off", Title: "Drop what draft-07 ignores beside $ref",
		Doc:       "A draft-07 schema in which keywords stand beside $ref means the target alone; Ajv enforces them all the same and rejects what the schema allows.",
		Condition: "a draft-07 $schema and a $ref beside keywords that validate",
		Before:    `{"$ref":"#/definitions/A","maxLength":2}`, After: `{"$ref":"#/definitions/A"}`,
		Cost: 1,
		Apply: func(root *schema.Value) (*schema.Value, bool) {
			if !refAlone(root) {
				return root, false
			}
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				if !s.Has("$ref") {
					return s
				}
				outside, inside := split(s)
				if len(inside.Members) == 1 {
					return s
				}
				return outside.With("$ref", s.Get("$ref"))
			})(root)
		},
	},
	{
		Name: "ref-names", Title: "Refer to definitions by pointer",
		Doc:       "A $ref that is only a name is a relative URL that leads nowhere; where a definition has that name, the pointer to it was meant.",
		Condition: "a $ref that names a member of $defs or definitions without #/$defs/ before it",
		Before:    `{"$ref":"A","$defs":{"A":{}}}`, After: `{"$ref":"#/$defs/A","$defs":{"A":{}}}`,
		Apply: rooted(func(root *schema.Value) (*schema.Value, bool) {
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				ref, ok := s.Get("$ref").IsString()
				if !ok || target(root, s) != nil {
					return s
				}
				name := ref[strings.LastIndexAny(ref, "/#")+1:]
				for _, keyword := range []string{"$defs", "definitions"} {
					if name != "" && root.Get(keyword).Has(name) {
						return s.With("$ref", schema.Str("#/"+keyword+"/"+schema.EscapeToken(name)))
					}
				}
				return s
			})(root)
		}),
	},
	{
		Name: "recursion-cut", Title: "Let a recursive schema end",
		Doc:       "Hosts that expand references never finish, or refuse, a definition that contains itself.",
		Condition: "a $ref into a definition that it stands in", Loss: "what stands below the first level of the recursion",
		Before: `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"kids":{"items":{"$ref":"#/$defs/N"}}}}}}`,
		After:  `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"kids":{"items":{"type":"object"}}}}}}`, Cost: 2,
		Apply: rooted(recursionCut),
	},
	{
		Name: "dangling-refs-off", Title: "Allow anything where a reference leads nowhere",
		Doc:       "A $ref to a missing or remote definition makes validators fail, some of them for the whole server. Nothing is ever fetched, so nothing is lost that worked.",
		Condition: "a $ref that leads out of the document or nowhere",
		Loss:      "what the missing definition would have said",
		Before:    `{"$ref":"#/$defs/Gone"}`, After: `{}`,
		Cost: 2,
		Apply: rooted(func(root *schema.Value) (*schema.Value, bool) {
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				if s.Has("$ref") && target(root, s) == nil {
					return s.Without("$ref")
				}
				return s
			})(root)
		}),
	},
	{
		Name: "unused-defs-off", Title: "Leave out definitions that nothing refers to",
		Doc: "A faulty definition spoils the schema in validators that read all of it, used or not.", Condition: "definitions without a $ref to them",
		Before: `{"type":"object","$defs":{"Old":{"type":"any"}}}`, After: `{"type":"object"}`,
		Apply: rooted(unusedDefsOff),
	},
}

// refAlone reports whether the schema's own dialect ignores what stands beside a
// $ref: draft-04 to draft-07 do.
func refAlone(root *schema.Value) bool {
	tag, _ := root.Get("$schema").IsString()
	return strings.Contains(tag, "draft-07") || strings.Contains(tag, "draft-06") || strings.Contains(tag, "draft-04")
}

const maxInlined = 2_000 // subschemas that inlining may add

// target resolves a $ref inside the document: a pointer, an anchor or an embedded $id.
func target(root, s *schema.Value) *schema.Value {
	ref, ok := s.Get("$ref").IsString()
	if !ok {
		return nil
	}
	base, fragment, _ := strings.Cut(ref, "#")
	document := root
	if id, _ := root.Get("$id").IsString(); base != "" && strings.TrimSuffix(id, "#") != base {
		document = nil
		schema.Walk(root, func(n schema.Node) bool {
			if id, ok := n.Schema.Get("$id").IsString(); ok && (id == base || strings.HasSuffix(id, "/"+base)) && document == nil {
				document = n.Schema
			}
			return document == nil
		})
	}
	if document == nil || fragment == "" {
		return document
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if p, ok := schema.ParsePointer(fragment); ok {
		return document.Lookup(p)
	}
	var found *schema.Value
	schema.Walk(document, func(n schema.Node) bool {
		if name, ok := n.Schema.Get("$anchor").IsString(); ok && name == fragment && found == nil {
			found = n.Schema
		}
		return found == nil
	})
	return found
}

// inlineRefs replaces references from the inside out; a reference into a cycle
// stays, and then its definition does.
func inlineRefs(root *schema.Value) (*schema.Value, bool) {
	left := maxInlined
	open := map[*schema.Value]bool{}
	cyclic := false
	var expand func(v *schema.Value, depth int) *schema.Value
	expand = func(v *schema.Value, depth int) *schema.Value {
		return schema.Map(v, func(n schema.Node) *schema.Value {
			s := n.Schema
			if s == nil || s.Kind != schema.Object || !s.Has("$ref") {
				return s
			}
			t := target(root, s)
			if t == nil || open[t] || t == root || left <= 0 || depth > 40 {
				cyclic = cyclic || t != nil
				return s
			}
			left--
			open[t] = true
			inner := expand(t, depth+1)
			delete(open, t)
			outside, inside := split(s.Without("$ref"))
			if refAlone(root) {
				inside = schema.Obj()
			}
			switch {
			case len(inside.Members) > 0:
				return outside.With("allOf", schema.List(append(append([]*schema.Value(nil), inside.ListOf("allOf")...), inner, inside.Without("allOf"))...))
			case inner.Kind != schema.Object:
				return inner
			}
			inner = inner.Without("$id", "$anchor") // each name stands once in a document
			for _, m := range outside.Members {     // the note at the place beats the definition's
				inner = inner.With(m.Key, m.Value)
			}
			return inner
		})
	}
	body := root
	if body.Kind != schema.Object {
		return root, false
	}
	out := expand(body.Without("$defs", "definitions"), 0)
	stripped := body.Without("$defs", "definitions")
	if cyclic || left <= 0 {
		return root, false
	}
	if schema.Equal(out, stripped) {
		return root, false
	}
	return out, true
}

// plainName keeps the characters that every reference syntax takes.
func plainName(text string) string {
	out := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, text)
	if out == "" {
		return "root"
	}
	return out
}

func renameDefs(root *schema.Value, from, to string) (*schema.Value, bool) {
	old := root.Get(from)
	if old == nil || old.Kind != schema.Object || root.Has(to) {
		return root, false
	}
	out, _ := onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
		if ref, ok := s.Get("$ref").IsString(); ok && strings.HasPrefix(ref, "#/"+from+"/") {
			return s.With("$ref", schema.Str("#/"+to+strings.TrimPrefix(ref, "#/"+from)))
		}
		return s
	})(root)
	moved := out.Get(from)
	return out.Without(from).With(to, moved), true
}

func unusedDefsOff(root *schema.Value) (*schema.Value, bool) {
	if root.Kind != schema.Object {
		return root, false
	}
	used := map[string]bool{}
	var visit func(v *schema.Value, depth int)
	visit = func(v *schema.Value, depth int) {
		schema.Walk(v, func(n schema.Node) bool {
			ref, ok := n.Schema.Get("$ref").IsString()
			if ok && !used[ref] && depth < 100 {
				used[ref] = true
				if t := target(root, n.Schema); t != nil {
					visit(t, depth+1)
				}
			}
			return true
		})
	}
	visit(root.Without("$defs", "definitions"), 0)
	out := root
	for _, keyword := range []string{"$defs", "definitions"} {
		defs := root.Get(keyword)
		if defs == nil || defs.Kind != schema.Object {
			continue
		}
		kept := schema.Obj()
		for _, m := range defs.Unique() {
			prefix := "#/" + keyword + "/" + schema.EscapeToken(m.Key)
			for ref := range used {
				if ref == prefix || strings.HasPrefix(ref, prefix+"/") || !strings.HasPrefix(ref, "#/") {
					kept = kept.With(m.Key, m.Value)
					break
				}
			}
		}
		switch {
		case len(kept.Members) == 0:
			out = out.Without(keyword)
		case len(kept.Members) != len(defs.Members):
			out = out.With(keyword, kept)
		}
	}
	return out, out != root
}

// recursionCut empties each $ref that leads to a schema in which it stands itself,
// directly or through other definitions.
func recursionCut(root *schema.Value) (*schema.Value, bool) {
	if root.Kind != schema.Object {
		return root, false
	}
	// leads holds, per definition that is referred to, the definitions it refers to.
	leads := map[*schema.Value][]*schema.Value{}
	stands := map[*schema.Value]*schema.Value{} // $ref holder -> the definition it was met in
	var visit func(t *schema.Value)
	visit = func(t *schema.Value) {
		if _, known := leads[t]; known || len(leads) >= maxInlined {
			return
		}
		leads[t] = nil
		schema.Walk(t, func(n schema.Node) bool {
			if next := target(root, n.Schema); next != nil {
				leads[t] = append(leads[t], next)
				if t != root {
					stands[n.Schema] = t
				}
			}
			return true
		})
		for _, next := range leads[t] {
			visit(next)
		}
	}
	visit(root)
	return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
		holder, t := stands[s], target(root, s)
		if holder == nil || t == nil || !reachable(leads, t, holder) {
			return s
		}
		cut := s.Without("$ref")
		if kind := t.Get("type"); kind != nil && !cut.Has("type") {
			cut = cut.With("type", kind)
		}
		return cut
	})(root)
}

// reachable reports whether goal can be reached from a definition.
func reachable(leads map[*schema.Value][]*schema.Value, from, goal *schema.Value) bool {
	seen := map[*schema.Value]bool{}
	queue := []*schema.Value{from}
	for len(queue) > 0 {
		t := queue[0]
		queue = queue[1:]
		if t == goal {
			return true
		}
		for _, next := range leads[t] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}
