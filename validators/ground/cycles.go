package ground

import "github.com/hostmatrix/conform/schema"

// consumes reports that no schema leads back to itself without going into the
// instance, and marks documents in which one leads back at all.
func (s *surveyor) consumes() bool {
	if len(s.refs) == 0 {
		return true
	}
	inPlace := graph{targets: s.targets, state: map[*schema.Value]bool{}}
	anywhere := graph{targets: s.targets, state: map[*schema.Value]bool{}, all: true}
	for _, from := range s.refs {
		if !inPlace.acyclic(from, 0) {
			return false
		}
		if s.Features&Recursion == 0 && !anywhere.acyclic(from, 0) {
			s.Features |= Recursion
		}
	}
	return true
}

// graph has the schemas as nodes. An edge leads to what is applied to the same
// value, or, with all, to what is applied to any part of it.
type graph struct {
	targets map[*schema.Value]*schema.Value
	state   map[*schema.Value]bool // true while on the way to here
	all     bool
}

// maxWay bounds the recursion of the search; a longer way counts as a circle.
const maxWay = 10 * maxDepth

func (g graph) acyclic(node *schema.Value, depth int) bool {
	if node.Kind != schema.Object {
		return true
	}
	if open, seen := g.state[node]; seen || depth > maxWay {
		return seen && !open
	}
	g.state[node] = true
	if target := g.targets[node]; target != nil && !g.acyclic(target, depth+1) {
		return false
	}
	for _, m := range node.Members {
		place, ok := schema.PlaceOf(m.Key)
		if !ok || !g.all && !appliesInPlace[m.Key] || m.Key == "$defs" || m.Key == "definitions" {
			continue
		}
		if place != schema.SchemaMap && m.Value.Kind != schema.Array && !g.acyclic(m.Value, depth+1) {
			return false
		}
		for _, item := range m.Value.Items {
			if !g.acyclic(item, depth+1) {
				return false
			}
		}
		for _, p := range m.Value.Members {
			if place == schema.SchemaMap && !g.acyclic(p.Value, depth+1) {
				return false
			}
		}
	}
	g.state[node] = false
	return true
}

var appliesInPlace = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true}
