package js

import "github.com/hostmatrix/conform/schema"

// Strict is a === b for values that came from JSON.parse: primitives by value,
// arrays and objects by identity. nil is undefined.
func Strict(a, b *schema.Value) bool {
	if a == b {
		return a == nil || a.Kind != schema.Number || a.Float() == a.Float()
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case schema.Null:
		return true
	case schema.Bool:
		return a.Bool == b.Bool
	case schema.Number:
		return a.Text == b.Text || a.Float() == b.Float()
	case schema.String:
		return a.Text == b.Text
	}
	return false
}

// Comparer makes deep comparisons within a step budget.
type Comparer struct {
	// Steps is counted down once per pair of values; below zero every answer is false.
	Steps int
	// Thrown is the message of the exception that the last comparison raised, or "".
	Thrown string
}

// Deep is the deep equality of fast-deep-equal 3, which Ajv uses for const, enum
// and uniqueItems. The library reads the names constructor, valueOf and toString
// off the objects it compares, so that members of those names take part: objects
// whose constructors are not identical differ, and a member valueOf or toString
// is called, which throws.
func (c *Comparer) Deep(a, b *schema.Value) bool {
	c.Steps--
	if c.Steps < 0 || c.Thrown != "" {
		return false
	}
	if Strict(a, b) {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case schema.Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := len(a.Items) - 1; i >= 0; i-- {
			if !c.Deep(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case schema.Object:
		return c.objects(a, b)
	}
	return false
}

func (c *Comparer) objects(a, b *schema.Value) bool {
	if !Strict(Get(a, "constructor"), Get(b, "constructor")) {
		return false
	}
	for _, name := range [...]string{"valueOf", "toString"} {
		if a.Has(name) {
			c.Thrown = "a." + name + " is not a function"
			return false
		}
	}
	am, bm := Members(a), Members(b)
	if len(am) != len(bm) {
		return false
	}
	for i := range am {
		if b.Get(am[i].Key) == nil {
			return false
		}
	}
	for i := len(am) - 1; i >= 0; i-- {
		if !c.Deep(am[i].Value, b.Get(am[i].Key)) {
			return false
		}
	}
	return true
}
