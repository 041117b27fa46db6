// Package pyjsonschema gives the verdicts and words of Python's jsonschema as
// the MCP Python SDK's client calls it.
package pyjsonschema

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/spec"
)

func init() {
	validators.Register(validators.Profile{
		ID: "python-jsonschema", Title: "MCP Python SDK client",
		Library: "jsonschema 4.26.0 with referencing 0.37.0",
		Source:  "run: mcp 1.30.0 on Python 3.11",
		Compile: compile,
	})
}

// compile is a stand-in until the evaluator of this package lands.
func compile(document *schema.Value) (validators.Validator, error) {
	profile := "2020-12"
	if dialect, ok := spec.DialectOf(document); ok && dialect == "draft-07" {
		profile = dialect
	}
	return validators.Compile(profile, document)
}
