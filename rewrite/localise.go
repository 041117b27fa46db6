package rewrite

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// localiseRefs makes every reference one to a member of $defs or definitions. What
// stands elsewhere is copied to $defs; the ids of embedded schemas, to which nothing
// refers then, go, since below them a pointer would start anew.
func localiseRefs(root *schema.Value) (*schema.Value, bool) {
	if root.Kind != schema.Object {
		return root, false
	}
	pointers := map[*schema.Value]string{}
	taken := map[string]bool{}
	for _, keyword := range []string{"definitions", "$defs"} {
		for _, m := range root.Get(keyword).Unique() {
			pointers[m.Value] = "#/" + keyword + "/" + schema.EscapeToken(m.Key)
			taken[m.Key] = taken[m.Key] || keyword == "$defs"
		}
	}
	defs := root.Get("$defs")
	if defs == nil || defs.Kind != schema.Object {
		defs = schema.Obj()
	}
	changed := false
	schema.Walk(root, func(n schema.Node) bool {
		t := elsewhere(root, n.Schema)
		if t == nil {
			return true
		}
		changed = true
		if pointers[t] != "" {
			return true
		}
		ref, _ := n.Schema.Get("$ref").IsString()
		wish := plainName(ref[strings.LastIndexAny(ref, "/#")+1:])
		name := wish
		for i := 2; taken[name]; i++ {
			name = wish + strconv.Itoa(i)
		}
		taken[name], pointers[t] = true, "#/$defs/"+name
		copied := t
		if t.Kind == schema.Object {
			copied = t.Without("$anchor")
		}
		defs = defs.With(name, copied)
		return true
	})
	if !changed {
		return root, false
	}
	whole := root
	if len(defs.Members) > 0 {
		whole = root.With("$defs", defs)
	}
	out, _ := onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
		if t := elsewhere(root, s); t != nil {
			s = s.With("$ref", schema.Str(pointers[t]))
		}
		if len(n.Pointer) > 0 && s.Has("$id") {
			s = s.Without("$id")
		}
		return s
	})(whole)
	return out, true
}

// elsewhere returns what a schema refers to inside the document but not as a member of
// $defs or definitions; nil for no such reference, and for one to the root.
func elsewhere(root, s *schema.Value) *schema.Value {
	ref, ok := s.Get("$ref").IsString()
	if !ok || strings.HasPrefix(ref, "#/$defs/") && !strings.Contains(ref[8:], "/") || strings.HasPrefix(ref, "#/definitions/") && !strings.Contains(ref[14:], "/") {
		return nil
	}
	if t := target(root, s); t != root {
		return t
	}
	return nil
}

// rooted makes an Apply that leaves documents alone in which a pointer or an anchor
// starts at an embedded schema with an $id: every rewrite of references takes them to
// start at the root.
func rooted(apply func(*schema.Value) (*schema.Value, bool)) func(*schema.Value) (*schema.Value, bool) {
	return func(root *schema.Value) (*schema.Value, bool) {
		scoped := false
		schema.Walk(root, func(n schema.Node) bool {
			if len(n.Pointer) == 0 || !n.Schema.Has("$id") {
				return true
			}
			schema.Walk(n.Schema, func(inner schema.Node) bool {
				ref, ok := inner.Schema.Get("$ref").IsString()
				scoped = scoped || ok && strings.HasPrefix(ref, "#")
				return !scoped
			})
			return !scoped
		})
		if scoped {
			return root, false
		}
		return apply(root)
	}
}

// refersByID reports whether a reference leads to a schema by its $id.
func refersByID(root *schema.Value) bool {
	found := false
	schema.Walk(root, func(n schema.Node) bool {
		ref, ok := n.Schema.Get("$ref").IsString()
		found = found || ok && !strings.HasPrefix(ref, "#") && target(root, n.Schema) != nil
		return !found
	})
	return found
}

// steady makes an Apply that moves schemas of one that first moves what references
// lead to away from there: a pointer into items or a branch would lead nowhere.
func steady(apply func(*schema.Value) (*schema.Value, bool)) func(*schema.Value) (*schema.Value, bool) {
	return func(root *schema.Value) (*schema.Value, bool) {
		out, changed := apply(root)
		if !changed || dangling(out) <= dangling(root) {
			return out, changed
		}
		local, moved := rooted(localiseRefs)(root)
		if !moved {
			return out, changed
		}
		return apply(local)
	}
}

// dangling counts the references that lead nowhere.
func dangling(root *schema.Value) int {
	n := 0
	schema.Walk(root, func(node schema.Node) bool {
		if node.Schema.Has("$ref") && target(root, node.Schema) == nil {
			n++
		}
		return true
	})
	return n
}
