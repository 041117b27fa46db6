package networknt

import "strings"

// path is a NodePath as text: each step behind a separator, an index marked, so
// that a prefix of the text is a prefix of the path.
type path struct {
	text  string // for comparison
	shown string // JSON Pointer as printed
	steps []string
}

func (p path) name(step string) path {
	return path{p.text + "\x00n" + step, p.shown + "/" + pointerStep(step), appendStep(p.steps, step)}
}

func (p path) index(i int) path {
	s := itoa(i)
	return path{p.text + "\x00i" + s, p.shown + "/" + s, appendStep(p.steps, s)}
}

func appendStep(steps []string, step string) []string {
	return append(append(make([]string, 0, len(steps)+1), steps...), step)
}

// failure is one of the library's errors.
type failure struct {
	at      path
	keyword string
	schema  *schemaNode
	message string
}

// annotation is what a keyword evaluated, kept only where unevaluated* asks.
type annotation struct {
	keyword string
	path    string // evaluation path
	names   map[string]bool
	whole   bool // true instead of a count or list
	count   int
	indexes map[int]bool
	valid   bool
}

// execution is the library's ExecutionContext.
type execution struct {
	errors      []failure
	annotations map[string][]*annotation // by instance location
	evaluation  []string                 // evaluation path, steps as in path.text
	schemas     []*schemaNode
	keywords    []string // evaluationSchemaPath
	items       bool     // unevaluatedItems somewhere above
	properties  bool
	steps       int
}

const (
	maxSteps = 2_000_000
	// certainDepth and maxDepth: the JVM's default stack was seen to overflow at
	// about 1,700 nested schemas of a reference cycle and at more in compiled code.
	certainDepth = 700
	maxDepth     = 6_000
)

func (e *execution) push(step string) { e.evaluation = append(e.evaluation, step) }

func (e *execution) pop() { e.evaluation = e.evaluation[:len(e.evaluation)-1] }

func (e *execution) evaluationPath() string { return strings.Join(e.evaluation, "") }

// validate is Schema.validate: every keyword, then what was annotated by a schema
// that failed is void.
func (e *execution) validate(s *schemaNode, instance *node, at path) {
	// What a step costs grows with its depth: paths are written out.
	if e.steps += 1 + len(e.evaluation)/16; e.steps > maxSteps {
		giveUp("validation takes more than %d steps", maxSteps)
	}
	if len(e.schemas) > maxDepth {
		panic(overflow{})
	}
	e.schemas = append(e.schemas, s)
	items, properties := e.items, e.properties
	e.items, e.properties = items || s.unevaluatedItems, properties || s.unevaluatedProperties
	before := len(e.errors)
	for _, c := range s.checks {
		e.push("\x00n" + c.keyword)
		e.keywords = append(e.keywords, c.keyword)
		c.run(e, instance, at)
		e.keywords = e.keywords[:len(e.keywords)-1]
		e.pop()
	}
	if len(e.errors) > before && len(e.annotations) > 0 {
		here := e.evaluationPath()
		for _, a := range e.annotations[at.text] {
			if startsWith(a.path, here) {
				a.valid = false
			}
		}
	}
	e.schemas = e.schemas[:len(e.schemas)-1]
	e.items, e.properties = items, properties
}

func startsWith(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix) && path[len(prefix)] == 0
}

// under runs f with a step of the evaluation path.
func (e *execution) under(step string, f func()) {
	e.push(step)
	f()
	e.pop()
}

// instead runs f with the keyword at the end of the evaluation path replaced.
func (e *execution) instead(keyword string, f func()) {
	last := len(e.evaluation) - 1
	kept := e.evaluation[last]
	e.evaluation[last] = "\x00n" + keyword
	f()
	e.evaluation[last] = kept
}

// apart runs f with an error list of its own and returns it.
func (e *execution) apart(f func()) []failure {
	kept := e.errors
	e.errors = nil
	f()
	own := e.errors
	e.errors = kept
	return own
}

func (e *execution) fail(at path, keyword, message string) {
	e.errors = append(e.errors, failure{at, keyword, e.schemas[len(e.schemas)-1], message})
}

// adjacent is hasAdjacentKeywordInEvaluationPath: up the schemas, to the first
// properties or items and one further.
func (e *execution) adjacent(keyword string) bool {
	stop, k := false, len(e.keywords)-2
	for i := len(e.schemas) - 1; i >= 0; i-- {
		if e.schemas[i].node.get(keyword) != nil {
			return true
		}
		if stop {
			return false
		}
		if k >= 0 {
			stop = e.keywords[k] == "properties" || e.keywords[k] == "items"
			k--
		}
	}
	return false
}

func (e *execution) noteItems() bool { return e.items && e.adjacent("unevaluatedItems") }

func (e *execution) noteProperties() bool { return e.properties && e.adjacent("unevaluatedProperties") }

func (e *execution) note(at path, a *annotation) {
	a.path, a.valid = e.evaluationPath(), true
	if e.annotations == nil {
		e.annotations = make(map[string][]*annotation)
	}
	e.annotations[at.text] = append(e.annotations[at.text], a)
}

// noted lists the valid annotations of a keyword made beside or below the parent
// of the current keyword.
func (e *execution) noted(at path, keyword string, f func(*annotation)) {
	beside := strings.Join(e.evaluation[:len(e.evaluation)-1], "")
	for _, a := range e.annotations[at.text] {
		if a.keyword == keyword && a.valid && startsWith(a.path, beside) {
			f(a)
		}
	}
}
