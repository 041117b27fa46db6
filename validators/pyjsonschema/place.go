package pyjsonschema

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// violation points to the keyword where it stands in the document: the path in
// the error leaves out $ref and runs through references.
func (c *compiled) violation(e *failure) validators.Violation {
	out := validators.Violation{Message: e.words(), Keyword: e.keyword, Instance: e.absolutePath()}
	if place, ok := c.placeOf(e.schema); ok {
		out.Schema = place
	}
	switch {
	case e.keyword == "":
		out.Keyword = "false schema"
		out.Schema = c.pathPointer(e)
	default:
		out.Schema = append(out.Schema, e.keyword)
	}
	return out
}

// absolutePath is the path from the root of the instance.
func (e *failure) absolutePath() (p schema.Pointer) {
	if e.parent != nil {
		p = e.parent.absolutePath()
	}
	for i := len(e.path) - 1; i >= 0; i-- {
		p = append(p, e.path[i].token())
	}
	return p
}

func (s step) token() string {
	if s.isIndex {
		return s.repr()
	}
	return s.key
}

// placeOf finds a subschema in the document by identity.
func (c *compiled) placeOf(target *value) (schema.Pointer, bool) {
	var search func(v *value, at schema.Pointer) (schema.Pointer, bool)
	search = func(v *value, at schema.Pointer) (schema.Pointer, bool) {
		if v == target {
			return at.Append(), true
		}
		for i, item := range v.items {
			if p, ok := search(item, append(at, strconv.Itoa(i))); ok {
				return p, true
			}
		}
		for _, key := range v.keys {
			if p, ok := search(v.dict[key], append(at, key)); ok {
				return p, true
			}
		}
		return nil, false
	}
	return search(c.root, nil)
}

// pathPointer is the error's schema path as it is, for a false schema, which has
// no identity of its own.
func (c *compiled) pathPointer(e *failure) (p schema.Pointer) {
	for i := len(e.schemaPath) - 1; i >= 0; i-- {
		p = append(p, e.schemaPath[i].token())
	}
	return p
}
