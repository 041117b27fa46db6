package gosdk

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

const (
	// maxVisits bounds one validation, in pairs of schema and value.
	maxVisits = 1_000_000
	// maxFrames bounds the recursion of the module (some hundred bytes of stack a
	// frame, of the gigabyte that Go allows).
	maxFrames = 50_000
)

// costs walks schema and value as the module might, taking every branch, and so
// visits at least what the module visits. It decides nothing.
type costs struct {
	root *schema.Value
	ids  map[string][]*schema.Value // by last path segment and by anchor
}

func newCosts(document *schema.Value) *costs {
	c := &costs{root: document, ids: map[string][]*schema.Value{}}
	schema.Walk(document, func(n schema.Node) bool {
		for keyword, prefix := range map[string]string{"$id": "", "$anchor": "#", "$dynamicAnchor": "#"} {
			if name, ok := n.Schema.Get(keyword).IsString(); ok {
				key := prefix + lastSegment(name)
				c.ids[key] = append(c.ids[key], n.Schema)
			}
		}
		return true
	})
	return c
}

func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	return uri[strings.LastIndexAny(uri, "/:")+1:]
}

// of returns why the value is not validated, "" when it is safe to.
func (c *costs) of(instance *schema.Value) string {
	w := walk{costs: c, open: map[pair]bool{}}
	w.visit(c.root, instance)
	return w.reason
}

// ofDefaults does the same for every default, which Resolve validates.
func (c *costs) ofDefaults() string {
	w := walk{costs: c, open: map[pair]bool{}}
	schema.Walk(c.root, func(n schema.Node) bool {
		if d := n.Schema.Get("default"); d != nil && w.reason == "" {
			w.visit(n.Schema, d)
		}
		return w.reason == ""
	})
	return w.reason
}

type pair struct{ schema, instance *schema.Value }

type walk struct {
	*costs
	visits, depth int
	open          map[pair]bool
	reason        string
}

func (w *walk) visit(s, instance *schema.Value) {
	if w.reason != "" || s == nil || s.Kind != schema.Object {
		return
	}
	p := pair{s, instance}
	w.visits++
	switch {
	case w.open[p]:
		w.reason = "the schema refers to itself without consuming any data, which overflows the module's stack"
		return
	case w.visits > maxVisits:
		w.reason = fmt.Sprintf("validation may take more than %d steps", maxVisits)
		return
	case w.depth > maxFrames:
		w.reason = fmt.Sprintf("validation may nest more than %d levels", maxFrames)
		return
	}
	w.open[p] = true
	w.depth++
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		for _, target := range w.targets(s.Get(keyword)) {
			w.visit(target, instance)
		}
	}
	for _, m := range s.Unique() {
		w.keyword(m.Key, m.Value, instance)
	}
	w.depth--
	delete(w.open, p)
}

// keyword visits what one applicator may apply, to the value itself or to its
// members and items.
func (w *walk) keyword(keyword string, under, instance *schema.Value) {
	place, ok := schema.PlaceOf(keyword)
	if !ok || keyword == "$defs" || keyword == "definitions" || keyword == "contentSchema" {
		return
	}
	apply := func(s *schema.Value) {
		switch keyword {
		case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "properties":
			w.visit(s, instance)
		case "propertyNames":
			for _, m := range instance.Unique() {
				w.visit(s, schema.Str(m.Key))
			}
		default:
			for _, item := range instance.Items {
				w.visit(s, item)
			}
			for _, m := range instance.Unique() {
				w.visit(s, m.Value)
			}
		}
	}
	switch {
	case keyword == "properties":
		for _, m := range under.Unique() {
			if at := instance.Get(m.Key); at != nil {
				w.visit(m.Value, at)
			}
		}
	case place == schema.SchemaMap || place == schema.MapOrLists:
		for _, m := range under.Unique() {
			apply(m.Value)
		}
	case under.Kind == schema.Array:
		for _, s := range under.Items {
			apply(s)
		}
	default:
		apply(under)
	}
}

// targets lists every schema that a reference may mean: exactly one for a pointer
// from the root, else all that are named alike.
func (w *walk) targets(ref *schema.Value) []*schema.Value {
	text, ok := ref.IsString()
	if !ok {
		return nil
	}
	uri, fragment, _ := strings.Cut(text, "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	bases := []*schema.Value{w.root}
	if uri != "" {
		bases = append(bases, w.ids[lastSegment(uri)]...)
	} else {
		for _, named := range w.ids {
			bases = append(bases, named...)
		}
	}
	if fragment != "" && fragment[0] != '/' {
		return w.ids["#"+fragment]
	}
	pointer, _ := schema.ParsePointer(fragment)
	var out []*schema.Value
	for _, base := range bases {
		if target := base.Lookup(pointer); target != nil {
			out = append(out, target)
		}
		if len(pointer) == 0 && uri == "" {
			break
		}
	}
	return out
}
