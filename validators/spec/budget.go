package spec

import (
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
)

const (
	// maxSubschemas bounds compile time: the library searches its queue of
	// schemas to compile from the start for each new one (compiler.go, v6.0.3).
	maxSubschemas = 20_000
	// maxDepth bounds the nesting of schema objects.
	maxDepth = 2_000
	// maxSteps bounds one validation: schema objects evaluated. 2,900 real tools
	// need less than a thousandth.
	maxSteps = 500_000
)

// limitError says which bound was hit; it travels as a panic through the library.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// overLimit names the bound that the schema exceeds, or is empty.
func overLimit(document *schema.Value) string {
	count, deepest := 0, 0
	schema.Walk(document, func(n schema.Node) bool {
		count++
		deepest = max(deepest, n.Depth)
		return count <= maxSubschemas && deepest <= maxDepth
	})
	switch {
	case count > maxSubschemas:
		return fmt.Sprintf("the schema has more than %d subschemas", maxSubschemas)
	case deepest > maxDepth:
		return fmt.Sprintf("the schema is nested more than %d levels deep", maxDepth)
	}
	return ""
}

// meter counts the schema objects that one validation evaluates. The library
// offers no other hook: a vocabulary that claims every schema object.
type meter struct {
	mu    sync.Mutex // one validation at a time per compiled schema
	steps int
	// enumerated are the arrays and objects in all enums: the library compares them with
	// every value by reflection, a microsecond each, and lets nobody count that.
	enumerated int
}

// maxCompared bounds those comparisons of one validation.
const maxCompared = 500_000

// tooDear names the bound that a validation would exceed where no meter runs, or is
// empty.
func (m *meter) tooDear(instance *schema.Value) string {
	if m.enumerated < 2 || m.enumerated*composites(instance) <= maxCompared {
		return ""
	}
	return fmt.Sprintf("validation may take more than %d steps: %d arrays and objects in enums are compared with each one of the data", maxCompared, m.enumerated)
}

// enumerated counts the arrays and objects in a schema's enums.
func enumerated(document *schema.Value) int {
	count := 0
	schema.Walk(document, func(n schema.Node) bool {
		if enum := n.Schema.Get("enum"); enum != nil {
			for _, v := range enum.Items {
				count += min(1, composites(v))
			}
		}
		return true
	})
	return count
}

// composites counts the arrays and objects of a value, itself included.
func composites(v *schema.Value) int {
	count := 0
	switch v.Kind {
	case schema.Array:
		count++
		for _, item := range v.Items {
			count += composites(item)
		}
	case schema.Object:
		count++
		for _, m := range v.Members {
			count += composites(m.Value)
		}
	}
	return count
}

func (m *meter) Validate(c *jsonschema.ValidatorContext, _ any) {
	// An error holds a copy of its place, 16 bytes for each level: nested unions that
	// all fail would take gigabytes in as many steps as flat ones take megabytes.
	m.spend(1 + len(c.ValueLocation())/8)
}

// spend counts steps, a match of a pattern among them, and gives up past the bound.
func (m *meter) spend(steps int) {
	if m == nil { // a metaschema, which is shared
		return
	}
	if m.steps += steps; m.steps > maxSteps {
		panic(&limitError{fmt.Sprintf("validation takes more than %d steps", maxSteps)})
	}
}

func (m *meter) vocabulary() *jsonschema.Vocabulary {
	return &jsonschema.Vocabulary{
		URL: "urn:conform:meter",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
			return m, nil
		},
	}
}
