package gosdk

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

func init() {
	validators.Register(validators.Profile{
		ID: "jsonschema-go", Title: "MCP Go SDK, server side, on its own typed results",
		Library: "google/jsonschema-go 0.4.3",
		Source:  "modelcontextprotocol/go-sdk 1.8.0, mcp/server.go and mcp/tool.go applySchema",
		Compile: compile, Ground: ground.All &^ ground.Default,
		Exact: ground.Alike&^ground.Default | ground.Integer | ground.Line | ground.Format | ground.OtherFormat | ground.TuplePrefix,
	})
}

const (
	// maxDepth and maxBytes bound a schema: the module decodes it level by level,
	// each level reading all that is below it.
	maxDepth = 400
	maxBytes = 4 << 20
)

type compiled struct {
	resolved *jsonschema.Resolved
	cost     *costs
}

func compile(document *schema.Value) (validators.Validator, error) {
	c := &compiled{}
	err := guarded(func() error {
		root, err := c.decode(document)
		if err != nil {
			return err
		}
		if reason := c.cost.ofDefaults(); reason != "" {
			return &validators.UnknownError{Reason: reason}
		}
		c.resolved, err = root.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		return err
	})
	var unknown *validators.UnknownError
	var crash *panicError
	switch {
	case errors.As(err, &crash):
		return nil, &validators.UnknownError{Reason: crash.Error()}
	case errors.As(err, &unknown):
		return nil, unknown
	case err != nil:
		return nil, &validators.CompileError{Text: err.Error()}
	}
	return c, nil
}

// decode reads the schema as the module does and prepares the count for it.
func (c *compiled) decode(document *schema.Value) (*jsonschema.Schema, error) {
	if root, ok := decodeSchema(document); ok {
		c.cost = newCosts(document)
		return root, nil
	}
	text := document.Compact()
	if len(text) > maxBytes || nesting(document) > maxDepth {
		return nil, &validators.UnknownError{Reason: fmt.Sprintf("the schema is larger than %d bytes or deeper than %d levels", maxBytes, maxDepth)}
	}
	root := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(text), root); err != nil {
		return nil, err
	}
	// Count on what the module has decoded, which is not as it was written:
	// encoding/json takes "AnyOf" for anyOf and merges members that stand twice.
	written, err := json.Marshal(root)
	if err != nil {
		return nil, &validators.UnknownError{Reason: "the module cannot write what it has read: " + err.Error()}
	}
	decoded, err := schema.Parse(written, schema.Limits{Depth: 2 * maxDepth})
	if err != nil {
		return nil, &validators.UnknownError{Reason: "the module cannot write what it has read: " + err.Error()}
	}
	c.cost = newCosts(decoded)
	return root, nil
}

// panicError is a panic inside the module, which would end the real server.
type panicError struct{ caught any }

func (e *panicError) Error() string { return fmt.Sprintf("the module panics: %v", e.caught) }

func guarded(f func() error) (err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = &panicError{caught}
		}
	}()
	return f()
}

// Validate implements [validators.Validator].
func (c *compiled) Validate(instance *schema.Value) validators.Result {
	decoded, ok := decodeValue(instance, 0)
	if !ok {
		decoded = nil
		if err := json.Unmarshal([]byte(instance.Compact()), &decoded); err != nil {
			return validators.Result{Outcome: validators.Thrown, Text: "unmarshaling output: " + err.Error()}
		}
	}
	var crash *panicError
	err := guarded(func() error { return c.applyDefaults(&decoded) })
	switch {
	case errors.As(err, &crash):
		return validators.Result{Outcome: validators.Unknown, Text: crash.Error()}
	case err != nil:
		return validators.Result{Outcome: validators.Thrown, Text: "applying schema defaults:\n" + err.Error()}
	}
	if reason := c.cost.after(instance, decoded); reason != "" {
		return validators.Result{Outcome: validators.Unknown, Text: reason}
	}
	err = guarded(func() error { return c.resolved.Validate(&decoded) })
	switch {
	case err == nil:
		return validators.Result{Outcome: validators.Valid}
	case errors.As(err, &crash):
		return validators.Result{Outcome: validators.Unknown, Text: crash.Error()}
	}
	return validators.Result{Outcome: validators.Invalid, Text: err.Error(), Violations: []validators.Violation{{Message: err.Error()}}}
}

// applyDefaults changes an object only, as mcp.applySchema does.
func (c *compiled) applyDefaults(decoded *any) error {
	if *decoded == nil && c.resolved.Schema().Type == "object" {
		*decoded = map[string]any{}
	}
	if _, ok := (*decoded).(map[string]any); !ok {
		return nil
	}
	return c.resolved.ApplyDefaults(decoded)
}

// nesting is the depth of arrays and objects.
func nesting(v *schema.Value) int {
	deepest := 0
	for _, item := range v.Items {
		deepest = max(deepest, nesting(item)+1)
	}
	for _, m := range v.Members {
		deepest = max(deepest, nesting(m.Value)+1)
	}
	return deepest
}
