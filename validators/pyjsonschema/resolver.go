package pyjsonschema

import "strings"

// resolver is referencing's Resolver: a base URI, what is known, and the URIs
// entered on the way (most recent first), which dynamic references look through.
type resolver struct {
	base     string
	known    *registry
	previous *scope
	step     func()
	joined   map[[2]string]string // joinURI, remembered for one validation
}

// join is urljoin(base, ref).
func (r *resolver) join(ref string) string {
	key := [2]string{r.base, ref}
	if found, ok := r.joined[key]; ok {
		return found
	}
	found := joinURI(r.base, ref)
	r.joined[key] = found
	return found
}

type scope struct {
	address string
	next    *scope
}

// resolved is the target of a reference.
type resolved struct {
	contents *value
	resolver *resolver
}

// inSubresource enters a subschema that may have an id.
func (r *resolver) inSubresource(sub resource) *resolver {
	id, ok := sub.id()
	if !ok {
		return r
	}
	out := *r
	out.base = r.join(id)
	return &out
}

func (r *resolver) evolve(address string, known *registry) *resolver {
	out := &resolver{base: address, known: known, previous: r.previous, step: r.step, joined: r.joined}
	if r.base != "" && (r.previous == nil || address != r.base) {
		out.previous = &scope{r.base, r.previous}
	}
	return out
}

// unresolvable is what lookup raises; the class is that of referencing.
type unresolvable struct{ class, message string }

func (u *unresolvable) wrapped() *raised {
	return &raised{"_WrappedReferencingError", u.class + ": " + u.message}
}

func (u *unresolvable) bare() *raised { return &raised{u.class, u.message} }

// lookup resolves a reference; the second result is an Unresolvable.
func (r *resolver) lookup(ref *value) (resolved, *unresolvable) {
	if ref.kind != kindStr {
		raise("AttributeError", "'%s' object has no attribute 'startswith'", ref.kind)
	}
	address, fragment := r.base, strings.TrimPrefix(ref.str, "#")
	if !strings.HasPrefix(ref.str, "#") {
		address, fragment = defragment(r.join(ref.str))
	}
	known := r.known
	target, ok := known.resource(address)
	if !ok {
		known = known.crawl(r.step)
		if target, ok = known.resource(address); !ok {
			// The library would fetch it; nothing is fetched here, and a fetch
			// that fails ends like this.
			return resolved{}, &unresolvable{"Unresolvable", ref.str}
		}
	}
	switch {
	case strings.HasPrefix(fragment, "/"):
		return target.pointer(fragment, r.evolve(address, known))
	case fragment != "":
		a, known, missing := known.anchor(address, fragment, r.step)
		if missing != nil {
			return resolved{}, missing
		}
		return a.resolve(r.evolve(address, known)), nil
	}
	return resolved{target.contents, r.evolve(address, known)}, nil
}

// anchor finds a named anchor, crawling when it is not known yet.
func (r *registry) anchor(address, name string, step func()) (anchor, *registry, *unresolvable) {
	if a, ok := r.anchorAt(address, name); ok {
		return a, r, nil
	}
	crawled := r.crawl(step)
	if a, ok := crawled.anchorAt(address, name); ok {
		return a, crawled, nil
	}
	res, ok := r.resource(strings.TrimRight(address, "#"))
	if !ok {
		raise("NoSuchResource", "%s", reprStr(address))
	}
	if id, ok := res.id(); ok {
		if a, ok := crawled.anchorAt(id, name); ok {
			return a, crawled, nil
		}
	}
	if strings.Contains(name, "/") {
		return anchor{}, nil, &unresolvable{"InvalidAnchor", "'#" + name + "' is not a valid anchor, neither as a plain name anchor" +
			" nor as a JSON Pointer. You may have intended to use '#/" + name + "', as the slash is required *before each segment* of a JSON pointer."}
	}
	return anchor{}, nil, &unresolvable{"NoSuchAnchor", reprStr(name) + " does not exist within " + repr(res.contents)}
}

// resolve returns the anchor's schema: for a dynamic anchor the outermost in the
// dynamic scope that has one of that name.
func (a anchor) resolve(r *resolver) resolved {
	if !a.dynamic {
		return resolved{a.resource.contents, r}
	}
	last := a.resource
	for s := r.previous; s != nil; s = s.next {
		r.step()
		if found, _, missing := r.known.anchor(s.address, a.name, r.step); missing == nil && found.dynamic {
			last = found.resource
		}
	}
	return resolved{last.contents, r.inSubresource(last)}
}

// pointer follows a JSON Pointer from the resource, entering subresources where
// the specification knows that it passes one.
func (res resource) pointer(pointer string, r *resolver) (resolved, *unresolvable) {
	contents := res.contents
	var segments []step
	for _, segment := range strings.Split(unquote(pointer[1:]), "/") {
		s := step{key: segment}
		if contents.kind == kindList || contents.kind == kindStr {
			s = step{index: atoi(segment), isIndex: true}
		} else {
			s.key = strings.ReplaceAll(strings.ReplaceAll(segment, "~1", "/"), "~0", "~")
		}
		next := subscript(contents, s)
		if next == nil {
			return resolved{}, nowhere(pointer, res.contents)
		}
		contents = next
		segments = append(segments, s)
		if entered := res.draft.enter(segments, r, contents); entered != r {
			r, segments = entered, nil
		}
	}
	return resolved{contents, r}, nil
}

// subscript is contents[segment]; nil stands for a LookupError.
func subscript(contents *value, s step) *value {
	switch contents.kind {
	case kindDict:
		return contents.dict[s.key]
	case kindList, kindStr:
		items := elements(contents)
		if s.index < 0 {
			s.index += len(items)
		}
		if s.index < 0 || s.index >= len(items) {
			return nil
		}
		return items[s.index]
	}
	raise("TypeError", "'%s' object is not subscriptable", contents.kind)
	return nil
}

func nowhere(pointer string, contents *value) *unresolvable {
	message := reprStr(pointer) + " does not exist within " + repr(contents)
	if pointer == "/" {
		message += ". The pointer '/' is a valid JSON Pointer but it points to an empty string property ''." +
			" If you intended to point to the entire resource, you should use '#'."
	}
	return &unresolvable{"PointerToNowhere", message}
}

// enter is the specification's maybe_in_subresource.
func (d *draft) enter(segments []step, r *resolver, contents *value) *resolver {
	for i := 0; i < len(segments); i++ {
		s := segments[i]
		if s.isIndex {
			return r
		}
		if among(s.key, d.pointerOdd) && contents.kind == kindDict {
			return r.inSubresource(resource{contents, d})
		}
		if among(s.key, d.inValue) || among(s.key, d.pointerOnly) {
			continue
		}
		if !among(s.key, d.inArray) && !among(s.key, d.inMap) {
			return r
		}
		if i++; i >= len(segments) {
			return r
		}
	}
	return r.inSubresource(resource{contents, d})
}

func among(s string, list []string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// recursiveRef is referencing.jsonschema.lookup_recursive_ref (2019-09).
func (r *resolver) recursiveRef() (resolved, *unresolvable) {
	target, missing := r.lookup(text("#"))
	if missing != nil || !recursiveAnchor(target.contents) {
		return target, missing
	}
	for s := r.previous; s != nil; s = s.next {
		r.step()
		next, missing := r.lookup(text(s.address))
		if missing != nil {
			return next, missing
		}
		if !recursiveAnchor(next.contents) {
			break
		}
		target = next
	}
	return target, nil
}

func recursiveAnchor(v *value) bool {
	flag := v.get("$recursiveAnchor")
	return flag != nil && flag.truthy()
}
