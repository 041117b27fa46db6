package upkeep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
)

// Format writes a capability file in its one canonical form: the format's order
// of members, claims in the order of the pipeline, evidence and releases by id,
// two blanks of indent. The members of a claim's value keep their order. A file
// that does not decode is an error.
func Format(name string, text []byte) ([]byte, error) {
	h, err := capabilities.Decode(name, text)
	if err != nil {
		return nil, err
	}
	modes := map[string]orderedMode{}
	for id, m := range h.Modes {
		modes[id] = orderedMode{m.Name, orderedClaims(m.Claims)}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(struct {
		Format     string                           `json:"format"`
		ID         string                           `json:"id"`
		Name       string                           `json:"name"`
		Vendor     string                           `json:"vendor,omitempty"`
		Kind       string                           `json:"kind"`
		Surface    string                           `json:"surface,omitempty"`
		ClientInfo []string                         `json:"client_info,omitempty"`
		Layers     []string                         `json:"layers,omitempty"`
		Sets       []string                         `json:"sets,omitempty"`
		Notes      []string                         `json:"notes,omitempty"`
		Releases   map[string]capabilities.Release  `json:"releases,omitempty"`
		Claims     orderedClaims                    `json:"claims"`
		Modes      map[string]orderedMode           `json:"modes,omitempty"`
		Evidence   map[string]capabilities.Evidence `json:"evidence"`
	}{h.Format, h.ID, h.Name, h.Vendor, h.Kind, h.Surface, h.ClientInfo, h.Layers, h.Sets, h.Notes, h.Releases,
		orderedClaims(h.Claims), modes, h.Evidence})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b.Bytes(), nil
}

type orderedMode struct {
	Name   string        `json:"name"`
	Claims orderedClaims `json:"claims"`
}

// orderedClaims are claims that encode in the order of the pipeline.
type orderedClaims map[string][]capabilities.Claim

// MarshalJSON writes the claims in the order of the pipeline.
func (c orderedClaims) MarshalJSON() ([]byte, error) {
	keys := make([]string, 0, len(c))
	for k := range c {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := stageRank(a) - stageRank(b); d != 0 {
			return d
		}
		return keyRank(a) - keyRank(b)
	})
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", k)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(c[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func stageRank(key string) int {
	return slices.Index([]string{"", "connect", "list", "offer", "call", "result", "view"}, capabilities.StageOf(key))
}

func keyRank(key string) int { return slices.Index(capabilities.ClaimKeys(), key) }
