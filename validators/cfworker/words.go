package cfworker

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// result joins the errors as both SDKs do: "#/a: message; #/b: message".
func (c *compiled) result(failures []failure) validators.Result {
	out := validators.Result{Outcome: validators.Invalid, Violations: make([]validators.Violation, len(failures))}
	places := c.placesOf(failures)
	parts := make([]string, len(failures))
	for i, f := range failures {
		parts[i] = f.at.String() + ": " + f.message
		v := validators.Violation{Message: parts[i], Keyword: f.keyword, Schema: places[f.schema], Instance: f.at.pointer()}
		if f.keyword == "false" {
			v.Keyword = "false schema"
		} else {
			v.Schema = v.Schema.Append(f.keyword)
		}
		out.Violations[i] = v
	}
	out.Text = strings.Join(parts, "; ")
	return out
}

// pointer is the place in the instance, not encoded.
func (p *place) pointer() schema.Pointer {
	if p.parent == nil {
		return nil
	}
	return append(p.parent.pointer(), p.key)
}

// placesOf finds the schemas that failed in the document, by identity: the
// library's own keyword locations run through references.
func (c *compiled) placesOf(failures []failure) map[*value]schema.Pointer {
	wanted := make(map[*value]schema.Pointer)
	for _, f := range failures {
		wanted[f.schema] = nil
	}
	left := len(wanted)
	var search func(v *value, at schema.Pointer)
	search = func(v *value, at schema.Pointer) {
		if _, ok := wanted[v]; ok {
			wanted[v] = at.Append()
			left--
		}
		for i, item := range v.items {
			if left == 0 {
				return
			}
			search(item, append(at, index(i)))
		}
		for _, key := range v.keys {
			if left == 0 {
				return
			}
			search(v.own[key], append(at, key))
		}
	}
	search(c.root, make(schema.Pointer, 0, 16))
	return wanted
}
