// Package propose compares claims that were derived from observations with the
// table, and edits a capability file so that it says what was seen: a new range, a
// piece of evidence, a date. The edit is a proposal that a person reads as a diff.
package propose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/derive"
)

// Seen is what was observed of one column.
type Seen struct {
	Version string
	Mode    string // a mode of the table, "" for the default column
	Date    string
	Record  string // observations/FILE
	Claims  []derive.Claim
}

// Change is one claim that differs.
type Change struct {
	Key    string
	Table  string // what the table says, "" when it says nothing
	Seen   string // the members that the observations decide
	Probes []string
}

// Differences lists the claims of the table that the observations contradict, and
// those that they add.
func Differences(table *capabilities.Table, host string, s Seen) ([]Change, error) {
	column, err := table.Resolve(spec(host, s))
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, c := range s.Claims {
		found := column.Find(c.Key)
		if found == nil && (c.Only || rendered(column, c.Key)) {
			continue
		}
		if found == nil {
			out = append(out, Change{Key: c.Key, Seen: text(c.Members), Probes: c.From})
			continue
		}
		if !agrees(c.Key, found.Claim.Value, c.Members) {
			out = append(out, Change{Key: c.Key, Table: compact(found.Claim.Value), Seen: text(c.Members), Probes: c.From})
		}
	}
	return out, nil
}

// rendered says that another claim describes the same more exactly: steps of a
// rendering say all that a surface, blocks and limits say.
func rendered(column *capabilities.Resolved, key string) bool {
	return strings.HasPrefix(key, "view.") && key != "view.render" && column.Find("view.render") != nil
}

func spec(host string, s Seen) string {
	if s.Mode != "" {
		host += ":" + s.Mode
	}
	return host + "@" + s.Version
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func text(members map[string]json.RawMessage) string {
	data, err := json.Marshal(members)
	if err != nil {
		panic(err) // raw JSON that was marshalled before
	}
	return string(data)
}

// Edit returns the capability file with the proposal in it, in canonical form.
// table is the one that data belongs to: a claim that a layer makes, and that
// agrees, is left to the layer.
func Edit(table *capabilities.Table, file string, data []byte, s Seen) ([]byte, error) {
	h, err := capabilities.Decode(file, data)
	if err != nil {
		return nil, err
	}
	column, err := table.Resolve(spec(h.ID, s))
	if err != nil {
		return nil, err
	}
	id := "lab-" + s.Version
	if h.Evidence == nil {
		h.Evidence = map[string]capabilities.Evidence{}
	}
	evidence, had := h.Evidence[id]
	evidence.Basis, evidence.Version, evidence.Date, evidence.Record = capabilities.Observed, s.Version, s.Date, s.Record
	h.Evidence[id] = evidence
	claims := h.Claims
	if m, ok := h.Modes[s.Mode]; ok && s.Mode != "" {
		claims = m.Claims
	}
	used := false
	for _, c := range s.Claims {
		if (c.Only || rendered(column, c.Key)) && column.Find(c.Key) == nil {
			continue
		}
		base := json.RawMessage("{}")
		if found := column.Find(c.Key); found != nil {
			base = found.Claim.Value
			if len(claims[c.Key]) == 0 && agrees(c.Key, base, c.Members) {
				continue
			}
		}
		edited, took, err := edit(claims[c.Key], base, c, s.Version, id)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, c.Key, err)
		}
		if took {
			claims[c.Key], used = edited, true
		}
	}
	if !used && !had {
		delete(h.Evidence, id)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, err
	}
	return capabilities.Canonical(file, b.Bytes())
}

// edit puts one derived claim into the ranges of its key. took is false where
// nothing changes: the claim is a layer's, and agrees.
func edit(ranges []capabilities.Claim, base json.RawMessage, c derive.Claim, version, evidence string) (out []capabilities.Claim, took bool, err error) {
	out = slices.Clone(ranges)
	at := slices.IndexFunc(out, func(r capabilities.Claim) bool { return holds(r, version) })
	if at >= 0 && agrees(c.Key, out[at].Value, c.Members) {
		if slices.Contains(out[at].Evidence, evidence) {
			return out, false, nil
		}
		out[at].Evidence = append(slices.Clone(out[at].Evidence), evidence)
		return out, true, nil
	}
	if at < 0 {
		// "≤" leaves earlier versions open: one that agrees widens the range.
		if next := slices.IndexFunc(out, func(r capabilities.Claim) bool { return r.Since == "≤"+firstAfter(out, version) }); next >= 0 && agrees(c.Key, out[next].Value, c.Members) {
			out[next].Since = "≤" + version
			out[next].Evidence = append(slices.Clone(out[next].Evidence), evidence)
			return out, true, nil
		}
	}
	if at >= 0 && bare(out[at].Since) != version {
		// What begins later by the table was there already: its range begins here.
		if next := slices.IndexFunc(out, func(r capabilities.Claim) bool { return out[at].Until != "" && bare(r.Since) == out[at].Until }); next >= 0 && agrees(c.Key, out[next].Value, c.Members) {
			out[at].Until, out[next].Since = version, version
			out[next].Evidence = append(slices.Clone(out[next].Evidence), evidence)
			return out, true, nil
		}
	}
	value, err := merge(base, concrete(c.Members))
	if err != nil {
		return nil, false, err
	}
	if _, err := capabilities.DecodeValue(c.Key, value); err != nil {
		return ranges, false, nil // too little is known for a claim of its own
	}
	fresh := capabilities.Claim{Since: "≤" + version, Value: value, Evidence: []string{evidence}}
	switch {
	case at < 0:
		// A version outside of every range: the new one ends where the next begins.
		if next := firstAfter(out, version); next != "" {
			fresh.Until = next
		}
	case bare(out[at].Since) == version:
		// What was seen before of the very same version is corrected.
		out[at].Value, out[at].Evidence = value, []string{evidence}
		return out, true, nil
	default:
		fresh.Since, fresh.Until = version, out[at].Until
		out[at].Until = version
	}
	return append(out, fresh), true, nil
}

func bare(version string) string {
	if rest, ok := bytes.CutPrefix([]byte(version), []byte("≤")); ok {
		return string(rest)
	}
	return version
}

// holds says whether a version lies in a range.
func holds(r capabilities.Claim, version string) bool {
	return (r.Since == "" || capabilities.CompareVersions(version, bare(r.Since)) >= 0) &&
		(r.Until == "" || capabilities.CompareVersions(version, r.Until) < 0)
}

// firstAfter is the start of the first range after a version, "" without one.
func firstAfter(ranges []capabilities.Claim, version string) string {
	best := ""
	for _, r := range ranges {
		since := bare(r.Since)
		if since != "" && capabilities.CompareVersions(since, version) > 0 && (best == "" || capabilities.CompareVersions(since, best) < 0) {
			best = since
		}
	}
	return best
}

// merge writes derived members over a value, the order of its members kept.
func merge(base json.RawMessage, members map[string]json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(base))
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("the value is no object: %w", err)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	write := func(key string, value json.RawMessage) error {
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
		return nil
	}
	written := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if own, ok := members[key]; ok {
			value = own
		}
		written[key] = true
		if err := write(key, value); err != nil {
			return nil, err
		}
	}
	var rest []string
	for key := range members {
		if !written[key] {
			rest = append(rest, key)
		}
	}
	slices.Sort(rest)
	for _, key := range rest {
		if err := write(key, members[key]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
