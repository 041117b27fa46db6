package ajv

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/js"
	"github.com/hostmatrix/conform/validators/ajv/metaschema"
	"github.com/hostmatrix/conform/validators/regex"
)

// The files six*.go are Ajv 6. It makes the same kind of code as Ajv 8 in another
// order, so it compiles to the same nodes: numbers, strings, arrays, objects, then
// the keywords for any type; $ref hides everything beside it except a type that
// has no keywords of its own; the first error ends the validation.

// sixInstance is one `new Ajv()` of Ajv 6.
type sixInstance struct {
	envs    map[string]*sixEnv
	aliases map[string]string
	nodes   int
	stack   callStack
}

// sixEnv is a document with its id, or the root of a compilation.
type sixEnv struct {
	schema    *schema.Value
	localRefs map[string]*schema.Value
	validate  *sixFunction
	refs      map[string]*sixRef
}

// sixRef is what a reference leads to; a function may still be in the making.
type sixRef struct {
	inline *schema.Value
	fn     *sixFunction
}

// sixFunction is a function that may be called before its code is ready.
type sixFunction struct {
	code       *function
	async      bool
	uncallable string // what calling it throws: the reference led to no schema
	// scalarsOnly: that is for scalars, objects and arrays throw something else.
	scalarsOnly bool
}

// sixContext is the place in the schema that is being compiled.
type sixContext struct {
	c         *sixInstance
	root      *sixEnv
	self      *sixFunction // the function that is being compiled
	isRoot    bool         // it is the root's
	async     bool
	schema    *schema.Value
	baseID    string
	path      *place
	composite bool
	top       bool
	patterns  *[]*pattern // compiled when the function is made
}

func compileSix(document *schema.Value) (v validators.Validator, err error) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case compileFailure:
			v, err = nil, failure.err
		default:
			panic(failure)
		}
	}()
	c := newSix()
	e := c.add(document)
	fn := c.compileEnv(e)
	c.stack.settle()
	return newValidator(document, fn.code, sixPath), nil
}

// sixMeta is the compiled metaschema, the same in every instance.
var sixMeta = sync.OnceValue(func() *sixFunction {
	c := newSixWith(nil)
	return c.compileEnv(c.envs["http://json-schema.org/draft-07/schema"])
})

func newSix() *sixInstance { return newSixWith(sixMeta()) }

// newSixWith makes an instance that knows the metaschema, already compiled or not.
func newSixWith(compiled *sixFunction) *sixInstance {
	meta := metaschema.Documents("draft-07")[0] // it has no ids inside
	id := normalizeIDValue(meta.Get("$id"))
	return &sixInstance{envs: map[string]*sixEnv{id: {schema: meta, validate: compiled}},
		aliases: map[string]string{"http://json-schema.org/schema": id}}
}

// add registers a document, which is checked against its metaschema first.
func (c *sixInstance) add(document *schema.Value) *sixEnv {
	switch {
	case document.Kind == schema.Null:
		throw("Cannot read properties of null (reading 'id')")
	case document.Kind != schema.Bool && js.TypeOf(document) != "object":
		throw("schema should be object or boolean")
	}
	id := normalizeIDValue(document.Get("$id"))
	if _, alias := c.aliases[id]; id != "" && (alias || c.envs[id] != nil) {
		throw(`schema with key or id "`, id, `" already exists`)
	}
	itself := id != "" && id == normalizeIDValue(document.Get("$schema"))
	if !itself {
		c.checkSchema(document)
	}
	e := &sixEnv{schema: document, localRefs: c.collectIDs(document)}
	if id == "" || id[0] != '#' {
		c.envs[id] = e
		delete(c.aliases, id)
	}
	if itself {
		c.checkSchema(document)
	}
	return e
}

func (c *sixInstance) checkSchema(document *schema.Value) {
	declared := document.Get("$schema")
	name, ok := declared.IsString()
	if declared != nil && !ok {
		throw("$schema must be a string")
	}
	if name == "" {
		name = "http://json-schema.org/draft-07/schema"
	}
	fn := c.known(name)
	if fn == nil {
		throw(`no schema with key or ref "`, name, `"`)
	}
	st := newState()
	defer st.release()
	if fn.code.run(st, document) {
		return
	}
	switch {
	case st.stop != nil && st.stop.Outcome == validators.Thrown:
		throw(st.stop.Text)
	case st.stop != nil:
		unknown("the check against the metaschema: " + st.stop.Text)
	}
	throw("schema is invalid: ", st.text(sixPath))
}

// compileEnv compiles a whole document.
func (c *sixInstance) compileEnv(e *sixEnv) *sixFunction {
	if e.validate != nil {
		return e.validate
	}
	e.validate = &sixFunction{}
	c.function(e.validate, e, e.schema, "")
	return e.validate
}

// function fills in the code of a function.
func (c *sixInstance) function(fn *sixFunction, root *sixEnv, s *schema.Value, baseID string) {
	fn.async = s.Get("$async").IsTrue()
	it := &sixContext{c: c, root: root, self: fn, isRoot: root.schema == s, async: fn.async, schema: s, top: true,
		baseID: baseID, patterns: &[]*pattern{}}
	if it.baseID == "" {
		it.baseID = sixURI.fullPath(normalizeIDValue(root.schema.Get("$id")))
	}
	defer c.stack.leave(c.stack.grow(referenceBytes))
	body := it.code()
	for _, p := range *it.patterns {
		*p = *compilePatternIn(regex.ECMA, p.source)
	}
	fn.code = &function{body: body, async: fn.async, stack: 180}
}

// code compiles the context's schema in place.
func (it *sixContext) code() *node {
	s := it.schema
	if s.Kind == schema.Bool {
		if s.Bool {
			return &node{always: alwaysValid}
		}
		return &node{always: alwaysFalse, falsity: it.site("false schema", "boolean schema is false")}
	}
	if s.Kind == schema.Null {
		throw("Cannot read properties of null (reading '$async')")
	}
	if it.c.nodes++; it.c.nodes > maxNodes {
		unknown("the schema has more than 300,000 subschemas once references are followed")
	}
	defer it.c.stack.leave(it.c.stack.enter(it.path.last()))
	others, ref := sixHasRules(s, "$ref"), js.Truthy(s.Get("$ref"))
	if !others && !ref {
		return &node{always: alwaysValid}
	}
	if !it.top {
		if id := s.Get("$id"); js.Truthy(id) {
			it.baseID = sixURI.resolveURL(it.baseID, normalizeIDValue(id))
		}
		if s.Get("$async").IsTrue() && !it.async {
			throw("async schema in sync schema")
		}
	}
	it.top = false
	n := &node{}
	types, text := sixTypes(s)
	inGroup := ""
	if len(types) == 1 && it.usesGroup(types[0]) {
		inGroup = types[0]
	} else if len(types) > 0 {
		n.types, n.wrongType = typeBitsOf(types), it.site("type", "should be "+text)
	}
	if ref {
		n.groups = []group{{ops: it.keyword(nil, sixGroups[4].rules[0], "")}}
		return n
	}
	for _, rules := range sixGroups {
		var g group
		used := false
		for i := range rules.rules {
			if rules.rules[i].used(s) {
				used = true
				g.ops = it.keyword(g.ops, rules.rules[i], rules.kind)
			}
		}
		if !used {
			continue
		}
		if rules.kind != "" {
			g.types = typeBits[rules.kind]
			if inGroup == rules.kind {
				g.typeError = it.site("type", "should be "+inGroup)
			}
		}
		n.groups = append(n.groups, g)
	}
	return n
}

func (it *sixContext) keyword(ops []op, r sixRule, kind string) []op {
	if code := r.compile(it, r.keyword, kind); code != nil {
		ops = append(ops, code)
	}
	return ops
}

func (it *sixContext) usesGroup(kind string) bool {
	for _, g := range sixGroups {
		if kind == "" || g.kind != kind {
			continue
		}
		for i := range g.rules {
			if g.rules[i].used(it.schema) {
				return true
			}
		}
	}
	return false
}

func (it *sixContext) site(keyword, message string) *site {
	return &site{keyword: keyword, message: message, owner: it.schema, returns: !it.composite}
}

// sub compiles a subschema in place. composite: its errors may be dropped.
func (it *sixContext) sub(s *schema.Value, composite bool, keyword string, member ...string) *node {
	next := *it
	next.schema = s
	next.composite = it.composite || composite
	next.path = &place{up: it.path, keyword: keyword}
	if len(member) > 0 {
		if hasLoneSurrogate(member[0]) {
			throw("URI malformed")
		}
		next.path.member, next.path.isMember = member[0], true
	}
	return next.code()
}

// pattern notes an expression, to be compiled when the function is made.
func (it *sixContext) pattern(source string) *pattern {
	for _, p := range *it.patterns {
		if p.source == source {
			return p
		}
	}
	p := &pattern{source: source}
	*it.patterns = append(*it.patterns, p)
	return p
}
