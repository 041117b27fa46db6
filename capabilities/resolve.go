package capabilities

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Resolved is one column of the matrix: a host at a version, in a mode, on a
// chosen model API, with its layers below it.
type Resolved struct {
	Host    *Host
	ID      string // column id: id, id:mode, id+api
	Version string // "" when the host has no versions (a protocol revision)
	Mode    string // "" is the default mode

	layers []*Resolved
	api    *Resolved // the model API that was asked for, one of the layers; nil: the host's own

	mu    sync.Mutex // several servers may be captured at once for the same columns
	cache map[string]*Found
}

// Found is the claim that decides a key for a column.
type Found struct {
	Claim Claim
	From  *Host // the host or layer that makes the claim
	Basis Basis // weakest of the claim's evidence, its range and the way down the layers
	// Note says why the basis is lower than the evidence, "" when it is not.
	Note string
	// Conflict holds another claim for the same version with another value; the
	// cell is then unknown.
	Conflict *Claim
	value    any
}

// Value returns the decoded value, a pointer to the type registered for the key.
func (f *Found) Value() any { return f.value }

// EvidenceRefs returns the claim's evidence as "row/evidence-id".
func (f *Found) EvidenceRefs() []string {
	out := make([]string, len(f.Claim.Evidence))
	for i, id := range f.Claim.Evidence {
		out[i] = f.From.ID + "/" + id
	}
	return out
}

// UnknownHostError says that no row has the id that was asked for.
type UnknownHostError struct{ ID, Near string }

func (e *UnknownHostError) Error() string {
	if e.Near != "" {
		return fmt.Sprintf("no host %q in the table; did you mean %q? `conform hosts` lists them", e.ID, e.Near)
	}
	return fmt.Sprintf("no host %q in the table; `conform hosts` lists them", e.ID)
}

// Resolve finds the column for spec: id[:mode][+api][@version]. Without a
// version the newest known one is taken.
func (t *Table) Resolve(spec string) (*Resolved, error) {
	name, version, _ := strings.Cut(spec, "@")
	name, api, hasAPI := strings.Cut(name, "+")
	id, mode, hasMode := strings.Cut(name, ":")
	h, ok := t.hosts[id]
	if !ok {
		return nil, &UnknownHostError{ID: id, Near: Nearest(id, t.ids)}
	}
	if hasMode {
		if _, ok := h.Modes[mode]; !ok {
			return nil, fmt.Errorf("host %s has no mode %q; it has %s", id, mode, cmp.Or(strings.Join(h.ModeIDs(), ", "), "no modes"))
		}
	}
	if hasAPI {
		if _, ok := t.hosts[api]; !ok {
			return nil, &UnknownHostError{ID: api, Near: Nearest(api, t.ids)}
		}
	}
	r := t.resolve(h, version, mode, api)
	r.ID = name
	if hasAPI {
		r.ID += "+" + api
	}
	return r, nil
}

func (t *Table) resolve(h *Host, version, mode, api string) *Resolved {
	if version == "" {
		version = h.Newest()
	}
	r := &Resolved{Host: h, ID: h.ID, Version: version, Mode: mode, cache: map[string]*Found{}}
	apiTaken := false
	if api != "" {
		r.api = t.resolve(t.hosts[api], "", "", "")
		r.layers = append(r.layers, r.api)
		apiTaken = true
	}
	for _, l := range h.Layers {
		base, layerVersion, _ := strings.Cut(l, "@")
		layer := t.hosts[base]
		if layer.Kind == "api" {
			if apiTaken {
				continue
			}
			apiTaken = true
		}
		r.layers = append(r.layers, t.resolve(layer, layerVersion, "", ""))
	}
	return r
}

// ModeIDs returns the host's mode ids, sorted.
func (h *Host) ModeIDs() []string {
	var ids []string
	for id := range h.Modes {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

// Find returns the claim that decides key for this column, or nil when neither
// the host nor a layer makes it: then the behaviour is not modelled.
func (r *Resolved) Find(key string) *Found {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.cache[key]
	if !ok {
		f = r.find(key)
		r.cache[key] = f
	}
	return f
}

func (r *Resolved) find(key string) *Found {
	// What a host says of its model API holds for the one that it uses by itself.
	if r.api != nil && strings.HasPrefix(key, "offer.api.") {
		if f := r.api.Find(key); f != nil {
			return r.lowered(f, r.api)
		}
	}
	if r.Mode != "" {
		if f := pick(r.Host, r.Host.Modes[r.Mode].Claims[key], key, r.Version); f != nil {
			return f
		}
	}
	if f := pick(r.Host, r.Host.Claims[key], key, r.Version); f != nil {
		return f
	}
	for _, layer := range r.layers {
		if r.Host.Kind == "host" && layer.Host.Kind == "sdk" && ofTheApplication(key) {
			continue
		}
		f := layer.Find(key)
		if f == nil {
			continue
		}
		return r.lowered(f, layer)
	}
	return nil
}

// lowered is a layer's claim as this column may make it: no better than what shows
// that the host stands on the layer.
func (r *Resolved) lowered(f *Found, layer *Resolved) *Found {
	lowered := *f
	stands := Inferred
	if own := pick(r.Host, r.Host.Claims["layers"], "layers", r.Version); own != nil {
		stands = own.Basis
	}
	if stands.Rank() < lowered.Basis.Rank() {
		lowered.Basis = stands
		lowered.Note = joinNotes(lowered.Note, fmt.Sprintf("from %s, on which %s stands (%s)", layer.Host.ID, r.Host.ID, stands))
	}
	return &lowered
}

// ofTheApplication says that a key is about what reaches a model. An SDK hands
// tools and results to the program that uses it; what a host makes of them is the
// host's own, and unknown until the host's file says so.
func ofTheApplication(key string) bool {
	stage := StageOf(key)
	return stage == "offer" || stage == "view"
}

// pick returns the claim whose range holds version, else the nearest one with
// its basis lowered to inferred.
func pick(h *Host, claims []Claim, key, version string) *Found {
	var hit *Found
	for i := range claims {
		c := claims[i]
		if version != "" && !c.covers(version) {
			continue
		}
		if hit == nil {
			hit = newFound(h, c, key)
		} else if string(hit.Claim.Value) != string(c.Value) && hit.Conflict == nil {
			hit.Conflict = &claims[i]
		}
	}
	if hit != nil {
		return beyond(h, hit, version)
	}
	if len(claims) == 0 {
		return nil
	}
	nearest := claims[0]
	for _, c := range claims[1:] {
		below := c.Until != "" && CompareVersions(version, c.Until) >= 0
		if below && (nearest.Until == "" || CompareVersions(c.Until, nearest.Until) > 0) {
			nearest = c
		}
	}
	f := newFound(h, nearest, key)
	f.Basis = Inferred
	f.Note = fmt.Sprintf("no claim covers %s %s; the nearest one (%s) is used", h.ID, version, rangeText(nearest))
	return f
}

// beyond lowers the basis of an open range's claim for a version that is newer than
// every one the table knows: that nothing changed since is a guess.
func beyond(h *Host, f *Found, version string) *Found {
	newest := h.Newest()
	if version == "" || newest == "" || f.Claim.Since == "" && f.Claim.Until == "" || CompareVersions(version, newest) <= 0 {
		return f
	}
	f.Basis = Inferred
	f.Note = fmt.Sprintf("%s %s is newer than every version the table knows; what %s does is taken", h.ID, version, newest)
	return f
}

func newFound(h *Host, c Claim, key string) *Found {
	f := &Found{Claim: c, From: h, value: claimTypes[key]()}
	if err := json.Unmarshal(c.Value, f.value); err != nil {
		panic(fmt.Sprintf("capabilities: claim %s of %s passed Decode and does not decode: %v", key, h.ID, err))
	}
	// Pieces of evidence support each other: the strongest one counts.
	for _, id := range c.Evidence {
		if b := h.Evidence[id].Basis; b.Rank() > f.Basis.Rank() {
			f.Basis = b
		}
	}
	return f
}

func rangeText(c Claim) string {
	switch {
	case c.Since != "" && c.Until != "":
		return c.Since + " to before " + c.Until
	case c.Until != "":
		return "before " + c.Until
	case c.Since != "":
		return c.Since + " and later"
	}
	return "all versions"
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// Get returns the decoded value of a claim, and the claim; both nil when the
// behaviour is not modelled. T must be the type registered for key.
func Get[T any](r *Resolved, key string) (*T, *Found) {
	f := r.Find(key)
	if f == nil {
		return nil, nil
	}
	return f.value.(*T), f
}

// Modelled returns the stages for which the column has at least one claim, in
// pipeline order.
func (r *Resolved) Modelled() []string {
	var out []string
	for _, stage := range []string{"connect", "list", "offer", "call", "result", "view"} {
		for _, key := range ClaimKeys() {
			if StageOf(key) == stage && r.Find(key) != nil {
				out = append(out, stage)
				break
			}
		}
	}
	return out
}

// LastSeen returns the newest date of the host's observed or source evidence
// (YYYY-MM-DD), "" when there is none.
func (h *Host) LastSeen() string {
	newest := ""
	for _, e := range h.Evidence {
		if (e.Basis == Observed || e.Basis == Source) && e.Date > newest {
			newest = e.Date
		}
	}
	return newest
}
