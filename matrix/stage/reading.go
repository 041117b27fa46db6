package stage

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// reading says by which engine the host reads the outputSchema and, where the
// violation shows it, in what that reading differs from the schema's intention.
func (r *results) reading(result validators.Result) string {
	id := profileFor(r.rule, r.tool.Output)
	text := "with " + id
	if p, ok := validators.Lookup(id); ok {
		text = "with " + p.Library + " (profile " + id + ")"
	}
	text += " and rejects structuredContent by it"
	if len(result.Violations) > 0 && r.tupleMissed(result.Violations[0]) {
		text += "; prefixItems means nothing to that reading, so items holds for every element"
	}
	return text
}

// tupleMissed reports whether a violation is that of `items` on an element that
// prefixItems covers: only a reader that does not know prefixItems has it.
func (r *results) tupleMissed(v validators.Violation) bool {
	at := len(v.Schema) - 1
	for ; at >= 0 && at >= len(v.Schema)-2; at-- {
		if v.Schema[at] == "items" {
			break
		}
	}
	if at < 0 || v.Schema[at] != "items" || len(v.Instance) == 0 {
		return false
	}
	parent := r.document.Lookup(v.Schema[:at])
	index, err := strconv.Atoi(v.Instance[len(v.Instance)-1])
	if parent == nil || err != nil {
		return false
	}
	prefix := parent.Get("prefixItems")
	return prefix != nil && prefix.Kind == schema.Array && index < len(prefix.Items)
}
