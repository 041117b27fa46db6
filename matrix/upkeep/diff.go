package upkeep

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
)

// Change is one difference between two tables.
type Change struct {
	Host string `json:"host"`
	Kind string `json:"kind"`          // added, removed, changed
	Key  string `json:"key,omitempty"` // claim, "mode/claim"; "" for a whole row
	Old  string `json:"old,omitempty"` // compact JSON of the claims
	New  string `json:"new,omitempty"`
}

// Diff lists the rows and claims that differ from a to b, by row and then in the
// order of the keys.
func Diff(a, b *capabilities.Table) []Change {
	out := []Change{}
	for _, h := range b.Hosts() {
		old, had := a.Host(h.ID)
		if !had {
			out = append(out, Change{Host: h.ID, Kind: "added"})
			continue
		}
		before, after := flat(old), flat(h)
		for _, key := range keysOf(before, after) {
			o, n := before[key], after[key]
			switch {
			case o == n:
			case o == "":
				out = append(out, Change{h.ID, "added", key, o, n})
			case n == "":
				out = append(out, Change{h.ID, "removed", key, o, n})
			default:
				out = append(out, Change{h.ID, "changed", key, o, n})
			}
		}
	}
	for _, h := range a.Hosts() {
		if _, still := b.Host(h.ID); !still {
			out = append(out, Change{Host: h.ID, Kind: "removed"})
		}
	}
	return out
}

// flat gives each claim key of a row, modes included, the compact JSON of its
// claims; evidence counts, because a better one is a change.
func flat(h *capabilities.Host) map[string]string {
	out := map[string]string{}
	put := func(prefix string, claims map[string][]capabilities.Claim) {
		for key, list := range claims {
			var all []any
			for _, c := range list {
				var value any
				if json.Unmarshal(c.Value, &value) != nil {
					value = string(c.Value)
				}
				evidence := map[string]capabilities.Evidence{}
				for _, id := range c.Evidence {
					evidence[id] = h.Evidence[id]
				}
				all = append(all, map[string]any{"since": c.Since, "until": c.Until, "note": c.Note, "value": value, "evidence": evidence})
			}
			text, err := json.Marshal(all)
			if err != nil {
				text = []byte(err.Error())
			}
			out[prefix+key] = string(text)
		}
	}
	put("", h.Claims)
	for id, m := range h.Modes {
		put(id+"/", m.Claims)
	}
	return out
}

func keysOf(a, b map[string]string) []string {
	var out []string
	for k := range a {
		out = append(out, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
