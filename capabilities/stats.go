package capabilities

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"
)

// Stats counts the table's claims.
type Stats struct {
	Hosts    int            `json:"hosts"`
	Claims   int            `json:"claims"`
	ByBasis  map[Basis]int  `json:"by_basis"` // each claim by its strongest evidence
	ByStage  map[string]int `json:"by_stage"`
	ByKind   map[string]int `json:"by_kind"` // rows
	ByHost   []HostStats    `json:"by_host"`
	Observed float64        `json:"observed"` // share of claims, 0 to 1
}

// HostStats counts one row's claims.
type HostStats struct {
	ID       string `json:"id"`
	Claims   int    `json:"claims"`
	Observed int    `json:"observed"`
	Modelled int    `json:"modelled"` // stages, layers included
}

// Stats counts.
func (t *Table) Stats() Stats {
	s := Stats{ByBasis: map[Basis]int{}, ByStage: map[string]int{}, ByKind: map[string]int{}}
	for _, h := range t.Hosts() {
		s.Hosts++
		s.ByKind[h.Kind]++
		hs := HostStats{ID: h.ID, Modelled: len(t.resolve(h, "", "", "").Modelled())}
		h.EachClaim(func(_, key string, _ int, c Claim) {
			basis := newFound(h, c, key).Basis
			s.Claims++
			hs.Claims++
			s.ByBasis[basis]++
			if stage := StageOf(key); stage != "" {
				s.ByStage[stage]++
			}
			if basis == Observed {
				hs.Observed++
			}
		})
		s.ByHost = append(s.ByHost, hs)
	}
	if s.Claims > 0 {
		s.Observed = float64(s.ByBasis[Observed]) / float64(s.Claims)
	}
	return s
}

// Stale is a row whose newest observation or source reading is old.
type Stale struct {
	ID       string `json:"id"`
	LastSeen string `json:"last_seen,omitempty"` // "" when nothing was ever observed or read
	Days     int    `json:"days"`                // since then; -1 when never
}

// Stale lists the rows of kind host, framework and sdk that were last observed or
// read more than days ago, or never; oldest first.
func (t *Table) Stale(today time.Time, days int) []Stale {
	var out []Stale
	for _, h := range t.Hosts() {
		if h.Kind == "spec" || h.Kind == "api" {
			continue
		}
		s := Stale{ID: h.ID, LastSeen: h.LastSeen(), Days: -1}
		if seen, err := time.Parse(time.DateOnly, s.LastSeen); err == nil {
			s.Days = int(today.Sub(seen).Hours() / 24)
		}
		if s.Days < 0 || s.Days > days {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Stale) int { return cmp.Compare(a.LastSeen, b.LastSeen) })
	return out
}

// Change is one difference between two tables.
type Change struct {
	Host  string `json:"host"`
	Claim string `json:"claim,omitempty"` // key, with "mode/" before it in a mode; "" for a whole row
	What  string `json:"what"`            // added, removed, changed
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
	// Before and After are the claims of the key that are not in both tables.
	Before []Claim `json:"-"`
	After  []Claim `json:"-"`
}

// Diff lists what changed from one table to another, row by row.
func Diff(before, after *Table) []Change {
	ids := map[string]bool{}
	for _, t := range []*Table{before, after} {
		for _, id := range t.ids {
			ids[id] = true
		}
	}
	sorted := make([]string, 0, len(ids))
	for id := range ids {
		sorted = append(sorted, id)
	}
	sort.Strings(sorted)
	var out []Change
	for _, id := range sorted {
		a, inBefore := before.hosts[id]
		b, inAfter := after.hosts[id]
		switch {
		case !inBefore:
			out = append(out, Change{Host: id, What: "added"})
		case !inAfter:
			out = append(out, Change{Host: id, What: "removed"})
		default:
			out = append(out, diffHosts(a, b)...)
		}
	}
	return out
}

func diffHosts(a, b *Host) []Change {
	before, keysBefore := a.byKey()
	after, keysAfter := b.byKey()
	var out []Change
	for _, key := range keysBefore {
		old, now := before[key], after[key]
		c := Change{Host: a.ID, Claim: key, What: "changed", Old: old.text(), New: now.text(), Before: old.without(now), After: now.without(old)}
		switch {
		case len(now) == 0:
			c.What = "removed"
		case c.Old == c.New:
			continue
		}
		out = append(out, c)
	}
	for _, key := range keysAfter {
		if len(before[key]) == 0 {
			out = append(out, Change{Host: a.ID, Claim: key, What: "added", New: after[key].text(), After: after[key]})
		}
	}
	return out
}

// claimList is the claims of one key, as the file has them.
type claimList []Claim

// byKey returns the claims of a row by key ("mode/key" in a mode), and the keys in
// the order of the file's stages.
func (h *Host) byKey() (map[string]claimList, []string) {
	m := map[string]claimList{}
	var keys []string
	h.EachClaim(func(mode, key string, _ int, c Claim) {
		if mode != "" {
			key = mode + "/" + key
		}
		if _, seen := m[key]; !seen {
			keys = append(keys, key)
		}
		m[key] = append(m[key], c)
	})
	return m, keys
}

func (l claimList) text() string {
	out := ""
	for _, c := range l {
		out += c.line() + "\n"
	}
	return out
}

// line is what a claim says and of which versions; not why.
func (c Claim) line() string {
	value, _ := compactSorted(c.Value)
	return c.Since + ".." + c.Until + " " + string(value)
}

func (l claimList) without(other claimList) []Claim {
	var out []Claim
	for _, c := range l {
		if !slices.ContainsFunc(other, func(o Claim) bool { return o.line() == c.line() }) {
			out = append(out, c)
		}
	}
	return out
}

// Range is the versions of a claim in words.
func (c Claim) Range() string { return rangeText(c) }

// Decoded is a claim's value as the stages read it: a pointer to the type registered
// for the key ("mode/key" is taken for key). It panics where [Decode] refuses the file.
func (c Claim) Decoded(key string) any {
	if i := strings.LastIndex(key, "/"); i >= 0 {
		key = key[i+1:]
	}
	return newFound(&Host{}, c, key).Value()
}
