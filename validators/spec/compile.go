package spec

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// documentURL is the base URL of a schema without $id; nothing is ever loaded.
const documentURL = "http://document.invalid/schema"

// RemoteError says that a schema refers to a document that is not part of it.
// References are never fetched.
type RemoteError struct{ URL string }

func (e *RemoteError) Error() string {
	return fmt.Sprintf("the schema refers to %s, which is not part of it and is never fetched", e.URL)
}

type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) { return nil, &RemoteError{url} }

func newCompiler(draft *jsonschema.Draft) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(refuseLoader{})
	c.UseRegexpEngine(compilePattern)
	return c
}

// compile prepares the document under one dialect. Errors are
// *validators.CompileError (no schema of that dialect, a dangling or remote
// reference, a bad pattern) or *validators.UnknownError (a limit).
func compile(dialectName string, assertFormat bool, document *schema.Value) (validators.Validator, error) {
	if reason := overLimit(document); reason != "" {
		return nil, &validators.UnknownError{Reason: reason}
	}
	doc, ok := toAny(prepare(document, assertFormat))
	if !ok {
		return nil, &validators.UnknownError{Reason: "a number in the schema has an exponent beyond ±5000"}
	}
	if violations := Metaschema(dialectName, document); len(violations) > 0 {
		return nil, &validators.CompileError{Text: "not a valid " + dialectName + " schema: " + joined(violations)}
	}
	v := &validator{meter: new(meter)}
	c := newCompiler(dialects[dialectName].draft)
	c.RegisterVocabulary(v.meter.vocabulary())
	c.AssertVocabs()
	if assertFormat {
		c.AssertFormat()
	}
	if err := c.AddResource(documentURL, doc); err != nil {
		return nil, &validators.CompileError{Text: err.Error()}
	}
	err := guarded(func() (err error) {
		v.schema, err = c.Compile(documentURL)
		return err
	})
	var limit *limitError
	switch {
	case errors.As(err, &limit):
		return nil, &validators.UnknownError{Reason: limit.reason}
	case err != nil:
		return nil, &validators.CompileError{Text: compileText(err)}
	}
	return v, nil
}

// compileText prefers our own words for a refused load.
func compileText(err error) string {
	var remote *RemoteError
	if errors.As(err, &remote) {
		return remote.Error()
	}
	return err.Error()
}

// guarded runs f and turns a limit that was hit inside the library into an error.
func guarded(f func() error) (err error) {
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case *limitError:
			err = caught
		default:
			panic(caught)
		}
	}()
	return f()
}
