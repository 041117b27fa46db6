package pyjsonschema

import (
	"sort"
	"strconv"
	"strings"
)

// step is one element of an error's path: a member name or an array index.
type step struct {
	key     string
	index   int
	isIndex bool
}

func (s step) repr() string {
	if s.isIndex {
		return strconv.Itoa(s.index)
	}
	return reprStr(s.key)
}

// failure is a jsonschema ValidationError. Paths grow at the front while the
// error travels up, so they are kept back to front.
type failure struct {
	message string
	keyword string // "" stands for None: a false schema
	limit   *value // the keyword's value
	instance,
	schema *value
	path, schemaPath []step // innermost first
	context          []*failure
	parent           *failure
	draft            *draft // whose type checker the error carries
	placed           bool   // keyword, instance and schema are known
}

func (e *failure) place(keyword string, limit, instance, schema *value, d *draft) {
	if e.draft == nil {
		e.draft = d
	}
	if e.placed {
		return
	}
	e.placed = true
	if e.keyword == "" {
		e.keyword, e.limit = keyword, limit
	}
	e.instance, e.schema = instance, schema
}

func falseSchema(instance *value) *failure {
	return &failure{placed: true, instance: instance, schema: pyFalse}
}

// words is the message. That of a false schema is made when it is asked for: what asks
// only whether there is an error would print the instance for nothing.
func (e *failure) words() string {
	if e.schema == pyFalse && e.message == "" {
		return "False schema does not allow " + repr(e.instance)
	}
	return e.message
}

// text is str(error): the message, a blank line, then where and in what.
func (e *failure) text(schemaWord, instanceWord string) string {
	var b strings.Builder
	b.WriteString(e.words())
	b.WriteString("\n\nFailed validating ")
	if e.keyword == "" {
		b.WriteString("None")
	} else {
		b.WriteString(reprStr(e.keyword))
	}
	b.WriteString(" in " + schemaWord)
	writeIndices(&b, e.schemaPath, 1)
	b.WriteString(":\n    " + pretty(e.schema))
	b.WriteString("\n\nOn " + instanceWord)
	writeIndices(&b, e.path, 0)
	b.WriteString(":\n    " + pretty(e.instance))
	return strings.TrimRight(b.String(), " \t\n\r\v\f")
}

// writeIndices writes a path outermost first without its skip innermost steps.
func writeIndices(b *strings.Builder, path []step, skip int) {
	for i := len(path) - 1; i >= skip; i-- {
		b.WriteString("[" + path[i].repr() + "]")
	}
}

// compareRelevance orders errors as jsonschema.exceptions.relevance does in
// 4.26.0: deeper is less, then by path, then anyOf and oneOf are less, then an
// error whose instance has the type that its schema names is less.
func compareRelevance(a, b *failure) int {
	if c := len(b.path) - len(a.path); c != 0 {
		return c
	}
	for i := len(a.path) - 1; i >= 0; i-- {
		if c := compareSteps(a.path[i], b.path[i]); c != 0 {
			return c
		}
	}
	if c := compareFlags(!a.weak(), !b.weak()); c != 0 {
		return c
	}
	return compareFlags(!a.matchesType(), !b.matchesType())
}

func compareSteps(a, b step) int {
	switch {
	case a.isIndex != b.isIndex:
		raise("TypeError", "'<' not supported between instances of '%s' and '%s'", a.pyType(), b.pyType())
	case a.isIndex:
		return a.index - b.index
	}
	return compareStrings(a.key, b.key)
}

func (s step) pyType() string {
	if s.isIndex {
		return "int"
	}
	return "str"
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (e *failure) weak() bool { return e.keyword == "anyOf" || e.keyword == "oneOf" }

func (e *failure) matchesType() bool {
	expected := e.schema.get("type")
	switch {
	case expected == nil:
		return false
	case expected.kind == kindStr:
		return e.draft.isType(e.instance, expected, e.schema)
	}
	for _, t := range elements(expected) {
		if e.draft.isType(e.instance, t, e.schema) {
			return true
		}
	}
	return false
}

// bestMatch picks the error that the SDK prints: the most relevant, then down
// through the least relevant of its context as long as that is a clear choice.
func bestMatch(errors []*failure) *failure {
	if len(errors) == 0 {
		return nil
	}
	best := errors[0]
	for _, e := range errors[1:] {
		if compareRelevance(e, best) > 0 {
			best = e
		}
	}
	for len(best.context) > 0 {
		context := append([]*failure(nil), best.context...)
		sort.SliceStable(context, func(i, j int) bool { return compareRelevance(context[i], context[j]) < 0 })
		if len(context) > 1 && compareRelevance(context[0], context[1]) == 0 {
			return best
		}
		best = context[0]
	}
	return best
}
