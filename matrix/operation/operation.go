// Package operation holds the named operations that capability files compose: a
// new kind of host behaviour is a new file here, a new host is a JSON file. Each
// operation is a value with its name, its documentation and a constructor that
// decodes its parameters strictly.
//
// There are three kinds: a [Rewrite] changes the inputSchema on its way to the
// model, a [Check] looks at a tool and finds what the host refuses, a [Render]
// step turns a result into what the model sees.
package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Subject is what an operation looks at: one tool as it stands at this point of
// the pipeline.
type Subject struct {
	Name        string        // name as offered so far
	Description string        // description as offered so far
	Schema      *schema.Value // inputSchema as offered so far
	Tool        *schema.Value // the entry of tools/list as sent
	Server      string        // the server's name in the host's configuration
	Transport   string        // stdio, streamable-http, sse
	Protocol    string        // negotiated revision
	Model       string        // model slug, "" when not chosen
	// Metaschema says what makes a document no schema of a dialect; nil asks anew
	// each time, the pipeline gives one that remembers.
	Metaschema func(dialect string, document *schema.Value) []validators.Violation
}

// RewriteFunc returns the changed subject. It must not change the values it gets.
type RewriteFunc func(Subject) (Subject, error)

// A DropError tells that the host drops the tool at this operation.
type DropError struct{ Detail string }

func (e *DropError) Error() string { return e.Detail }

// Rewrite is an operation on the way to the model.
type Rewrite struct {
	Name string
	Doc  string // what it does, for `conform explain` and the docs
	New  func(params json.RawMessage) (RewriteFunc, error)
}

// Problem is what a check found.
type Problem struct {
	Detail  string
	Pointer schema.Pointer // place in the inputSchema
}

// CheckFunc returns what is wrong with the subject, nothing when all is well.
type CheckFunc func(Subject) []Problem

// Check is an operation that refuses.
type Check struct {
	Name string
	Doc  string
	New  func(params json.RawMessage) (CheckFunc, error)
}

var (
	rewrites = map[string]Rewrite{}
	checks   = map[string]Check{}
	renders  = map[string]Render{}
)

// RegisterRewrite, RegisterCheck and RegisterRender add an operation; a second
// one of the same name is a programming error and panics.
func RegisterRewrite(r Rewrite) { register(rewrites, r.Name, r) }

// RegisterCheck adds a check; see [RegisterRewrite].
func RegisterCheck(c Check) { register(checks, c.Name, c) }

// RegisterRender adds a render step; see [RegisterRewrite].
func RegisterRender(r Render) { register(renders, r.Name, r) }

func register[T any](into map[string]T, name string, op T) {
	if _, dup := into[name]; dup {
		panic("operation registered twice: " + name)
	}
	into[name] = op
}

// NewRewrite builds the rewrite that params name.
func NewRewrite(name string, params json.RawMessage) (RewriteFunc, error) {
	r, ok := rewrites[name]
	if !ok {
		return nil, unknown("rewrite", name, Names("rewrite"))
	}
	return built(&builtRewrites, name, params, r.New)
}

// NewCheck builds the check that params name.
func NewCheck(name string, params json.RawMessage) (CheckFunc, error) {
	c, ok := checks[name]
	if !ok {
		return nil, unknown("check", name, Names("check"))
	}
	return built(&builtChecks, name, params, c.New)
}

// NewRender builds the render step that params name.
func NewRender(name string, params json.RawMessage) (RenderFunc, error) {
	r, ok := renders[name]
	if !ok {
		return nil, unknown("render step", name, Names("render"))
	}
	return built(&builtRenders, name, params, r.New)
}

// built keeps constructed operations: a table names few, and they are pure.
func built[T any](cache *sync.Map, name string, params json.RawMessage, construct func(json.RawMessage) (T, error)) (T, error) {
	key := name + "\x00" + string(params)
	if f, ok := cache.Load(key); ok {
		return f.(T), nil
	}
	if err := sane(params); err != nil {
		return *new(T), err
	}
	f, err := construct(params)
	if err == nil {
		cache.Store(key, f)
	}
	return f, err
}

var builtRewrites, builtChecks, builtRenders sync.Map // name, params -> function

func unknown(kind, name string, known []string) error {
	return fmt.Errorf("no %s operation %q; %s", kind, name, hint(name, known))
}

// Names lists the operations of a kind: "rewrite", "check", "render" or "declaration".
func Names(kind string) []string {
	var out []string
	switch kind {
	case "rewrite":
		for n := range rewrites {
			out = append(out, n)
		}
	case "check":
		for n := range checks {
			out = append(out, n)
		}
	case "render":
		for n := range renders {
			out = append(out, n)
		}
	case "declaration":
		for n := range declarations {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

// Doc returns the documentation of an operation of any kind.
func Doc(name string) (kind, doc string, ok bool) {
	if r, found := rewrites[name]; found {
		return "rewrite", r.Doc, true
	}
	if c, found := checks[name]; found {
		return "check", c.Doc, true
	}
	if r, found := renders[name]; found {
		return "render", r.Doc, true
	}
	if d, found := declarations[name]; found {
		return "declaration", d.Doc, true
	}
	return "", "", false
}

// Decode decodes an operation's parameters strictly into target, a pointer to a
// struct; the "op" member is left out.
func Decode(params json.RawMessage, target any) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(params, &all); err != nil {
		return err
	}
	delete(all, "op")
	rest, err := json.Marshal(all)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	d.DisallowUnknownFields()
	return readable(d.Decode(target), target)
}
