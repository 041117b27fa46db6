package operation

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

// knownConditions refuses a "when" that names a condition which no view has: every
// render step takes the same ones.
func knownConditions(params json.RawMessage) error {
	var p struct {
		When []string `json:"when"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil // the step itself says what is wrong
	}
	for _, c := range p.When {
		name := strings.TrimPrefix(c, "not ")
		if _, ok := conditions[name]; ok {
			continue
		}
		known := make([]string, 0, len(conditions))
		for k := range conditions {
			known = append(known, k)
		}
		sort.Strings(known)
		return fmt.Errorf("no condition %q; %s", c, hint(name, known))
	}
	return nil
}

// hint says which of the known names is meant, or which there are.
func hint(name string, known []string) string {
	if near := capabilities.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "there are " + strings.Join(known, ", ")
}
