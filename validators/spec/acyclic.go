package spec

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Acyclic reports whether no chain of references and subschemas in the document
// leads back to where it started. Libraries without protection of their own
// (gojsonschema 1.2.0) overflow the stack on such a
// document, which ends a Go process. It is careful to a fault: a reference that
// this can't follow inside the document, any dynamic reference and any embedded
// id count as cyclic.
func Acyclic(document *schema.Value) bool {
	g := graph{root: document, state: map[*schema.Value]state{}, byAnchor: map[string]*schema.Value{}}
	careful := false
	schema.Walk(document, func(n schema.Node) bool {
		if n.Schema == nil || n.Schema.Kind != schema.Object {
			return true
		}
		for _, keyword := range []string{"$dynamicRef", "$recursiveRef"} {
			careful = careful || n.Schema.Has(keyword)
		}
		if n.Depth > 0 {
			careful = careful || n.Schema.Has("$id") || n.Schema.Has("id")
		}
		if name, ok := n.Schema.Get("$anchor").IsString(); ok {
			g.byAnchor["#"+name] = n.Schema
		}
		return true
	})
	return !careful && g.visit(document, 0)
}

type state uint8

const (
	open state = iota + 1
	closed
)

// maxChain bounds the recursion of the search.
const maxChain = 20_000

type graph struct {
	root     *schema.Value
	state    map[*schema.Value]state
	byAnchor map[string]*schema.Value
}

// visit returns false when the node can reach itself.
func (g *graph) visit(node *schema.Value, depth int) bool {
	if node == nil || depth > maxChain {
		return false
	}
	if node.Kind == schema.Array { // a reference into a list of schemas
		return false
	}
	if node.Kind != schema.Object {
		return true
	}
	switch g.state[node] {
	case open:
		return false
	case closed:
		return true
	}
	g.state[node] = open
	acyclic := true
	if ref := node.Get("$ref"); ref != nil {
		acyclic = g.visit(g.target(ref), depth+1)
	}
	schema.Walk(node, func(n schema.Node) bool {
		if n.Depth == 0 {
			return true
		}
		acyclic = acyclic && (n.Schema == nil || n.Schema.Kind != schema.Object || g.visit(n.Schema, depth+1))
		return false
	})
	g.state[node] = closed
	return acyclic
}

// target follows a reference inside the document, nil where it does not.
func (g *graph) target(ref *schema.Value) *schema.Value {
	text, ok := ref.IsString()
	if !ok || !strings.HasPrefix(text, "#") {
		return nil
	}
	if named := g.byAnchor[text]; named != nil {
		return named
	}
	pointer, ok := schema.ParsePointer(unescapeFragment(text[1:]))
	if !ok {
		return nil
	}
	return g.root.Lookup(pointer)
}
