package gosdk

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

func init() {
	validators.Register(validators.Profile{
		ID: "jsonschema-go", Title: "MCP Go SDK, server side, on its own typed results",
		Library: "google/jsonschema-go 0.4.3",
		Source:  "modelcontextprotocol/go-sdk 1.8.0, mcp/server.go and mcp/tool.go applySchema",
		Compile: compile,
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
	text := document.Compact()
	if len(text) > maxBytes || nesting(document) > maxDepth {
		return nil, &validators.UnknownError{Reason: fmt.Sprintf("the schema is larger than %d bytes or deeper than %d levels", maxBytes, maxDepth)}
	}
	c := &compiled{cost: newCosts(document)}
	if reason := c.cost.ofDefaults(); reason != "" {
		return nil, &validators.UnknownError{Reason: reason}
	}
	err := guarded(func() (err error) {
		root := new(jsonschema.Schema)
		if err := json.Unmarshal([]byte(text), root); err != nil {
			return err
		}
		c.resolved, err = root.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		return err
	})
	var crash *panicError
	switch {
	case errors.As(err, &crash):
		return nil, &validators.UnknownError{Reason: crash.Error()}
	case err != nil:
		return nil, &validators.CompileError{Text: err.Error()}
	}
	return c, nil
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
	if reason := c.cost.of(instance); reason != "" {
		return validators.Result{Outcome: validators.Unknown, Text: reason}
	}
	var decoded any
	if err := json.Unmarshal([]byte(instance.Compact()), &decoded); err != nil {
		return validators.Result{Outcome: validators.Thrown, Text: "unmarshaling output: " + err.Error()}
	}
	outcome := validators.Invalid
	err := guarded(func() error {
		if decoded == nil && c.resolved.Schema().Type == "object" {
			decoded = map[string]any{}
		}
		if _, ok := decoded.(map[string]any); ok {
			if err := c.resolved.ApplyDefaults(&decoded); err != nil {
				outcome = validators.Thrown
				return fmt.Errorf("applying schema defaults:\n%w", err)
			}
		}
		return c.resolved.Validate(&decoded)
	})
	var crash *panicError
	switch {
	case err == nil:
		return validators.Result{Outcome: validators.Valid}
	case errors.As(err, &crash):
		return validators.Result{Outcome: validators.Unknown, Text: crash.Error()}
	case outcome == validators.Thrown:
		return validators.Result{Outcome: outcome, Text: err.Error()}
	}
	return validators.Result{Outcome: outcome, Text: err.Error(), Violations: []validators.Violation{{Message: err.Error()}}}
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
