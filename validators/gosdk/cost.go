package gosdk

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
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

	defaults bool // validation sees more than the instance
}

func newCosts(document *schema.Value) *costs {
	c := &costs{root: document, ids: map[string][]*schema.Value{}}
	schema.Walk(document, func(n schema.Node) bool {
		c.defaults = c.defaults || n.Schema.Get("default") != nil
		for _, keyword := range [...]string{"$id", "$anchor", "$dynamicAnchor"} {
			prefix := ""
			if keyword != "$id" {
				prefix = "#"
			}
			name, ok := n.Schema.Get(keyword).IsString()
			switch {
			case !ok:
				continue
			case prefix == "":
				c.add(lastSegment(name), n.Schema)
			}
			if prefix != "" || strings.Contains(name, "#") { // draft-07 has its anchors in $id
				c.add("#"+strings.TrimPrefix(name, "#"), n.Schema)
			}
		}
		return true
	})
	return c
}

func (c *costs) add(name string, s *schema.Value) { c.ids[name] = append(c.ids[name], s) }

// lastSegment is the part of a URI that resolving against a base leaves as it is;
// "" where that is not certain.
func lastSegment(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	segment := uri[strings.LastIndexAny(uri, "/:")+1:]
	if strings.ContainsFunc(segment, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.')
	}) || segment == "." || segment == ".." {
		return ""
	}
	return segment
}

// named are the schemas that a URI may mean.
func (c *costs) named(uri string) []*schema.Value {
	if segment := lastSegment(uri); segment != "" {
		return slices.Concat(c.ids[segment], c.ids[""])
	}
	all := []*schema.Value{c.root}
	for name, schemas := range c.ids {
		if !strings.HasPrefix(name, "#") {
			all = append(all, schemas...)
		}
	}
	return all
}

// of returns why the value is not validated, "" when it is safe to.
func (c *costs) of(instance *schema.Value) string {
	w := walk{costs: c, open: map[pair]bool{}}
	w.visit(c.root, instance)
	return w.reason
}

// after does the same for an instance to which the defaults have been applied.
func (c *costs) after(instance *schema.Value, decoded any) string {
	if c.defaults || decoded != nil && instance.Kind == schema.Null {
		text, err := json.Marshal(decoded)
		if err != nil {
			return err.Error()
		}
		if instance, err = schema.Parse(text, schema.Limits{}); err != nil {
			return err.Error()
		}
	}
	return c.of(instance)
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

// targets lists every schema that a reference may mean: all that are named alike,
// which is more than resolving against the base would leave.
func (w *walk) targets(ref *schema.Value) []*schema.Value {
	text, ok := ref.IsString()
	if !ok {
		return nil
	}
	uri, fragment, _ := strings.Cut(text, "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if fragment != "" && fragment[0] != '/' {
		return w.ids["#"+fragment]
	}
	pointer, _ := schema.ParsePointer(fragment)
	var out []*schema.Value
	for _, base := range w.named(uri) {
		if target := base.Lookup(pointer); target != nil {
			out = append(out, target)
		}
	}
	return out
}
