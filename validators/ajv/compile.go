package ajv

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// Limits of one compilation.
const (
	maxNodes     = 300_000
	maxWalkDepth = 10_000
)

// instance is one Ajv instance: options and the schemas it knows.
type instance struct {
	opts *options
	uri  resolver
	registry
	compiling []*env
	nodes     int
	stack     callStack
	track     bool // the document has unevaluated*: what was evaluated matters
}

// env is one schema to be compiled to a function, Ajv's SchemaEnv.
type env struct {
	schema    *schema.Value
	root      *env
	baseID    string
	localRefs map[string]*schema.Value
	meta      bool
	async     bool
	refs      map[string]resolved // of a root: what its references led to
	anchors   map[string]bool     // of a root: dynamic anchors met so far
	name      *function           // the function while it is compiled
	validate  *function           // and when it is ready
}

// resolved is a schema to be inlined or a function to be called.
type resolved struct {
	inline *schema.Value
	env    *env
}

// function is a compiled schema.
type function struct {
	body      *node
	async     bool
	evaluated evaluated // what it evaluates, when known beforehand
	stack     int       // bytes of Node's stack that a call takes, roughly
	props     int       // variables
	items     int
	flags     int
}

// compileFailure carries a compile error up to Compile.
type compileFailure struct{ err error }

// throw ends the compilation with an exception's message.
func throw(parts ...string) {
	panic(compileFailure{&validators.CompileError{Text: strings.Join(parts, "")}})
}

// unknown ends it because the emulation can't tell.
func unknown(reason string) { panic(compileFailure{&validators.UnknownError{Reason: reason}}) }

// stackOverflow is Node's error for recursion without end.
func stackOverflow() { throw("Maximum call stack size exceeded") }

// newEnv is the constructor: without baseID the schema's own id is the base.
func newEnv(s *schema.Value, root *env, baseID *string) *env {
	e := &env{schema: s, root: root, async: js.Truthy(s.Get("$async"))}
	if root == nil {
		e.root = e
	}
	if baseID != nil {
		e.baseID = *baseID
	} else {
		e.baseID = normalizeIDValue(s.Get("$id"))
	}
	return e
}

// compile turns an env into a function; an env for the same schema that is being
// compiled is returned as it is.
func (c *instance) compile(e *env) *env {
	for _, other := range c.compiling {
		if other.schema == e.schema && other.root == e.root && other.baseID == e.baseID {
			return other
		}
	}
	rootID := c.uri.fullPath(e.root.baseID)
	fn := &function{async: e.async, stack: 150}
	e.name = fn
	it := &context{c: c, env: e, fn: fn, schema: e.schema, baseID: e.baseID, allErrors: c.opts.allErrors}
	if it.baseID == "" {
		it.baseID = rootID
	}
	c.compiling = append(c.compiling, e)
	defer c.stack.leave(c.stack.grow(referenceBytes))
	fn.body = it.code()
	c.compiling = c.compiling[:len(c.compiling)-1]
	fn.setEvaluated(it)
	e.validate = fn
	return e
}

// context is the place in the schema that is being compiled, Ajv's "it".
type context struct {
	c         *instance
	env       *env
	fn        *function
	schema    *schema.Value
	baseID    string
	path      *place
	allErrors bool
	composite bool // inside a branch whose errors may be dropped
	evaluated
}

// place is the schema path of a context, for messages.
type place struct {
	up       *place
	absolute string // start of the path when up is nil: "#" or the text of a $ref
	keyword  string
	member   string
	isMember bool
}

// last is the keyword under which the place lies.
func (p *place) last() string {
	if p == nil {
		return ""
	}
	return p.keyword
}

func (p *place) String() string {
	switch {
	case p == nil:
		return "#"
	case p.keyword == "":
		return p.absolute
	case p.isMember:
		return p.up.String() + "/" + p.keyword + "/" + encodeURIComponent(schema.EscapeToken(p.member))
	}
	return p.up.String() + "/" + p.keyword
}

// code compiles the context's schema in place.
func (it *context) code() *node {
	s := it.schema
	if s.Kind == schema.Bool {
		if s.Bool {
			return &node{always: alwaysValid}
		}
		return &node{always: alwaysFalse, falsity: it.site("false schema", "boolean schema is false")}
	}
	if s.Kind == schema.Null {
		throw("Cannot read properties of null (reading '$ref')")
	}
	if it.c.nodes++; it.c.nodes > maxNodes {
		unknown("the schema has more than 300,000 subschemas once references are followed")
	}
	it.fn.stack += 24
	defer it.c.stack.leave(it.c.stack.enter(it.path.last()))
	it.checkUnknown(s)
	if !it.hasRules(s) {
		return &node{always: alwaysValid}
	}
	if it.path != nil {
		if id := s.Get("$id"); js.Truthy(id) {
			it.baseID = it.c.uri.resolveURL(it.baseID, normalizeIDValue(id))
		}
		if js.Truthy(s.Get("$async")) && !it.env.async {
			throw("async schema in sync schema")
		}
	}
	n := &node{allErrors: it.allErrors}
	it.typeAndKeywords(n)
	return n
}

func (it *context) typeAndKeywords(n *node) {
	types, text := it.schemaTypes(it.schema)
	inGroup := len(types) == 1 && it.usesGroup(groupOf(types[0]))
	if len(types) > 0 && !inGroup {
		n.types = it.typeSet(types)
		n.wrongType = it.site("type", "must be "+text)
	}
	if js.Truthy(it.schema.Get("$ref")) && !it.hasRulesButRef(it.schema) {
		n.groups = []group{{ops: it.keyword(nil, it.c.opts.rules.ref)}}
		return
	}
	for i := range it.c.opts.rules.groups {
		rules := &it.c.opts.rules.groups[i]
		var g group
		used := false
		for _, r := range rules.rules {
			if it.schema.Has(r.keyword) {
				used = true
				g.ops = it.keywordIn(g.ops, r, rules.kind)
			}
		}
		if !used {
			continue
		}
		g.types = it.groupTypes(rules.kind)
		if inGroup && types[0] == rules.kind {
			g.typeError = it.site("type", "must be "+text)
		}
		n.groups = append(n.groups, g)
	}
}

// site makes the error of a keyword of the context's schema.
func (it *context) site(keyword, message string) *site {
	return &site{keyword: keyword, message: message, owner: it.schema, returns: !it.allErrors && !it.composite}
}

// hasRules reports whether any keyword of the schema has code. The library looks
// names up in a plain object, so that a member "toString" counts.
func (it *context) hasRules(s *schema.Value) bool {
	for _, m := range s.Members {
		if it.c.opts.rules.isRule(m.Key) {
			return true
		}
	}
	return false
}

func (it *context) hasRulesButRef(s *schema.Value) bool { return it.c.hasRulesButRef(s) }

func (c *instance) hasRulesButRef(s *schema.Value) bool {
	for _, m := range s.Members {
		if m.Key != "$ref" && c.opts.rules.isRule(m.Key) {
			return true
		}
	}
	return false
}

// trivial is alwaysValidSchema: true, {} and whatever has no keyword with code. A
// number or a string as a schema has no keywords either.
func (it *context) trivial(s *schema.Value) bool {
	switch s.Kind {
	case schema.Bool:
		return s.Bool
	case schema.Null:
		throw("Cannot convert undefined or null to object")
	}
	it.checkUnknown(s)
	return !it.hasRules(s)
}

// sub says which subschema to compile and how.
type sub struct {
	keyword   string
	member    string
	isMember  bool
	schema    *schema.Value
	composite bool
	firstOnly bool // stop at the first error, errors are never shown
	ref       string
}

// subschema compiles a subschema in place; the context tells what it evaluates.
func (it *context) subschema(s sub) (*node, *context) {
	next := &context{c: it.c, env: it.env, fn: it.fn, schema: s.schema, baseID: it.baseID,
		allErrors: it.allErrors && !s.firstOnly, composite: it.composite || s.composite}
	next.path = &place{up: it.path, keyword: s.keyword, member: s.member, isMember: s.isMember}
	if s.ref != "" {
		next.path = &place{absolute: s.ref}
	}
	if s.isMember && hasLoneSurrogate(s.member) {
		throw("URI malformed")
	}
	return next.code(), next
}
