package upkeep

import (
	"time"

	"github.com/hostmatrix/conform/capabilities"
)

// Stats counts what a table holds.
type Stats struct {
	Rows    int            `json:"rows"`
	Claims  int            `json:"claims"`
	ByBasis map[string]int `json:"by_basis"` // the strongest evidence of each claim
	ByStage map[string]int `json:"by_stage"`
	ByKind  map[string]int `json:"by_kind"` // rows
	Hosts   []HostStats    `json:"hosts"`
}

// HostStats counts one row.
type HostStats struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Claims   int    `json:"claims"` // its own, modes included
	Observed int    `json:"observed"`
	Modelled int    `json:"modelled"` // stages, layers included
	LastSeen string `json:"last_seen,omitempty"`
}

// Count counts the claims of a table by basis, by stage and by row.
func Count(t *capabilities.Table) Stats {
	s := Stats{ByBasis: map[string]int{}, ByStage: map[string]int{}, ByKind: map[string]int{}, Hosts: []HostStats{}}
	for _, h := range t.Hosts() {
		row := HostStats{ID: h.ID, Kind: h.Kind, LastSeen: h.LastSeen()}
		count := func(claims map[string][]capabilities.Claim) {
			for key, list := range claims {
				for _, c := range list {
					basis := strongest(h, c)
					s.Claims++
					row.Claims++
					s.ByBasis[string(basis)]++
					if stage := capabilities.StageOf(key); stage != "" {
						s.ByStage[stage]++
					}
					if basis == capabilities.Observed {
						row.Observed++
					}
				}
			}
		}
		count(h.Claims)
		for _, m := range h.Modes {
			count(m.Claims)
		}
		if column, err := t.Resolve(h.ID); err == nil {
			row.Modelled = len(column.Modelled())
		}
		s.Rows++
		s.ByKind[h.Kind]++
		s.Hosts = append(s.Hosts, row)
	}
	return s
}

func strongest(h *capabilities.Host, c capabilities.Claim) capabilities.Basis {
	var best capabilities.Basis
	for _, id := range c.Evidence {
		if b := h.Evidence[id].Basis; b.Rank() > best.Rank() {
			best = b
		}
	}
	return best
}

// Stale is a row that nobody looked at for a while.
type Stale struct {
	ID       string `json:"id"`
	LastSeen string `json:"last_seen,omitempty"` // "" for never
	Days     int    `json:"days"`                // -1 for never
	Newest   string `json:"newest,omitempty"`    // newest version that the table names
	// Releases are those after the version that was last looked at.
	Releases []string `json:"releases,omitempty"`
}

// FindStale returns the rows whose newest observation or reading is older than a
// number of days on the day now, those never looked at first.
func FindStale(t *capabilities.Table, now time.Time, days int) []Stale {
	var never, old []Stale
	for _, h := range t.Hosts() {
		if h.Kind == "spec" {
			continue // a revision of the protocol does not change
		}
		s := Stale{ID: h.ID, LastSeen: h.LastSeen(), Days: -1, Newest: h.Newest()}
		seen, err := time.Parse(time.DateOnly, s.LastSeen)
		if err != nil {
			never = append(never, s)
			continue
		}
		if s.Days = int(now.Sub(seen).Hours() / 24); s.Days < days {
			continue
		}
		for v, r := range h.Releases {
			if r.Date > s.LastSeen {
				s.Releases = append(s.Releases, v)
			}
		}
		old = append(old, s)
	}
	return append(never, old...)
}
