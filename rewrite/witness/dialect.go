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

// Dialect returns the spec profile that stands for the schema's own reading and
// its validator, nil when no dialect reads it.
func Dialect(cache *validators.Cache, output *schema.Value) (profile string, own validators.Validator) {
	profile, own, _ = ownReading(cache, output)
	return profile, own
}
