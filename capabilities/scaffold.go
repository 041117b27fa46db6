package capabilities

import (
	"encoding/json"
	"fmt"
	"regexp"
)

var idPattern = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)

// Scaffold returns a first capability file for a new row: it decodes, claims
// nothing, and shows where a claim and its evidence go. day is the date of today.
func Scaffold(id, day string) ([]byte, error) {
	if !idPattern.MatchString(id) {
		return nil, fmt.Errorf("id %q: use lower-case letters, digits, hyphens and dots, e.g. acme-editor", id)
	}
	h := &Host{
		Format: Format, ID: id, Name: id, Kind: "host",
		Notes:    []string{"Leave out what nobody observed, read or reported; a stage without claims is not modelled."},
		Claims:   map[string][]Claim{"view.surface": {{Since: "≤0.0.0", Value: json.RawMessage(`{"prefers":"content"}`), Evidence: []string{"first-look"}, Note: "replace this example"}}},
		Evidence: map[string]Evidence{"first-look": {Basis: Inferred, Version: "0.0.0", Date: day, Text: "replace this by what was observed, read or reported"}},
	}
	return h.canonical()
}
