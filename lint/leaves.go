package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// leaf is one primitive value of structuredContent.
type leaf struct {
	pointer string
	key     string // nearest object key above it
	value   *schema.Value
	closed  bool // its schema lists its values: enum or const
}

// eachLeaf visits the primitives of a value in order; a subtree that lies too deep
// is visited once, with a nil value. at are the schemas that stand for the value, nil
// when nobody asks for them.
func eachLeaf(v *schema.Value, at *places, pointer, key string, depth int, visit func(leaf)) {
	if depth > parityDepth {
		visit(leaf{pointer: pointer, key: key})
		return
	}
	switch v.Kind {
	case schema.Object:
		for _, m := range v.Unique() {
			eachLeaf(m.Value, at.member(m.Key), pointer+"/"+schema.EscapeToken(m.Key), m.Key, depth+1, visit)
		}
	case schema.Array:
		for i, item := range v.Items {
			eachLeaf(item, at.item(i), pointer+"/"+strconv.Itoa(i), key, depth+1, visit)
		}
	default:
		visit(leaf{pointer, key, v, at.closed()})
	}
}

// places are the subschemas that stand for one value: a schema, what it refers to in
// its document and the branches that it combines. Generators write an enum as a $ref
// (pydantic, schemars) and an optional one as anyOf with null.
type places struct {
	root    *schema.Value
	nodes   []*schema.Value
	members map[string]*places
	items   map[int]*places
}

// placesMax bounds the subschemas of one value.
const placesMax = 64

// placesIn returns the places of the value that the whole schema is about.
func placesIn(root *schema.Value) *places { return (&places{root: root}).spread(root) }

func (p *places) spread(queue ...*schema.Value) *places {
	out := &places{root: p.root, members: map[string]*places{}, items: map[int]*places{}}
	for ; len(queue) > 0 && len(out.nodes) < placesMax; queue = queue[1:] {
		node := queue[0]
		if kindOf(node) != "object" || slices.Contains(out.nodes, node) {
			continue
		}
		out.nodes = append(out.nodes, node)
		ref, _ := node.Get("$ref").IsString()
		if fragment, local := strings.CutPrefix(ref, "#"); local {
			if pointer, ok := schema.ParsePointer(fragment); ok {
				queue = append(queue, p.root.Lookup(pointer))
			}
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			queue = append(queue, listed(node.Get(keyword))...)
		}
	}
	return out
}

func listed(v *schema.Value) []*schema.Value {
	if kindOf(v) != "array" {
		return nil
	}
	return v.Items
}

// member returns the places of a member of an object.
func (p *places) member(key string) *places {
	if p == nil || len(p.nodes) == 0 {
		return nil
	}
	if known, ok := p.members[key]; ok {
		return known
	}
	var next []*schema.Value
	for _, node := range p.nodes {
		if own := node.Get("properties").Get(key); own != nil {
			next = append(next, own)
		} else {
			next = append(next, node.Get("additionalProperties"))
		}
	}
	p.members[key] = p.spread(next...)
	return p.members[key]
}

// item returns the places of an entry of an array.
func (p *places) item(i int) *places {
	if p == nil || len(p.nodes) == 0 {
		return nil
	}
	longest := 0
	for _, node := range p.nodes {
		longest = max(longest, len(listed(node.Get("prefixItems"))), len(listed(node.Get("items"))))
	}
	i = min(i, longest) // the entries behind the tuples are alike
	if known, ok := p.items[i]; ok {
		return known
	}
	var next []*schema.Value
	for _, node := range p.nodes {
		// Two spellings of a tuple: prefixItems of 2020-12, a list of items before it.
		if tuple := slices.Concat(listed(node.Get("prefixItems")), listed(node.Get("items"))); i < len(tuple) {
			next = append(next, tuple[i])
		} else if kindOf(node.Get("items")) == "array" {
			next = append(next, node.Get("additionalItems"))
		} else {
			next = append(next, node.Get("items"))
		}
	}
	p.items[i] = p.spread(next...)
	return p.items[i]
}

// closed reports whether one of the schemas lists its values.
func (p *places) closed() bool {
	return p != nil && slices.ContainsFunc(p.nodes, func(node *schema.Value) bool { return node.Has("enum") || node.Has("const") })
}
