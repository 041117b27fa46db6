package cfworker

import (
	"errors"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/regex"
)

func init() {
	validators.Register(validators.Profile{
		ID: "cfworker-2020", Title: "MCP TypeScript SDK v1 with its cfworker provider: always 2020-12",
		Library: "@cfworker/json-schema 4.1.6, draft 2020-12, shortcircuit",
		Source:  "run: @modelcontextprotocol/sdk 1.32.2 on Node.js 20", Ground: ground.All, Exact: ground.Alike | ground.Integer | ground.Line | ground.TuplePrefix,
		Compile: func(document *schema.Value) (validators.Validator, error) {
			return compile(release416, document, func(*value) string { return "2020-12" })
		},
	})
	validators.Register(validators.Profile{
		ID: "cfworker-2019", Title: "arguments in LangChain.js: validate() of cfworker as it is, always 2019-09",
		Library: "@cfworker/json-schema 4.1.6, draft 2019-09, shortcircuit",
		Source:  "run: @langchain/core under langchain-mcp-adapters 1.1.4 on Node.js 24",
		Compile: func(document *schema.Value) (validators.Validator, error) {
			c, err := compile(release416, document, func(*value) string { return "2019-09" })
			var refused *validators.CompileError
			if errors.As(err, &refused) {
				return throwing(refused.Text), nil
			}
			return c, err
		},
	})
	validators.Register(validators.Profile{
		ID: "cfworker-dispatch", Title: "MCP TypeScript SDK v2 with its cfworker provider: the draft that $schema names",
		Library: "@cfworker/json-schema 4.1.1, shortcircuit",
		Source:  "run: @modelcontextprotocol/client 2.4.0 on Node.js 20", Ground: ground.All, Exact: ground.Alike | ground.Integer | ground.Line | ground.TupleTagged | ground.TuplePrefix,
		Compile: func(document *schema.Value) (validators.Validator, error) {
			return compile(release411, document, declaredDraft)
		},
	})
}

// throwing is validate() over a schema that cfworker cannot dereference: each call does so anew, and throws
// the same message.
type throwing string

// Validate implements [validators.Validator].
func (t throwing) Validate(*schema.Value) validators.Result {
	return validators.Result{Outcome: validators.Thrown, Text: string(t)}
}

// declaredDraft is how the SDK v2 client picks the draft; it throws for a dialect
// that it does not know, and for a schema that is no object.
func declaredDraft(root *value) string {
	if root.kind != kindObject && root.kind != kindArray {
		throw("Cannot use 'in' operator to search for '$schema' in %s", root.display())
	}
	tag := root.get("$schema")
	if tag == nil || tag.kind != kindString {
		return "2020-12"
	}
	name := strings.TrimSuffix(tag.str, "#")
	for _, scheme := range []string{"https://", "http://"} {
		switch strings.TrimPrefix(name, scheme) {
		case name:
		case "json-schema.org/draft/2020-12/schema":
			return "2020-12"
		case "json-schema.org/draft/2019-09/schema":
			return "2019-09"
		case "json-schema.org/draft-07/schema", "json-schema.org/draft-06/schema":
			return "7"
		}
	}
	throw("JSON Schema declares an unsupported dialect (\"$schema\": \"%s\"). The default validator supports JSON Schema 2020-12, 2019-09, draft-07, and draft-06; "+
		"pass an explicit { draft } to CfWorkerJsonSchemaValidator to validate other dialects.", schema.UTF16Prefix(tag.str, 200))
	return ""
}

// compiled is a schema that dereference got through.
type compiled struct {
	release  *release
	draft    string
	root     *value
	known    *lookup
	patterns regex.Cache
}

// compile is new Validator(schema, draft, true): it only finds what has a URI.
// Keywords are never checked.
func compile(r *release, document *schema.Value, draftOf func(*value) string) (validators.Validator, error) {
	c := &compiled{release: r, root: load(document), known: &lookup{at: map[string]*value{}}}
	d := &dereferencer{release: r, known: c.known}
	failure, limit := attempt(func() {
		c.draft = draftOf(c.root)
		d.enter(c.root, initialBase, "", 1)
	})
	switch {
	case limit != nil:
		return nil, &validators.UnknownError{Reason: limit.reason}
	case failure != nil:
		return nil, &validators.CompileError{Text: failure.message}
	case d.deepest > certainNesting:
		return nil, &validators.UnknownError{Reason: nearStackLimit}
	}
	return c, nil
}

const nearStackLimit = "the schema or value is nested about as deep as the JavaScript stack allows; whether it is exceeded depends on the host process"

// Validate implements [validators.Validator].
func (c *compiled) Validate(instance *schema.Value) validators.Result {
	r := &run{release: c.release, draft: c.draft, known: c.known, patterns: &c.patterns}
	var failures []failure
	exception, limit := attempt(func() { failures = r.validate(load(instance), c.root, nil, &place{}, nil) })
	switch {
	case limit != nil:
		return validators.Result{Outcome: validators.Unknown, Text: limit.reason}
	case r.nearLimit():
		return validators.Result{Outcome: validators.Unknown, Text: nearStackLimit}
	case exception != nil:
		return validators.Result{Outcome: validators.Thrown, Text: exception.message}
	case len(failures) == 0:
		return validators.Result{Outcome: validators.Valid}
	}
	return c.result(failures)
}
