package witness

import (
	"math/big"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// resolve returns the schema that $ref names inside the document: a pointer, an
// anchor, or the $id of an embedded schema; nil for anything else.
func resolve(root, s *schema.Value) *schema.Value {
	ref, ok := s.Get("$ref").IsString()
	if !ok {
		return nil
	}
	base, fragment, _ := strings.Cut(ref, "#")
	if id, _ := root.Get("$id").IsString(); base != "" && strings.TrimSuffix(id, "#") == base {
		base = ""
	}
	document := root
	if base != "" {
		document = nil
		schema.Walk(root, func(n schema.Node) bool {
			if id, ok := n.Schema.Get("$id").IsString(); ok && (id == base || strings.HasSuffix(id, "/"+base)) && document == nil {
				document = n.Schema
			}
			return document == nil && n.Depth < maxDepth*4
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
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if name, ok := n.Schema.Get(keyword).IsString(); ok && name == fragment && found == nil {
				found = n.Schema
			}
		}
		return found == nil && n.Depth < maxDepth*4
	})
	return found
}

// conj is a list of schemas that hold together at one place.
type conj []*schema.Value

// all returns the values of a keyword in every part.
func (c conj) all(keyword string) []*schema.Value {
	var out []*schema.Value
	for _, s := range c {
		if v := s.Get(keyword); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// has reports whether any part has one of the keywords.
func (c conj) has(keywords ...string) bool {
	for _, k := range keywords {
		if len(c.all(k)) > 0 {
			return true
		}
	}
	return false
}

// isTrue reports whether any part says true.
func (c conj) isTrue(keyword string) bool {
	for _, v := range c.all(keyword) {
		if v.IsTrue() {
			return true
		}
	}
	return false
}

// most returns the greatest value of a non-negative whole number, least the smallest.
func (c conj) most(keyword string, otherwise int) int {
	out, found := 0, false
	for _, v := range c.all(keyword) {
		if n, ok := whole(v); ok && (!found || n > out) {
			out, found = n, true
		}
	}
	if !found {
		return otherwise
	}
	return out
}

func (c conj) least(keyword string, otherwise int) int {
	out, found := 0, false
	for _, v := range c.all(keyword) {
		if n, ok := whole(v); ok && (!found || n < out) {
			out, found = n, true
		}
	}
	if !found {
		return otherwise
	}
	return out
}

func whole(v *schema.Value) (int, bool) {
	r, ok := v.Exact()
	if !ok || r.Sign() < 0 || r.Cmp(big.NewRat(1_000_000_000, 1)) > 0 {
		return 0, false
	}
	f, _ := r.Float64()
	return int(f), true
}

// types returns the JSON types that every part allows; nil when none says.
func (c conj) types() []string {
	var out []string
	said := false
	for _, v := range c.all("type") {
		var names []string
		if name, ok := v.IsString(); ok {
			names = []string{name}
		}
		for _, item := range v.Items {
			if name, ok := item.IsString(); ok {
				names = append(names, name)
			}
		}
		if !said {
			out, said = names, true
			continue
		}
		out = meet(out, names)
	}
	if said && len(out) == 0 {
		return []string{"(none)"}
	}
	return out
}

// meet returns the types in both lists; an integer is a number.
func meet(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			switch {
			case x == y:
				out = append(out, x)
			case x == "integer" && y == "number", x == "number" && y == "integer":
				out = append(out, "integer")
			}
		}
	}
	return out
}
