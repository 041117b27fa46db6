package ajv

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// validator is a compiled document.
type validator struct {
	document  *schema.Value
	fn        *function
	writePath func(*strings.Builder, token)
	parents   func() map[*schema.Value]parent
}

// compileDocument is what the SDK does with a tool's schema.
func compileDocument(choose engine, asks string, document *schema.Value) (v validators.Validator, err error) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case compileFailure:
			v, err = nil, failure.err
		default:
			panic(failure)
		}
	}()
	if asks != "" && document.Kind != schema.Object && document.Kind != schema.Array {
		throw("Cannot use 'in' operator to search for '", asks, "' in ", js.String(document))
	}
	opts := choose(document)
	c := newInstance(opts, tracks(document))
	var e *env
	if id, ok := document.Get("$id").IsString(); asks != "" && ok {
		e = c.known(id)
	}
	if e == nil {
		e = c.addAndCompile(document)
	}
	c.stack.settle()
	return newValidator(document, e.validate, pointerPath), nil
}

func newValidator(document *schema.Value, fn *function, writePath func(*strings.Builder, token)) *validator {
	return &validator{document: document, fn: fn, writePath: writePath,
		parents: sync.OnceValue(func() map[*schema.Value]parent { return parents(document) })}
}

// newInstance is an instance that knows the metaschemas of its dialect.
func newInstance(opts *options, track bool) *instance {
	return &instance{opts: opts, uri: resolver{opts.uri}, track: track && opts.unevaluated,
		registry: registry{meta: metaTableOf(opts)}}
}

// known is getSchema: a schema that the instance has under an id, compiled.
func (c *instance) known(id string) *env {
	e, end := c.lookup(normalizeID(id))
	if e == nil {
		e = c.resolveSchema(newEnv(schema.Obj(), nil, nil), end, 0)
	}
	if e != nil && e.validate == nil {
		if e.meta {
			e.validate = c.compiledMeta(e)
		} else {
			e = c.compile(e)
		}
	}
	return e
}

// metaFunctions keeps compiled metaschemas: they are the same in every instance
// with the same options.
var metaFunctions sync.Map

type metaKey struct {
	opts *options
	id   string
}

// compiledMeta compiles a metaschema, whose formats are never checked: the library
// keeps the options of its constructor, which turns formats off while it runs.
func (c *instance) compiledMeta(e *env) *function {
	key := metaKey{c.opts, e.baseID}
	if fn, ok := metaFunctions.Load(key); ok {
		return fn.(*function)
	}
	opts := *c.opts
	opts.ignoreFormats = true
	fresh := newInstance(&opts, false)
	target := fresh.compile(fresh.env(e.baseID))
	fn, _ := metaFunctions.LoadOrStore(key, target.validate)
	return fn.(*function)
}

// addAndCompile registers the document and compiles it.
func (c *instance) addAndCompile(document *schema.Value) *env {
	switch {
	case document.Kind == schema.Null:
		throw("Cannot read properties of null (reading '$id')")
	case document.Kind != schema.Bool && js.TypeOf(document) != "object":
		throw("schema must be object or boolean")
	}
	baseID := normalizeIDValue(document.Get("$id"))
	local := c.collectIDs(document, baseID)
	e := newEnv(document, nil, &baseID)
	e.localRefs = local
	if baseID == "" || baseID[0] != '#' {
		if baseID != "" {
			c.unique(baseID)
		}
		c.setEnv(baseID, e)
	}
	if c.opts.validateSchema {
		c.checkSchema(document)
	}
	return c.compile(e)
}

func (c *instance) unique(id string) {
	_, alias := c.alias(id)
	if alias || c.env(id) != nil {
		throw(`schema with key or id "`, id, `" already exists`)
	}
}

// checkSchema validates the document against its metaschema.
func (c *instance) checkSchema(document *schema.Value) {
	if document.Kind == schema.Bool {
		return
	}
	declared := document.Get("$schema")
	name, ok := declared.IsString()
	if declared != nil && !ok {
		throw("$schema must be a string")
	}
	if name == "" {
		name = "http://json-schema.org/draft-07/schema"
		if c.opts.dialect != "draft-07" {
			name = "https://json-schema.org/draft/" + c.opts.dialect + "/schema"
		}
	}
	e := c.known(name)
	if e == nil {
		throw(`no schema with key or ref "`, name, `"`)
	}
	st := newState()
	defer st.release()
	if !e.validate.run(st, document) {
		if st.stop != nil && st.stop.Outcome == validators.Thrown {
			throw(st.stop.Text)
		}
		if st.stop != nil {
			unknown("the check against the metaschema: " + st.stop.Text)
		}
		throw("schema is invalid: ", st.text(pointerPath))
	}
}

// tracks reports whether it shows what a document evaluates: it has unevaluated*, or
// patternProperties, which trip over a variable that was never set.
func tracks(s *schema.Value) bool {
	for _, item := range s.Items {
		if tracks(item) {
			return true
		}
	}
	for _, m := range s.Members {
		if m.Key == "unevaluatedProperties" || m.Key == "unevaluatedItems" || m.Key == "patternProperties" || tracks(m.Value) {
			return true
		}
	}
	return false
}

// Validate checks one instance. A schema with $async gives a promise, which the
// SDKs take for true.
func (v *validator) Validate(instance *schema.Value) validators.Result {
	if v.fn.async {
		return validators.Result{Outcome: validators.Valid}
	}
	st := newState()
	defer st.release()
	ok := v.fn.run(st, instance)
	switch {
	case st.stop != nil:
		return *st.stop
	case st.near:
		return validators.Result{Outcome: validators.Unknown,
			Text: "the data nests so deep that checking it comes near the end of Node's stack"}
	case ok:
		return validators.Result{Outcome: validators.Valid}
	}
	return validators.Result{Outcome: validators.Invalid, Text: st.text(v.writePath), Violations: v.violations(st)}
}

// maxViolations bounds the errors of one validation that are told with their places;
// the text names all.
const maxViolations = 1_000

func (v *validator) violations(st *state) []validators.Violation {
	out := make([]validators.Violation, min(len(st.errs), maxViolations))
	for i := range out {
		e := &st.errs[i]
		at := schema.Pointer{}
		for _, t := range st.trail[e.from:e.to] {
			name := t.name
			if t.kind == itemToken {
				name = strconv.Itoa(t.index)
			}
			at = append(at, name)
		}
		out[i] = validators.Violation{Message: e.words(), Keyword: e.site.keyword, Instance: at, Schema: v.place(e.site.owner)}
		if e.site.keyword != "false schema" && out[i].Schema != nil {
			out[i].Schema = out[i].Schema.Append(e.site.keyword)
		}
	}
	return out
}

// parent says where a value of a document stands.
type parent struct {
	of    *schema.Value
	token string
}

// parents maps every object, array and boolean of a document to what holds it.
func parents(document *schema.Value) map[*schema.Value]parent {
	out := map[*schema.Value]parent{document: {}}
	var walk func(s *schema.Value)
	note := func(v, of *schema.Value, token string) {
		switch v.Kind {
		case schema.Bool, schema.Object, schema.Array:
			out[v] = parent{of, token}
			walk(v)
		}
	}
	walk = func(s *schema.Value) {
		for i, item := range s.Items {
			note(item, s, strconv.Itoa(i))
		}
		for _, m := range s.Members {
			note(m.Value, s, m.Key)
		}
	}
	walk(document)
	return out
}

// place is the pointer to a value of the document; nil when it isn't of it.
func (v *validator) place(s *schema.Value) schema.Pointer {
	links := v.parents()
	if _, ok := links[s]; !ok {
		return nil
	}
	at := schema.Pointer{}
	for s != v.document {
		link := links[s]
		at = append(at, link.token)
		s = link.of
	}
	slices.Reverse(at)
	return at
}
