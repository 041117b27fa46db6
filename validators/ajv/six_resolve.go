package ajv

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
	"github.com/hostmatrix/conform/validators/ajv/uri"
)

// sixURI is the resolver of Ajv 6.
var sixURI = resolver{uri.URIJS}

// sixReference: "#" always calls the root, whatever ids stand between.
func sixReference(it *sixContext, _, _ string) op {
	value := it.schema.Get("$ref")
	if value.Kind != schema.String {
		throw("id.replace is not a function")
	}
	ref := value.Text
	if ref == "#" || ref == "#/" {
		if it.isRoot {
			return it.call(it.self, it.async)
		}
		return it.call(it.c.compileEnv(it.root), it.root.schema.Get("$async").IsTrue())
	}
	found := it.c.resolveRef(it.root, it.baseID, ref)
	if found == nil {
		throw("can't resolve reference ", ref, " from id ", it.baseID)
	}
	if found.inline == nil {
		return it.call(found.fn, found.fn.async)
	}
	next := *it
	next.schema, next.path = found.inline, &place{absolute: ref}
	n := next.code()
	return func(f *frame, v *schema.Value) bool { return n.run(f, v) }
}

func (it *sixContext) call(fn *sixFunction, async bool) op {
	if async && !it.async {
		throw("async schema referenced by sync schema")
	}
	return func(f *frame, v *schema.Value) bool {
		if fn.uncallable != "" {
			if fn.scalarsOnly && js.TypeOf(v) == "object" && v.Kind != schema.Null {
				f.st.throw("Cannot convert undefined or null to object")
			}
			f.st.throw(fn.uncallable)
			return false
		}
		return fn.code.run(f.st, v)
	}
}

// resolveRef finds what a $ref leads to. A reference that is being resolved is
// already known, as a function to come.
func (c *sixInstance) resolveRef(root *sixEnv, baseID, ref string) *sixRef {
	ref = sixURI.resolveURL(baseID, ref)
	switch { // the table of references is a plain object, and what it gives goes into the code
	case ref == "__proto__":
		throw("Unexpected identifier 'Object'")
	case js.Inherited(ref):
		throw("Unexpected identifier 'code'")
	}
	if r := root.refs[ref]; r != nil {
		return r
	}
	if root.refs == nil {
		root.refs = map[string]*sixRef{}
	}
	r := &sixRef{fn: &sixFunction{}}
	root.refs[ref] = r
	if c.resolve(r, root, ref, 0) {
		return r
	}
	if s := root.localRefs[ref]; s != nil {
		c.target(r, root, s, baseID, ref)
		return r
	}
	delete(root.refs, ref)
	return nil
}

// target makes r lead to a schema: inlined when it holds no reference.
func (c *sixInstance) target(r *sixRef, root *sixEnv, s *schema.Value, baseID, ref string) {
	if s.Kind == js.FunctionKind {
		r.callInherited(ref[strings.LastIndexByte(ref, '/')+1:])
		return
	}
	if js.TypeOf(s) != "object" && s.Kind != schema.Bool {
		r.fn.uncallable = "refVal" + strconv.Itoa(len(root.refs)) + " is not a function"
		return
	}
	if !sixHasRef(s) {
		r.inline = s
		return
	}
	c.function(r.fn, root, s, baseID)
}

// callInherited: an inherited function is called as if it were a compiled schema.
func (r *sixRef) callInherited(name string) {
	truthy, thrown := js.CallInherited(name)
	switch {
	case truthy:
		r.inline = schema.Flag(true)
	case thrown != "":
		r.fn.uncallable = thrown
	default: // isPrototypeOf says false of a scalar and looks at itself for an object
		r.fn.uncallable, r.fn.scalarsOnly = "Cannot read properties of undefined (reading 'length')", true
	}
}

func (c *sixInstance) resolve(r *sixRef, root *sixEnv, ref string, hops int) bool {
	if hops > maxRefHops {
		stackOverflow()
	}
	e := c.envs[ref]
	if alias, ok := c.aliases[ref]; ok {
		if e = c.envs[alias]; e == nil {
			return c.resolve(r, root, alias, hops+1)
		}
	}
	if e != nil {
		if !sixHasRef(e.schema) {
			r.inline = e.schema
		} else {
			r.fn = c.compileEnv(e)
		}
		return true
	}
	found, from, baseID := c.resolveSchema(root, ref, 0)
	if found == nil {
		return false
	}
	c.target(r, from, found, baseID, ref)
	return true
}

// resolveSchema finds the schema for a full reference, its document and base.
func (c *sixInstance) resolveSchema(root *sixEnv, ref string, hops int) (*schema.Value, *sixEnv, string) {
	if hops > maxRefHops {
		stackOverflow()
	}
	parsed := sixURI.parse(ref)
	refPath := sixURI.baseOf(parsed)
	baseID := sixURI.fullPath(normalizeIDValue(root.schema.Get("$id")))
	if len(root.schema.Members) == 0 || refPath != baseID {
		id := normalizeID(refPath)
		if alias, ok := c.aliases[id]; ok {
			s, from, base := c.resolveSchema(root, alias, hops+1)
			if s == nil {
				return nil, nil, ""
			}
			if own := s.Get("$id"); js.Truthy(own) {
				base = sixURI.resolveURL(base, normalizeIDValue(own))
			}
			return c.pointer(parsed, base, s, from, hops)
		}
		e := c.envs[id]
		if e == nil {
			return nil, nil, ""
		}
		c.compileEnv(e)
		root = e
		baseID = sixURI.fullPath(normalizeIDValue(root.schema.Get("$id")))
	}
	return c.pointer(parsed, baseID, root.schema, root, hops)
}

// pointer follows a fragment; it goes through a $ref wherever it meets one.
func (c *sixInstance) pointer(parsed *uri.Components, baseID string, s *schema.Value, root *sixEnv, hops int) (*schema.Value, *sixEnv, string) {
	fragment := parsed.Fragment()
	if !strings.HasPrefix(fragment, "/") {
		return nil, nil, ""
	}
	for _, part := range strings.Split(fragment[1:], "/") {
		if part == "" {
			continue
		}
		part = unescapeFragment(part)
		if s = property(s, part); s == nil {
			return nil, nil, ""
		}
		if scopeKeepers[part] || js.Inherited(part) {
			continue
		}
		if s.Kind == schema.Null {
			throw("Cannot read properties of null (reading 'id')")
		}
		if id := s.Get("$id"); js.Truthy(id) {
			baseID = sixURI.resolveURL(baseID, normalizeIDValue(id))
		}
		if ref := s.Get("$ref"); js.Truthy(ref) {
			found, from, base := c.resolveSchema(root, sixURI.resolveURL(baseID, normalizeIDValue(ref)), hops+1)
			if found != nil {
				s, root, baseID = found, from, base
			}
		}
	}
	if s == root.schema {
		return nil, nil, ""
	}
	return s, root, baseID
}

// known is getSchema.
func (c *sixInstance) known(ref string) *sixFunction {
	id := normalizeID(ref)
	for i := 0; i < maxRefHops; i++ {
		if e := c.envs[id]; e != nil {
			return c.compileEnv(e)
		}
		next, ok := c.aliases[id]
		if !ok {
			break
		}
		id, ref = normalizeID(next), next
	}
	s, root, baseID := c.resolveSchema(&sixEnv{schema: schema.Obj()}, ref, 0)
	if s == nil {
		return nil
	}
	fn := &sixFunction{}
	c.function(fn, root, s, baseID)
	return fn
}

// sixHasRef looks for a member "$ref" anywhere.
func sixHasRef(s *schema.Value) bool {
	for _, item := range s.Items {
		if sixHasRef(item) {
			return true
		}
	}
	for _, m := range s.Members {
		if m.Key == "$ref" || sixHasRef(m.Value) {
			return true
		}
	}
	return false
}
