package cfworker

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/validators/regex"
)

func index(i int) string { return strconv.Itoa(i) }

// place is a position in the instance, printed only when an error needs it.
type place struct {
	parent  *place
	encoded string
	key     string
}

// String is the library's instanceLocation: "#/a~1b/0", percent-encoded.
func (p *place) String() string {
	var parts []string
	for ; p != nil && p.parent != nil; p = p.parent {
		parts = append(parts, p.encoded)
	}
	var b strings.Builder
	b.WriteByte('#')
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString("/" + parts[i])
	}
	return b.String()
}

// failure is one error of the library's output.
type failure struct {
	at      *place
	keyword string
	schema  *value
	message string
}

// marks is the library's "evaluated": an object whose prototype is that of the
// schema above, so that reading sees both and writing changes the inner one.
type marks struct {
	own   map[string]bool
	outer *marks
}

func (m *marks) has(key string) bool {
	for ; m != nil; m = m.outer {
		if m.own[key] {
			return true
		}
	}
	return false
}

func (m *marks) set(key string) {
	if m.own == nil {
		m.own = make(map[string]bool)
	}
	m.own[key] = true
}

// assign is Object.assign(m, other): own marks only.
func (m *marks) assign(other *marks) {
	for key := range other.own {
		m.set(key)
	}
}

// run is one validation.
type run struct {
	*release
	draft    string
	known    *lookup
	patterns *regex.Cache
	calls    int
	depth    int
	deepest  int
}

const (
	// maxCalls bounds one validation, in schemas applied.
	maxCalls = 2_000_000
	// certainDepth and maxDepth: Node.js 20 was seen to exceed its stack between
	// 500 and 600 nested calls when cold; compiled code gets further. What lies
	// between the two is unknown.
	certainDepth = 450
	maxDepth     = 5_000
)

// evaluation is one call of the library's validate on one schema.
type evaluation struct {
	*run
	schema    *value
	instance  *value
	at        *place
	evaluated *marks
	anchor    *value // recursiveAnchor
	errors    []failure
}

// validate is the library's function of that name. A nil evaluated is a fresh one.
func (r *run) validate(instance, schema *value, anchor *value, at *place, evaluated *marks) []failure {
	if schema.is(true) {
		return nil
	}
	if schema.is(false) {
		return []failure{{at, "false", schema, "False boolean schema."}}
	}
	r.count()
	defer func() { r.depth-- }()
	if instance.kind == kindFunction {
		throw("Instances of \"function\" type are not supported.")
	}
	if isNullish(schema) {
		throw("Cannot destructure property '$ref' of 'schema' as it is %s.", typeName(schema))
	}
	if evaluated == nil {
		evaluated = new(marks)
	}
	e := &evaluation{run: r, schema: schema, instance: instance, at: at, evaluated: evaluated, anchor: anchor}
	e.apply()
	return e.errors
}

func (r *run) count() {
	// What a call costs grows with its depth: its errors are copied on the way up.
	if r.calls += 1 + r.depth/16; r.calls > maxCalls {
		giveUp("validation takes more than %d steps", maxCalls)
	}
	r.depth++
	if r.deepest = max(r.deepest, r.depth); r.depth > maxDepth {
		throw("Maximum call stack size exceeded")
	}
}

// nearLimit says that the real process may or may not have exceeded its stack.
func (r *run) nearLimit() bool { return r.deepest > certainDepth && r.deepest <= maxDepth }

// apply runs the keywords in the library's fixed order.
func (e *evaluation) apply() {
	if e.schema.get("$recursiveAnchor").is(true) && e.anchor == nil {
		e.anchor = e.schema
	}
	e.recursiveRef()
	if e.ref() {
		return
	}
	e.types()
	e.constAndEnum()
	e.not()
	e.combine()
	e.conditional()
	switch e.instance.kind {
	case kindObject:
		e.object()
	case kindArray:
		e.array()
	case kindNumber:
		e.numeric()
	case kindString:
		e.text()
	}
}

func (e *evaluation) fail(keyword, message string) {
	e.errors = append(e.errors, failure{e.at, keyword, e.schema, message})
}

// failWith adds an error and, after it, those of the subschema.
func (e *evaluation) failWith(keyword, message string, causes []failure) {
	e.fail(keyword, message)
	e.errors = append(e.errors, causes...)
}

// insert puts an error before those from position on.
func (e *evaluation) insert(position int, keyword, message string) {
	e.errors = append(e.errors, failure{})
	copy(e.errors[position+1:], e.errors[position:])
	e.errors[position] = failure{e.at, keyword, e.schema, message}
}

const subschemaFailed = "A subschema had errors."

func (e *evaluation) recursiveRef() {
	ref := e.schema.get("$recursiveRef")
	if ref == nil || ref.kind != kindString || ref.str != "#" {
		return
	}
	next, target := e.anchor, e.anchor
	if e.anchor == nil {
		next, target = e.schema, e.known.at[e.schema.absoluteRecursiveRef]
	}
	if causes := e.validate(e.instance, next, target, e.at, e.evaluated); len(causes) > 0 {
		e.failWith("$recursiveRef", subschemaFailed, causes)
	}
}

// ref follows $ref; done says that nothing beside it counts (draft-07).
func (e *evaluation) ref() (done bool) {
	ref := e.schema.get("$ref")
	if ref == nil {
		return false
	}
	name := e.schema.absoluteRef
	if name == "" {
		name = ref.display()
	}
	target := e.known.at[name]
	if target == nil {
		message := "Unresolved $ref \"" + ref.display() + "\"."
		if absolute := e.schema.absoluteRef; absolute != "" && !(ref.kind == kindString && absolute == ref.str) {
			message += "  Absolute URI \"" + absolute + "\"."
		}
		throw("%s", message+"\nKnown schemas:\n- "+strings.Join(e.known.names, "\n- "))
	}
	if causes := e.validate(e.instance, target, e.anchor, e.at, e.evaluated); len(causes) > 0 {
		e.failWith("$ref", subschemaFailed, causes)
	}
	return e.draft == "7"
}

// compile is new RegExp(pattern, "u"); the error is V8's.
func (r *run) compile(pattern *value) *regex.Regexp {
	expression, err := r.patterns.Compile(regex.ECMAUnicode, pattern.display())
	if err != nil {
		if message, ok := refused(err); ok {
			throw("%s", message)
		}
		giveUp("%v", err)
	}
	return expression
}

// callsPerMatch is what a match costs of maxCalls: thousands of names under thousands
// of patterns are no more than half a million.
const callsPerMatch = 4

func (r *run) matches(expression *regex.Regexp, s string) bool {
	if r.calls += callsPerMatch; r.calls > maxCalls {
		giveUp("validation takes more than %d steps", maxCalls)
	}
	matched, err := expression.MatchString(s)
	if err != nil {
		giveUp("%v", err)
	}
	return matched
}

// at returns the place of a member or item below.
func (p *place) child(encoded, key string) *place { return &place{p, encoded, key} }
