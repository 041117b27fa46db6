package capabilities

import "slices"

// AsOf returns the table as it was known at the end of a day (YYYY-MM-DD): claims
// whose every piece of evidence is newer are left out, and so are newer evidence
// and releases. What has no date counts as known. It freezes a run against what
// the table learned since.
func (t *Table) AsOf(day string) *Table {
	out := &Table{hosts: map[string]*Host{}, ids: slices.Clone(t.ids)}
	for id, h := range t.hosts {
		frozen := *h
		frozen.Evidence = map[string]Evidence{}
		for key, e := range h.Evidence {
			if e.Date <= day {
				frozen.Evidence[key] = e
			}
		}
		frozen.Releases = map[string]Release{}
		for version, r := range h.Releases {
			if r.Date <= day {
				frozen.Releases[version] = r
			}
		}
		frozen.Claims = asOf(h.Claims, frozen.Evidence)
		frozen.Modes = map[string]Mode{}
		for key, m := range h.Modes {
			frozen.Modes[key] = Mode{Name: m.Name, Claims: asOf(m.Claims, frozen.Evidence)}
		}
		out.hosts[id] = &frozen
	}
	return out
}

func asOf(claims map[string][]Claim, known map[string]Evidence) map[string][]Claim {
	out := map[string][]Claim{}
	for key, list := range claims {
		for _, c := range list {
			var left []string
			for _, id := range c.Evidence {
				if _, ok := known[id]; ok {
					left = append(left, id)
				}
			}
			if len(left) > 0 {
				c.Evidence = left
				out[key] = append(out[key], c)
			}
		}
	}
	return out
}
