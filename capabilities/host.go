// Package capabilities is the table: one JSON file per host ([Host]), each claim
// with a version range and evidence, and the small look-up that resolves a host
// at a version, layers included ([Table.Resolve]). It knows what may be claimed
// (claims.go) but not what a claim does; the stages of package matrix do that.
package capabilities

import "encoding/json"

// Format is the value of the "format" member of every capability file.
const Format = "conform-host/1"

// Host is one capability file.
type Host struct {
	Format     string   `json:"format"`
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Vendor     string   `json:"vendor,omitempty"`
	Kind       string   `json:"kind"`              // host, framework, sdk, api, spec
	Surface    string   `json:"surface,omitempty"` // ide, cli, desktop, web, library, api
	ClientInfo []string `json:"client_info,omitempty"`
	// Layers are the rows that this host stands on, "id" or "id@version", nearest
	// first; a claim that it does not make itself is the first layer's that makes
	// it. Of several api layers only the first (or the one chosen with host+api)
	// applies. What shows that it stands on them is the claim "layers".
	Layers []string `json:"layers,omitempty"`
	// Modes are further columns of the same product, e.g. "codex" direct (default),
	// tool search, code mode. Key: mode id; the column's id is "<id>:<mode>".
	Modes    map[string]Mode     `json:"modes,omitempty"`
	Sets     []string            `json:"sets,omitempty"` // --host-set names beyond the kind
	Releases map[string]Release  `json:"releases,omitempty"`
	Notes    []string            `json:"notes,omitempty"`
	Claims   map[string][]Claim  `json:"claims"`
	Evidence map[string]Evidence `json:"evidence"`

	file string // where it was read from, for messages
}

// Mode is a way of running a host in which some claims differ.
type Mode struct {
	Name   string             `json:"name"`
	Claims map[string][]Claim `json:"claims"`
}

// Release is what is known about one version.
type Release struct {
	Date string `json:"date"` // YYYY-MM-DD
}

// Claim is one fact about a host at one point of the pipeline.
type Claim struct {
	// Since and Until bound the versions, half-open: since <= version < until.
	// "≤1.2.3" in Since means true there, earlier untested. Empty means no bound.
	Since    string          `json:"since,omitempty"`
	Until    string          `json:"until,omitempty"`
	Value    json.RawMessage `json:"value"`
	Evidence []string        `json:"evidence"`
	Note     string          `json:"note,omitempty"`
}

// Evidence is why a claim is believed.
type Evidence struct {
	Basis   Basis  `json:"basis"`
	Version string `json:"version,omitempty"` // version that was observed, read or reported
	Date    string `json:"date,omitempty"`    // YYYY-MM-DD
	Record  string `json:"record,omitempty"`  // observations/FILE (basis observed)
	Repo    string `json:"repo,omitempty"`    // owner/name (basis source)
	Commit  string `json:"commit,omitempty"`
	Path    string `json:"path,omitempty"`
	URL     string `json:"url,omitempty"`  // basis documented, reported
	Text    string `json:"text,omitempty"` // what it says, in a few words of ours
}

// Basis is how good a piece of evidence is.
type Basis string

// The five bases, strongest first.
const (
	Observed   Basis = "observed"
	Source     Basis = "source"
	Documented Basis = "documented"
	Reported   Basis = "reported"
	Inferred   Basis = "inferred"
)

var basisRank = map[Basis]int{Inferred: 1, Reported: 2, Documented: 3, Source: 4, Observed: 5}

// Rank orders bases: greater is stronger, 0 is no basis at all.
func (b Basis) Rank() int { return basisRank[b] }

// Weaker returns the weaker of two bases; "" counts as absent and loses.
func Weaker(a, b Basis) Basis {
	if a == "" || (b != "" && b.Rank() < a.Rank()) {
		return b
	}
	return a
}
