package capabilities

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
)

// Canonical returns a capability file in its one canonical form: members in the
// order of [Host], claims by key, two spaces, no HTML escapes, a newline at the end.
func Canonical(name string, data []byte) ([]byte, error) {
	h, err := Decode(name, data)
	if err != nil {
		return nil, err
	}
	return h.canonical()
}

func (h *Host) canonical() ([]byte, error) {
	for _, claims := range h.allClaims() {
		for key, list := range claims {
			for i := range list {
				value, err := compactSorted(list[i].Value)
				if err != nil {
					return nil, fmt.Errorf("%s: claim %s[%d]: %w", h.file, key, i, err)
				}
				list[i].Value = value
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(h); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// compactSorted normalises white space and keeps the order of a value's members:
// the steps of a rendering read in the order in which they were written.
func compactSorted(raw json.RawMessage) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// allClaims returns the host's own claims and those of its modes.
func (h *Host) allClaims() []map[string][]Claim {
	out := []map[string][]Claim{h.Claims}
	for _, id := range h.ModeIDs() {
		out = append(out, h.Modes[id].Claims)
	}
	return out
}

// EachClaim calls f for every claim of the host and its modes, in a fixed order;
// mode is "" for the host's own.
func (h *Host) EachClaim(f func(mode, key string, i int, c Claim)) {
	each := func(mode string, claims map[string][]Claim) {
		keys := make([]string, 0, len(claims))
		for key := range claims {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			for i, c := range claims[key] {
				f(mode, key, i, c)
			}
		}
	}
	each("", h.Claims)
	for _, id := range h.ModeIDs() {
		each(id, h.Modes[id].Claims)
	}
}
