package ajv

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// Limits of one validation that the real library doesn't have.
const (
	maxSteps  = 10_000_000
	maxErrors = 200_000
	maxTrail  = 1 << 20 // steps of all their paths together, 40 bytes each
	maxDepth  = 200_000 // nodes, each a few hundred bytes of Go stack
)

// Node's stack is 984 KB by default. How much a call takes depends on the machine,
// on how V8 compiled the function and on who called, so that only far from the
// limit on either side is the outcome known.
const (
	stackBytes = 984_000
	stackSafe  = stackBytes / 2
	stackOver  = stackBytes * 2
)

// site is a place in the schema that can report an error.
type site struct {
	keyword string
	message string
	owner   *schema.Value // the schema object that holds the keyword
	returns bool          // the function returns here: first error wanted, not in a branch
}

// token is one step of the path to the data at hand: a member, by its name in the
// schema or by a key of the data (Ajv 6 writes them differently), or an item.
type token struct {
	name  string
	index int
	kind  tokenKind
}

type tokenKind uint8

const (
	memberToken tokenKind = iota
	keyToken
	itemToken
)

// failure is a reported error; its path lies in state.trail.
type failure struct {
	site     *site
	message  string // instead of the site's when not empty
	from, to int
}

// state is what one validation keeps; it is pooled.
type state struct {
	errs    []failure
	trail   []token // paths of errs, one after the other
	path    []token
	depth   int
	steps   int
	stack   int                // estimated bytes of Node's stack in use
	near    bool               // they came near the limit
	stop    *validators.Result // set when the validation can't go on
	dynamic map[string]*function
	ran     map[*function]lastRun
	fixed   map[*function]*propSet
	compare js.Comparer
	key     schema.Value // property name as data of propertyNames
	frames  []*frame     // by level of call, kept for the next
	level   int
}

var states = sync.Pool{New: func() any { return new(state) }}

func newState() *state {
	st := states.Get().(*state)
	st.errs, st.trail, st.path = st.errs[:0], st.trail[:0], st.path[:0]
	st.depth, st.steps, st.stop = 0, maxSteps, nil
	st.stack, st.near, st.level = 0, false, 0
	st.dynamic, st.ran, st.fixed = nil, nil, nil
	return st
}

// keepLimit is the length up to which a state's buffers are kept for the next one.
const keepLimit = 1 << 16

// release gives the state back, unless a hostile document made it large.
func (st *state) release() {
	if cap(st.trail) <= keepLimit && cap(st.errs) <= keepLimit && len(st.frames) <= keepLimit {
		states.Put(st)
	}
}

// enter counts a step and a level; false when a limit is hit.
func (st *state) enter() bool {
	if st.stop != nil {
		return false
	}
	st.depth++
	st.steps--
	if st.depth > maxDepth {
		st.unknown("the data nests deeper than %d schemas", maxDepth)
	} else if st.steps < 0 {
		st.unknown("the check takes more than %d steps", maxSteps)
	}
	if st.stop != nil {
		st.depth--
		return false
	}
	return true
}

// call counts the stack of a function call; false when it can't be had.
func (st *state) call(bytes int) bool {
	st.stack += bytes
	switch {
	case st.stack > stackOver:
		st.throw("Maximum call stack size exceeded")
	case st.stack > stackSafe:
		st.near = true
	}
	return st.stop == nil
}

func (st *state) unknown(format string, args ...any) {
	if st.stop == nil {
		st.stop = &validators.Result{Outcome: validators.Unknown, Text: fmt.Sprintf(format, args...)}
	}
}

func (st *state) throw(text string) {
	if st.stop == nil {
		st.stop = &validators.Result{Outcome: validators.Thrown, Text: text}
	}
}

func (st *state) push(name string) { st.path = append(st.path, token{name: name}) }
func (st *state) pushKey(name string) {
	st.path = append(st.path, token{name: name, kind: keyToken})
}
func (st *state) pushIndex(i int) { st.path = append(st.path, token{index: i, kind: itemToken}) }
func (st *state) pop()            { st.path = st.path[:len(st.path)-1] }

func (st *state) add(s *site, m string) {
	if len(st.errs) >= maxErrors || len(st.trail) >= maxTrail {
		st.unknown("the check finds more than %d errors", len(st.errs))
		return
	}
	from := len(st.trail)
	st.trail = append(st.trail, st.path...)
	st.errs = append(st.errs, failure{s, m, from, len(st.trail)})
}

// cut forgets the errors from number n on.
func (st *state) cut(n int) {
	if n < len(st.errs) {
		st.trail = st.trail[:st.errs[n].from]
		st.errs = st.errs[:n]
	}
}

// frame is one call of a compiled function.
type frame struct {
	st       *state
	fn       *function
	start    int  // errors before the call
	returned bool // the function returned at its first error
	props    []*propSet
	items    []itemSet
	flags    []bool // results of keywords whose variable outlives them
}

// enterFrame gives the frame for a call; frames are kept and used again.
func (st *state) enterFrame(fn *function) *frame {
	if st.level == len(st.frames) {
		st.frames = append(st.frames, new(frame))
	}
	f := st.frames[st.level]
	st.level++
	f.st, f.fn, f.start, f.returned = st, fn, len(st.errs), false
	f.props = cleared(f.props, fn.props)
	f.items = cleared(f.items, fn.items)
	f.flags = cleared(f.flags, fn.flags)
	return f
}

// cleared is s with n zero elements.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// report adds the error of a keyword. Where the code returns at its first error
// that error is the only one, whatever branches left behind.
func (f *frame) report(s *site) { f.reportText(s, "") }

// reportText is report with a message made from the data.
func (f *frame) reportText(s *site, message string) {
	if s.returns {
		f.st.cut(f.start)
		f.returned = true
	}
	f.st.add(s, message)
}

// reportExtra adds the error of a keyword after those of its branches.
func (f *frame) reportExtra(s *site) {
	f.st.add(s, "")
	f.returned = f.returned || s.returns
}

// text is errorsText: every error as data, its path and its message.
func (st *state) text(writePath func(*strings.Builder, token)) string {
	var b strings.Builder
	for i := range st.errs {
		e := &st.errs[i]
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("data")
		for _, t := range st.trail[e.from:e.to] {
			writePath(&b, t)
		}
		b.WriteByte(' ')
		b.WriteString(e.words())
	}
	return b.String()
}

// pointerPath writes a step as a JSON pointer does.
func pointerPath(b *strings.Builder, t token) {
	b.WriteByte('/')
	if t.kind == itemToken {
		b.WriteString(strconv.Itoa(t.index))
	} else {
		b.WriteString(schema.EscapeToken(t.name))
	}
}

func (e *failure) words() string {
	if e.message != "" {
		return e.message
	}
	return e.site.message
}
