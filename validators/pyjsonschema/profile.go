package pyjsonschema

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/regex"
)

func init() {
	validators.Register(validators.Profile{
		ID: "python-jsonschema", Title: "MCP Python SDK client",
		Library: "jsonschema 4.26.0 with referencing 0.37.0",
		Source:  "run: mcp 1.30.0 on CPython 3.11",
		Compile: compile, Ground: ground.All,
		Exact: ground.Alike | ground.Integer | ground.Format | ground.OtherFormat | ground.TupleTagged | ground.TuplePrefix,
	})
}

const tooManyDigits = "an integer has more than 4300 digits, which Python's parser refuses"

// compiled is a schema that passed check_schema.
type compiled struct {
	document *schema.Value
	root     *value
	draft    *draft
	resolver *resolver // its step function is set per validation
	patterns *regex.Cache
}

// compile is validator_for and check_schema. What they raise is the compile
// error: "Invalid schema for tool t: …" in the SDK.
func compile(document *schema.Value) (validators.Validator, error) {
	root, ok := load(document)
	if !ok {
		return nil, &validators.UnknownError{Reason: tooManyDigits}
	}
	c := &compiled{document: document, root: root, patterns: new(regex.Cache)}
	check := &run{formats: true, patterns: c.patterns}
	var first *failure
	exception, limit := attempt(func() {
		c.draft = draftFor(root, latest)
		meta := c.draft.validatorFor(c.draft.meta, check)
		meta.iterErrors(root, func(e *failure) bool {
			first = e
			return false
		})
		if first == nil {
			r, _ := c.draft.rootResolver(root)
			c.draft.applicable(root)
			c.resolver = r
		}
	})
	switch {
	case limit != nil:
		return nil, &validators.UnknownError{Reason: limit.reason}
	case check.nearLimit():
		return nil, &validators.UnknownError{Reason: nearRecursionLimit}
	case exception != nil:
		return nil, &validators.CompileError{Text: exception.described()}
	case first != nil:
		return nil, &validators.CompileError{Text: first.text("metaschema", "schema")}
	}
	return c, nil
}

const nearRecursionLimit = "the check comes close to Python's recursion limit of 1000 frames; whether it is exceeded depends on the host's own stack"

// rootResolver is Registry.resolver_with_root.
func (d *draft) rootResolver(root *value) (*resolver, string) {
	res := resource{root, d}
	address, _ := res.id()
	return &resolver{base: address, known: registryWith(address, res)}, address
}

// validatorFor makes a Validator whose root is the schema.
func (d *draft) validatorFor(schema *value, r *run) *validator {
	root, _ := d.rootResolver(schema)
	root.step, root.joined = r.step, map[[2]string]string{}
	return &validator{d, schema, root, r}
}

// Validate implements [validators.Validator]: best_match of iter_errors.
func (c *compiled) Validate(instance *schema.Value) validators.Result {
	loaded, ok := load(instance)
	if !ok {
		return unknown(tooManyDigits)
	}
	r := &run{patterns: c.patterns}
	own := *c.resolver
	own.step, own.joined = r.step, map[[2]string]string{}
	v := &validator{c.draft, c.root, &own, r}
	var best *failure
	exception, limit := attempt(func() {
		var errors []*failure
		v.iterErrors(loaded, func(e *failure) bool {
			errors = append(errors, e)
			return true
		})
		best = bestMatch(errors)
	})
	switch {
	case limit != nil:
		return unknown(limit.reason)
	case r.nearLimit():
		return unknown(nearRecursionLimit)
	case exception != nil:
		return validators.Result{Outcome: validators.Thrown, Text: exception.described()}
	case best == nil:
		return validators.Result{Outcome: validators.Valid}
	}
	return validators.Result{
		Outcome:    validators.Invalid,
		Text:       best.text("schema", "instance"),
		Violations: []validators.Violation{c.violation(best)},
	}
}

func unknown(reason string) validators.Result {
	return validators.Result{Outcome: validators.Unknown, Text: reason}
}
