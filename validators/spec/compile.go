package spec

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/sharing"
)

// documentURL is the base URL of a schema without $id; nothing is ever loaded.
const documentURL = "http://document.invalid/schema"

// trustedURL is the same for a plain document: the library does not hold what comes
// from this host against the metaschema (roots.go addRoot, v6.0.3).
const trustedURL = "http://json-schema.org/document"

// RemoteError says that a schema refers to a document that is not part of it.
// References are never fetched.
type RemoteError struct{ URL string }

func (e *RemoteError) Error() string {
	return fmt.Sprintf("the schema refers to %s, which is not part of it and is never fetched", e.URL)
}

type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) { return nil, &RemoteError{url} }

func newCompiler(draft *jsonschema.Draft, m *meter) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(refuseLoader{})
	c.UseRegexpEngine(m.compilePattern)
	return c
}

// compile prepares the document under one dialect. Errors are
// *validators.CompileError (no schema of that dialect, a dangling or remote
// reference, a bad pattern) or *validators.UnknownError (a limit).
func compile(dialectName string, assertFormat bool, document *schema.Value) (validators.Validator, error) {
	found, ok := look(dialectName, document)
	assertFormat = assertFormat && (found.formats || !ok)
	v, err := recent.Answer(document, reading{dialectName, assertFormat}, func() (*validator, error) {
		if ok {
			if v, err := compileTrusted(found, assertFormat, document); err == nil {
				return v, nil
			} // the careful way has the better words
		}
		return compileCarefully(dialectName, assertFormat, document)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// recent lets profiles share a compiled schema that is the same for them: with and
// without formats where the document has none, fixed and dispatched dialect.
var recent = sharing.NewTable[reading, validator]()

type reading struct {
	dialect      string
	assertFormat bool
}

func compileTrusted(found plain, assertFormat bool, document *schema.Value) (*validator, error) {
	if found.formats && !assertFormat {
		document = prepare(document, false)
	} else if found.tagged {
		document = document.Without("$schema")
	}
	doc, ok := toAny(document)
	if !ok {
		return nil, errExponent
	}
	return compileAt(trustedURL, found.dialect, assertFormat, document, doc)
}

var errExponent = &validators.UnknownError{Reason: "a number in the schema has an exponent beyond ±5000 or more than 20000 digits"}

func compileCarefully(dialectName string, assertFormat bool, document *schema.Value) (*validator, error) {
	if reason := overLimit(document); reason != "" {
		return nil, &validators.UnknownError{Reason: reason}
	}
	doc, ok := toAny(prepare(document, assertFormat))
	if !ok {
		return nil, errExponent
	}
	if violations := Metaschema(dialectName, document); len(violations) > 0 {
		return nil, &validators.CompileError{Text: "not a valid " + dialectName + " schema: " + joined(violations)}
	}
	v, err := compileAt(documentURL, dialectName, assertFormat, document, doc)
	var stricter *jsonschema.SchemaValidationError
	if dialectName == "draft-07" && errors.As(err, &stricter) { // see addPublished
		v, err = compileAt(trustedURL, dialectName, assertFormat, document, doc)
	}
	var limit *limitError
	switch {
	case errors.As(err, &limit):
		return nil, &validators.UnknownError{Reason: limit.reason}
	case err != nil:
		return nil, &validators.CompileError{Text: compileText(err)}
	}
	return v, nil
}

// compileAt compiles doc, which is document for the library; it returns the errors of
// the library as they are.
func compileAt(url, dialectName string, assertFormat bool, document *schema.Value, doc any) (*validator, error) {
	v := &validator{meter: &meter{enumerated: enumerated(document)}}
	c := newCompiler(dialects[dialectName].draft, v.meter)
	c.RegisterVocabulary(v.meter.vocabulary())
	c.AssertVocabs()
	if assertFormat {
		c.AssertFormat()
	}
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	err := guarded(func() (err error) {
		v.schema, err = c.Compile(url)
		return err
	})
	return v, err
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
