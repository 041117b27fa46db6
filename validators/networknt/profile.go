package networknt

import (
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

func init() {
	validators.Register(validators.Profile{
		ID: "networknt-2020", Title: "MCP Java SDK client with schema caching on",
		Library: "com.networknt:json-schema-validator 3.0.6 with Jackson 3, default dialect 2020-12",
		Source:  "run: io.modelcontextprotocol.sdk:mcp 2.1.0 on Java 17, DefaultJsonSchemaValidator",
		Compile: compile, Ground: ground.All, Exact: ground.Alike | ground.TuplePrefix,
	})
}

// compiled is a schema that was built, or what building it threw: the SDK builds
// when the first result arrives and reports the exception as an invalid result.
type compiled struct {
	mu      sync.Mutex // references are found, and subschemas built, on the way
	builder *builder
	root    *schemaNode
	failure *thrown
}

// compile reads the schema. Its only compile error is a schema that is no object,
// which the SDK's message parser refuses with the whole list of tools.
func compile(document *schema.Value) (validators.Validator, error) {
	if document.Kind != schema.Object {
		return nil, &validators.CompileError{Text: "Failed to read value"}
	}
	c := &compiled{builder: &builder{
		resources: map[string]*schemaNode{}, anchors: map[string]*schemaNode{},
		references: map[string]*schemaNode{}, patterns: map[string]*expression{},
	}}
	failure, _, limit := attempt(func() {
		n := load(document)
		d := defaultDialect
		if tag := n.get("$schema"); tag != nil && tag.kind != kindNull {
			if tag.kind != kindString {
				throw("Unknown dialect: %s", tag.json())
			}
			d = dialectFor(tag.str)
		}
		c.root = c.builder.create(d, location{}, n, nil)
	})
	if limit != "" {
		return nil, &validators.UnknownError{Reason: limit}
	}
	c.failure = failure
	return c, nil
}

// attempt runs f and returns what ended it: a Java exception's message, a stack
// overflow, a limit.
func attempt(f func()) (failure *thrown, overflowed bool, limit string) {
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case *thrown:
			failure = caught
		case *gaveUp:
			limit = caught.reason
		case overflow:
			overflowed = true
		default:
			panic(caught)
		}
	}()
	f()
	return nil, false, ""
}

const (
	unreadable = "Error parsing tool JSON Schema: "
	unexpected = "Unexpected validation error: "
	invalid    = "Validation failed: JSON schema validation errors: ["
)

// Validate implements [validators.Validator]: DefaultJsonSchemaValidator.validate.
func (c *compiled) Validate(instance *schema.Value) validators.Result {
	if instance.Kind == schema.Null {
		return validators.Result{Outcome: validators.Thrown, Text: "java.lang.IllegalArgumentException: Structured content must not be null"}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var refused *validators.Result
	e := &execution{}
	deepest := 0
	failure, overflowed, limit := attempt(func() {
		n := load(instance)
		if n.kind == kindString {
			// The SDK takes a string for JSON text.
			if n, refused = reparse(n.str); refused != nil {
				return
			}
		}
		if c.failure != nil {
			panic(c.failure)
		}
		defer func() { deepest = len(e.schemas) }()
		e.validate(c.root, n, path{})
	})
	switch {
	case refused != nil:
		return *refused
	case limit != "":
		return validators.Result{Outcome: validators.Unknown, Text: limit}
	case overflowed:
		return validators.Result{Outcome: validators.Thrown, Text: "java.lang.StackOverflowError"}
	case failure != nil && failure.jackson:
		return said(unreadable + failure.message)
	case failure != nil:
		return said(unexpected + failure.message)
	case deepest > certainDepth:
		return validators.Result{Outcome: validators.Unknown, Text: "validation nests about as deep as the JVM's stack allows"}
	case len(e.errors) == 0:
		return validators.Result{Outcome: validators.Valid}
	}
	return c.result(e.errors)
}

func said(text string) validators.Result {
	return validators.Result{Outcome: validators.Invalid, Text: text, Violations: []validators.Violation{{Message: text}}}
}

// reparse reads the text of a string as JSON.
func reparse(text string) (*node, *validators.Result) {
	v, err := schema.Parse([]byte(text), schema.Limits{})
	if err == nil {
		return load(v), nil
	}
	if strings.TrimLeft(text, " \t\r\n") == "" {
		return &node{kind: kindMissing}, nil
	}
	r := said(unreadable + jacksonError(text))
	return nil, &r
}

// result prints the list of errors as java.util.List does.
func (c *compiled) result(failures []failure) validators.Result {
	out := validators.Result{Outcome: validators.Invalid}
	parts := make([]string, len(failures))
	for i, f := range failures {
		parts[i] = f.at.shown + ": " + f.message
		out.Violations = append(out.Violations, validators.Violation{
			Message: parts[i], Keyword: f.keyword, Instance: f.at.steps,
			Schema: append(append(schema.Pointer(nil), f.schema.at.fragment...), f.keyword),
		})
	}
	out.Text = invalid + strings.Join(parts, ", ") + "]"
	return out
}
