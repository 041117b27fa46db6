package ajv

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
	"github.com/hostmatrix/conform/validators/ajv/uri"
)

// maxRefHops bounds a chain of schemas that are nothing but a $ref; the library
// recurses there without end when the chain is a circle.
const maxRefHops = 2000

// normalizeIDValue is normalizeID of a member of a schema, whatever it is.
func normalizeIDValue(id *schema.Value) string {
	if !js.Truthy(id) {
		return ""
	}
	s, ok := id.IsString()
	if !ok {
		throw("id.replace is not a function")
	}
	return normalizeID(s)
}

// normalizeID takes one trailing "#" or "#/" away.
func normalizeID(id string) string {
	if s, ok := strings.CutSuffix(id, "#/"); ok {
		return s
	}
	return strings.TrimSuffix(id, "#")
}

// fullPath is the normal form of an id up to its fragment, with a "#" at the end.
func (r resolver) fullPath(id string) string { return r.base(normalizeID(id)) }

// resolver is the URI library of an instance.
type resolver struct{ uri.Flavor }

func (r resolver) parse(id string) *uri.Components {
	c, err := r.Parse(id)
	if err != nil {
		throwURI(err)
	}
	return c
}

// base is fullPath of an id taken as it is.
func (r resolver) base(id string) string { return r.baseOf(r.parse(id)) }

func (r resolver) baseOf(c *uri.Components) string {
	s, err := c.Base()
	if err != nil {
		throwURI(err)
	}
	return s
}

func (r resolver) resolveURL(baseID, id string) string { return r.resolveRaw(baseID, normalizeID(id)) }

func (r resolver) resolveRaw(baseID, id string) string {
	s, err := r.Resolve(baseID, id)
	if err != nil {
		throwURI(err)
	}
	return s
}

func throwURI(err error) {
	if errors.Is(err, uri.ErrHost) {
		unknown("an id or $ref has a host name that needs Node's URL parser")
	}
	throw(err.Error())
}

// resolveRef finds what a $ref leads to: a schema to inline when it holds no
// reference itself, else a function. nil means that there is nothing.
func (c *instance) resolveRef(root *env, baseID, ref string) *resolved {
	ref = c.uri.resolveURL(baseID, ref)
	if js.Inherited(ref) {
		return &resolved{inline: js.Function} // the table of references is a plain object
	}
	if r, ok := root.refs[ref]; ok {
		return &r
	}
	target, end := c.lookup(ref)
	if target == nil {
		target = c.resolveSchema(root, end, 0)
	}
	if target == nil {
		if s := root.localRefs[ref]; s != nil {
			target = newEnv(s, root, &baseID)
		}
	}
	if target == nil {
		return nil
	}
	var r resolved
	switch {
	case !c.hasRef(target.schema):
		r.inline = target.schema
	case target.validate != nil:
		r.env = target
	default:
		r.env = c.compile(target)
	}
	if root.refs == nil {
		root.refs = map[string]resolved{}
	}
	root.refs[ref] = r
	return &r
}

// lookup follows aliases to a schema known by its id, or to where they end.
func (c *instance) lookup(ref string) (*env, string) {
	for i := 0; i < maxRefHops; i++ {
		next, ok := c.alias(ref)
		if !ok {
			break
		}
		ref = next
	}
	return c.env(ref), ref
}

// resolveSchema resolves a full reference against the root's own document first,
// then against the ids that the instance knows.
func (c *instance) resolveSchema(root *env, ref string, hops int) *env {
	if hops > maxRefHops {
		stackOverflow()
	}
	parsed := c.uri.parse(ref)
	refPath := c.uri.baseOf(parsed)
	baseID := c.uri.fullPath(root.baseID)
	if root.schema.Kind != schema.Bool && len(root.schema.Members) > 0 && refPath == baseID {
		return c.pointer(parsed, root, hops)
	}
	id := normalizeID(refPath)
	if alias, ok := c.alias(id); ok {
		e := c.resolveSchema(root, alias, hops+1)
		if e == nil || !isObjectType(e.schema) {
			return nil
		}
		return c.pointer(parsed, e, hops)
	}
	e := c.env(id)
	if e == nil || !isObjectType(e.schema) {
		return nil
	}
	if e.validate == nil {
		c.compile(e)
	}
	if id == normalizeID(ref) {
		if own := e.schema.Get("$id"); js.Truthy(own) {
			baseID = c.uri.resolveURL(baseID, normalizeIDValue(own))
		}
		return newEnv(e.schema, root, &baseID)
	}
	return c.pointer(parsed, e, hops)
}

func isObjectType(s *schema.Value) bool { return js.TypeOf(s) == "object" }

// scopeKeepers are the keywords whose own "$id" member is a name, not an id.
var scopeKeepers = map[string]bool{"properties": true, "patternProperties": true, "enum": true,
	"dependencies": true, "definitions": true}

// pointer follows a JSON pointer fragment inside a schema, changing the base where
// it passes an id. It gives nothing for a plain name and for the document itself.
func (c *instance) pointer(parsed *uri.Components, from *env, hops int) *env {
	fragment := parsed.Fragment()
	if !strings.HasPrefix(fragment, "/") {
		return nil
	}
	s, baseID := from.schema, from.baseID
	for _, part := range strings.Split(fragment[1:], "/") {
		if s.Kind == schema.Bool {
			return nil
		}
		s = property(s, unescapeFragment(part))
		if s == nil {
			return nil
		}
		if isObjectType(s) && s.Kind == schema.Null {
			throw("Cannot read properties of null (reading '$id')")
		}
		if id := s.Get("$id"); !scopeKeepers[part] && js.Truthy(id) {
			baseID = c.uri.resolveURL(baseID, normalizeIDValue(id))
		}
	}
	if s.Kind != schema.Bool {
		if ref := s.Get("$ref"); js.Truthy(ref) && !c.hasRulesButRef(s) {
			if found := c.resolveSchema(from.root, c.uri.resolveURL(baseID, normalizeIDValue(ref)), hops+1); found != nil {
				return notRoot(found)
			}
		}
	}
	return notRoot(newEnv(s, from.root, &baseID))
}

func notRoot(e *env) *env {
	if e.schema == e.root.schema {
		return nil
	}
	return e
}

// property is s[name] in JavaScript for any value of a schema document.
func property(s *schema.Value, name string) *schema.Value {
	switch s.Kind {
	case schema.Object:
		return js.Get(s, name)
	case schema.Array:
		if v := s.Lookup(schema.Pointer{name}); v != nil {
			return v
		}
	case schema.String:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < schema.UTF16Len(s.Text) {
			return schema.Str("?") // some character: a string is no schema, whichever it is
		}
	}
	if s.Kind == js.FunctionKind && name == "name" {
		return schema.Str("Object") // the one constructor that is named unlike its property
	}
	if js.Inherited(name) {
		return js.Function
	}
	return nil
}

// unescapeFragment decodes the percent and tilde escapes of a pointer's token.
func unescapeFragment(part string) string {
	if strings.Contains(part, "%") {
		decoded, err := url.PathUnescape(part)
		if err != nil || strings.ToValidUTF8(decoded, "") != decoded {
			throw("URI malformed")
		}
		part = decoded
	}
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

// hasRef reports whether a schema holds a reference anywhere, which keeps it from
// being inlined. It looks at every member, names of properties included.
func (c *instance) hasRef(s *schema.Value) bool {
	switch s.Kind {
	case schema.Object:
		for _, m := range s.Members {
			switch m.Key {
			case "$ref", "$recursiveRef", "$recursiveAnchor", "$dynamicRef", "$dynamicAnchor":
				return true
			}
			if c.hasRef(m.Value) {
				return true
			}
		}
	case schema.Array:
		for _, item := range s.Items {
			if c.hasRef(item) {
				return true
			}
		}
	}
	return false
}
