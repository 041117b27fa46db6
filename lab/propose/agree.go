package propose

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// agrees says whether a value has every derived member. A list of objects agrees
// when each has what was derived and perhaps more (transports of a try).
func agrees(key string, value json.RawMessage, members map[string]json.RawMessage) bool {
	var have map[string]json.RawMessage
	if json.Unmarshal(value, &have) != nil {
		return false
	}
	if string(have["list_only"]) == "true" && string(members["profile"]) == `"none"` {
		return true // schemas are compiled, results are not checked: nothing is rejected
	}
	for name, want := range members {
		ok := false
		switch {
		case name == tries:
			ok = begins(have[name], want)
		case key == "view.blocks":
			ok = sameBlock(have[name], want)
		default:
			ok = covers(have[name], want)
		}
		if !ok {
			return false
		}
	}
	return true
}

// sameBlock compares what becomes of a kind of block. That nothing of it reaches the
// model, and that it does as an image, are told apart by looking; words about it
// are no more than that, and the business of the replay. A kind of which the claim
// says nothing is shown.
func sameBlock(have, want json.RawMessage) bool {
	class := func(raw json.RawMessage) string {
		switch s := strings.Trim(string(raw), `"`); s {
		case "lost", "reject":
			return "lost"
		case "image":
			return s
		}
		return "shown"
	}
	return class(have) == class(want) || string(want) == `"placeholder"` || len(have) == 0 && class(want) == "image"
}

// tries is the member of a handshake of which only a start can be seen: a host whose
// first try was answered makes no second one.
const tries = "tries"

func begins(have, want json.RawMessage) bool {
	var h, w []any
	if json.Unmarshal(have, &h) != nil || json.Unmarshal(want, &w) != nil || len(w) > len(h) {
		return false
	}
	return within(w, h[:len(w)])
}

// nothing is what view.surface says where an absent member says the same.
const nothing = "empty"

func covers(have, want json.RawMessage) bool {
	var h, w any
	if json.Unmarshal(want, &w) != nil {
		return false
	}
	if len(have) == 0 { // an absent member is its zero value; an absent limit is none
		limit, bounded := w.(map[string]any)
		return w == nil || w == "" || w == nothing || w == false || bounded && limit["from"] != nil && limit["below"] == nil
	}
	return json.Unmarshal(have, &h) == nil && within(w, h)
}

func within(want, have any) bool {
	switch w := want.(type) {
	case map[string]any:
		if n, ok := have.(float64); ok {
			return between(w, n)
		}
		if list, ok := have.([]any); ok {
			return decided(w, list)
		}
		h, ok := have.(map[string]any)
		for k, v := range w {
			if !ok || !within(v, h[k]) {
				return false
			}
		}
		return ok
	case []any:
		h, ok := have.([]any)
		if !ok || len(h) != len(w) {
			return false
		}
		for i := range w {
			if !within(w[i], h[i]) {
				return false
			}
		}
		return true
	}
	return want == have
}

// between compares a number with a derive.Between.
func between(limit map[string]any, n float64) bool {
	from, ok := limit["from"].(float64)
	below, bounded := limit["below"].(float64)
	return ok && n >= from && (!bounded || n < below)
}

// decided compares a list with a derive.Members.
func decided(members map[string]any, list []any) bool {
	with, ok := members["with"].([]any)
	without, _ := members["without"].([]any)
	return ok && !slices.ContainsFunc(with, func(v any) bool { return !slices.Contains(list, v) }) &&
		!slices.ContainsFunc(without, func(v any) bool { return slices.Contains(list, v) })
}

// concrete makes values of members that are only bounded, as far as that can be: a
// list of what was seen in it. A number between two others stays what it is, and
// the claim is not proposed.
func concrete(members map[string]json.RawMessage) map[string]json.RawMessage {
	out := maps.Clone(members)
	for name, raw := range members {
		var m struct {
			With  []string `json:"with"`
			From  *int     `json:"from"`
			Below *int     `json:"below"`
		}
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		switch {
		case len(m.With) > 0:
			slices.SortFunc(m.With, func(a, b string) int { return strings.Compare(b, a) }) // newest first
			data, err := json.Marshal(m.With)
			if err != nil {
				panic(err) // a list of strings
			}
			out[name] = data
		case m.From != nil && m.Below == nil:
			delete(out, name) // no limit was reached
		case m.From != nil && *m.Below == *m.From+1:
			out[name] = json.RawMessage(strconv.Itoa(*m.From))
		}
	}
	return out
}
