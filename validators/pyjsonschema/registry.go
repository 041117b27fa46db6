package pyjsonschema

import (
	"strconv"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/validators/internal/metaschemas"
)

// This file follows referencing 0.37.0: resources are found by URI, subresources
// and anchors only once something asks for a URI that is not known yet.

// resource is a document with the specification that says where its ids are.
type resource struct {
	contents *value
	draft    *draft
}

// id is the resource's own URI without a trailing "#"; ok is false without one.
func (r resource) id() (string, bool) {
	contents := r.contents
	var id *value
	switch r.draft.legacyID {
	case "id":
		if contains(contents, "$ref") {
			return "", false
		}
		id = mustGet(contents, "id")
	case "$id":
		if contents.kind == kindBool || contains(contents, "$ref") {
			return "", false
		}
		id = mustGet(contents, "$id")
	default:
		if contents.kind == kindBool {
			return "", false
		}
		id = mustGet(contents, "$id")
	}
	if id == nil || id.kind == kindNone {
		return "", false
	}
	if id.kind != kindStr {
		method := "rstrip"
		if r.draft.legacyID != "" {
			method = "startswith"
		}
		raise("AttributeError", "'%s' object has no attribute '%s'", id.kind, method)
	}
	if r.draft.legacyID != "" && strings.HasPrefix(id.str, "#") {
		return "", false
	}
	return strings.TrimRight(id.str, "#"), true
}

// anchor is a named place; dynamic ones look through the dynamic scope.
type anchor struct {
	name     string
	resource resource
	dynamic  bool
}

func (r resource) anchors() (out []anchor) {
	contents, d := r.contents, r.draft
	if d.legacyID == "" {
		if contents.kind == kindBool {
			return nil
		}
		if name := mustGet(contents, "$anchor"); name != nil && name.kind == kindStr {
			out = append(out, anchor{name.str, r, false})
		}
		if name := contents.get("$dynamicAnchor"); d.dynamic && name != nil && name.kind == kindStr {
			out = append(out, anchor{name.str, r, true})
		}
		return out
	}
	if contents.kind == kindBool && d.legacyID == "$id" {
		return nil
	}
	if id := mustGet(contents, d.legacyID); id != nil && id.kind == kindStr && strings.HasPrefix(id.str, "#") {
		return []anchor{{id.str[1:], r, false}}
	}
	return nil
}

// subresources lists the schemas directly inside.
func (r resource) subresources() (out []resource) {
	contents, d := r.contents, r.draft
	if contents.kind == kindBool && d.legacyID != "id" {
		return nil
	}
	add := func(sub *value) { out = append(out, resource{sub, specificationFor(sub, d)}) }
	for _, key := range d.inValue {
		if contains(contents, key) {
			add(mustIndex(contents, key))
		}
	}
	for _, key := range d.inArray {
		if contains(contents, key) {
			for _, item := range elements(mustIndex(contents, key)) {
				add(item)
			}
		}
	}
	for _, key := range d.inMap {
		if contains(contents, key) {
			for _, item := range valuesOf(mustIndex(contents, key)) {
				add(item)
			}
		}
	}
	for _, key := range d.oddPlaces {
		r.oddSubresources(key, contents.get(key), add)
	}
	return out
}

// oddSubresources: items may be a list; dependencies count only when the first
// of them is a schema, and then all do; additional* only when they are objects.
func (r resource) oddSubresources(key string, under *value, add func(*value)) {
	if under == nil || under.kind == kindNone {
		return
	}
	switch key {
	case "items":
		if under.kind == kindList || under.kind == kindStr {
			for _, item := range elements(under) {
				add(item)
			}
			return
		}
		add(under)
	case "dependencies":
		values := valuesOf(under)
		if len(values) > 0 && values[0].kind == kindDict {
			for _, item := range values {
				add(item)
			}
		}
	default:
		if under.kind == kindDict {
			add(under)
		}
	}
}

func valuesOf(v *value) []*value {
	if v.kind != kindDict {
		raise("AttributeError", "'%s' object has no attribute 'values'", v.kind)
	}
	out := make([]*value, len(v.keys))
	for i, key := range v.keys {
		out[i] = v.dict[key]
	}
	return out
}

func mustIndex(v *value, key string) *value {
	if v.kind != kindDict {
		raise("TypeError", "%s indices must be integers or slices, not str", v.kind)
	}
	return v.dict[key]
}

// registry is immutable; crawl returns the registry that knows all subresources.
type registry struct {
	under     *registry // the specifications, for a schema's own registry
	resources map[string]resource
	anchors   map[[2]string]anchor
	uncrawled map[string]resource

	mu      sync.Mutex // validations of one schema share the registry
	crawled *registry
}

// specifications holds the metaschemas and their vocabularies.
var specifications *registry

func loadSpecifications() {
	r := &registry{resources: map[string]resource{}, uncrawled: map[string]resource{}}
	for _, document := range metaschemas.All() {
		contents, _ := load(document)
		res := resource{contents, specificationFor(contents, latest)}
		id, _ := res.id()
		r.resources[id], r.uncrawled[id] = res, res
	}
	specifications = r.crawl(func() {})
}

// registryWith is a fresh registry: the specifications and one document.
func registryWith(address string, root resource) *registry {
	own := map[string]resource{strings.TrimRight(address, "#"): root}
	return &registry{under: specifications, resources: own, uncrawled: own}
}

func (r *registry) resource(address string) (resource, bool) {
	if res, ok := r.resources[address]; ok {
		return res, true
	}
	if r.under != nil {
		return r.under.resource(address)
	}
	return resource{}, false
}

func (r *registry) anchorAt(address, name string) (anchor, bool) {
	if a, ok := r.anchors[[2]string{address, name}]; ok {
		return a, true
	}
	if r.under != nil {
		return r.under.anchorAt(address, name)
	}
	return anchor{}, false
}

// crawl finds every subresource and anchor. It is done once per registry; the
// order of siblings is that of hash sets in Python and decides only which of two
// equal ids wins.
func (r *registry) crawl(step func()) *registry {
	if len(r.uncrawled) == 0 {
		return r
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.crawled != nil {
		return r.crawled
	}
	out := &registry{under: r.under, resources: map[string]resource{}, anchors: map[[2]string]anchor{}}
	type pending struct {
		address string
		resource
	}
	var queue []pending
	for address, res := range r.resources {
		out.resources[address] = res
	}
	for address, res := range r.uncrawled {
		queue = append(queue, pending{address, res})
	}
	for len(queue) > 0 {
		step()
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if id, ok := next.id(); ok {
			next.address = joinURI(next.address, id)
			out.resources[next.address] = next.resource
		}
		for _, a := range next.anchors() {
			out.anchors[[2]string{next.address, a.name}] = a
		}
		for _, sub := range next.subresources() {
			queue = append(queue, pending{next.address, sub})
		}
	}
	r.crawled = out
	return out
}

// atoi is int(text) for a segment of a JSON Pointer.
func atoi(segment string) int {
	cleaned := strings.TrimSpace(segment)
	n, err := strconv.Atoi(cleaned)
	if err != nil {
		raise("ValueError", "invalid literal for int() with base 10: %s", reprStr(segment))
	}
	return n
}
