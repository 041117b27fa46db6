package witness

import (
	"errors"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/spec"
)

// dispatch is the reading that MCP asks for: what $schema names, 2020-12 without it.
const dispatch = "spec-dispatch"

// ownReading compiles a schema in the dialect that it means: the one that $schema
// names, else 2020-12, else draft-07 for an untagged schema that only makes sense
// there (array-form items). A nil validator comes with the reason.
func ownReading(cache *validators.Cache, output *schema.Value) (dialect string, own validators.Validator, why string) {
	dialect = dispatch
	if name, ok := spec.DialectOf(output); ok && (name == "2020-12" || name == "draft-07") {
		dialect = name
	}
	own, err := cache.Compile(dialect, output)
	if err == nil {
		return dialect, own, ""
	}
	var refused *validators.CompileError
	if errors.As(err, &refused) && !output.Has("$schema") {
		if own, older := cache.Compile("draft-07", output); older == nil {
			return "draft-07", own, ""
		}
	}
	return dialect, nil, "its own dialect cannot read the schema: " + err.Error()
}

// ownDialect is how a schema's own dialect reads it. Its validator is compiled when
// it is asked for and goes with it: it is needed for few of the questions
// about a schema, and those of 2,900 tools would hold 100 MB.
type ownDialect struct {
	output  *schema.Value
	dialect string
	why     string // why nothing reads it
	reads   bool

	compiled validators.Validator
}

// own returns the reading of a schema; the dialect is found out once.
func (s *Searcher) own(output *schema.Value) *ownDialect {
	s.mu.Lock()
	known, ok := s.readings[output]
	s.mu.Unlock()
	if ok {
		return &known
	}
	r := ownDialect{output: output}
	var validator validators.Validator
	r.dialect, validator, r.why = ownReading(validators.NewCache(), output)
	r.reads = validator != nil
	s.mu.Lock()
	s.readings[output] = r
	s.mu.Unlock()
	r.compiled = validator
	return &r
}

// validator compiles what [Searcher.own] found to compile.
func (r *ownDialect) validator() validators.Validator {
	if r.compiled == nil {
		_, r.compiled, _ = ownReading(validators.NewCache(), r.output)
	}
	return r.compiled
}

// Dialect returns the spec profile that stands for the schema's own reading and
// its validator, nil when no dialect reads it.
func Dialect(cache *validators.Cache, output *schema.Value) (profile string, own validators.Validator) {
	profile, own, _ = ownReading(cache, output)
	return profile, own
}
