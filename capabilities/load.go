package capabilities

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
	"unicode"
)

//go:embed *.json shapes
var builtin embed.FS

// Table is a set of capability files by host id.
type Table struct {
	hosts map[string]*Host
	ids   []string
}

// Builtin returns the table that is built into the program.
func Builtin() (*Table, error) { return Load(builtin) }

// Shapes returns the folder of shape files that belongs to the built-in table.
func Shapes() fs.FS {
	sub, err := fs.Sub(builtin, "shapes")
	if err != nil {
		panic(err) // the folder is embedded; its absence is a build fault
	}
	return sub
}

// Load reads every *.json file at the top of fsys (schema.json, the format's own
// schema, left out). All faults are reported together, each with its file.
func Load(fsys fs.FS) (*Table, error) {
	t, err := load(fsys)
	if err != nil {
		return nil, err
	}
	return t, t.checkLayers()
}

// load is Load without the check of layers, which in a folder of a user's own
// files may be rows of the built-in table.
func load(fsys fs.FS) (*Table, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	t := &Table{hosts: map[string]*Host{}}
	var faults []error
	for _, name := range names {
		if strings.HasSuffix(name, ".schema.json") {
			continue
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			var h *Host
			if h, err = Decode(name, data); err == nil {
				err = t.add(h)
			}
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return t, nil
}

// Decode reads one capability file strictly; errors name the file and line.
func Decode(name string, data []byte) (*Host, error) {
	h := new(Host)
	if err := decodeStrict(data, h); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	h.file = name
	switch {
	case h.Format != Format:
		return nil, fmt.Errorf("%s: format is %q, want %q", name, h.Format, Format)
	case !kinds[h.Kind]:
		line := lineOf(data, []byte(`"kind"`))
		return nil, fmt.Errorf("%s: line %d: kind %q is none of host, framework, sdk, api, spec%s", name, line, h.Kind,
			didYouMean(h.Kind, []string{"host", "framework", "sdk", "api", "spec"}))
	case h.ID != strings.TrimSuffix(path.Base(name), ".json"):
		return nil, fmt.Errorf("%s: id %q differs from the file's name", name, h.ID)
	}
	if err := h.check(h.Claims, data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for id, m := range h.Modes {
		if err := h.check(m.Claims, data); err != nil {
			return nil, fmt.Errorf("%s: mode %s: %w", name, id, err)
		}
	}
	for id, e := range h.Evidence {
		if e.Basis.Rank() == 0 {
			line := lineOf(data, []byte(`"`+string(e.Basis)+`"`))
			return nil, fmt.Errorf("%s: line %d: evidence %q: basis %q is none of observed, source, documented, reported, inferred%s", name, line, id, e.Basis,
				didYouMean(string(e.Basis), []string{"observed", "source", "documented", "reported", "inferred"}))
		}
	}
	return h, nil
}

// check looks at each claim as the stages will; data is the file, for lines.
func (h *Host) check(claims map[string][]Claim, data []byte) error {
	keys := make([]string, 0, len(claims))
	for key := range claims {
		keys = append(keys, key)
	}
	sort.Strings(keys) // so that the first fault is always the same one
	for _, key := range keys {
		construct, ok := claimTypes[key]
		if !ok {
			line := lineOf(data, []byte(`"`+key+`"`))
			if near := Nearest(key, ClaimKeys()); near != "" {
				return fmt.Errorf("line %d: unknown claim %q; did you mean %q?", line, key, near)
			}
			return fmt.Errorf("line %d: unknown claim %q", line, key)
		}
		for i, c := range claims[key] {
			at := lineOf(data, c.Value)
			value := construct()
			err := decodeFrom(c.Value, at, value)
			if err == nil {
				if err = checkValue(value); err != nil {
					err = fmt.Errorf("line %d: %w", at, err)
				}
			}
			if err == nil {
				err = h.evidenceOf(c, at)
			}
			if err == nil {
				if err = c.checkRange(); err != nil {
					err = fmt.Errorf("line %d: %w", at, err)
				}
			}
			if err != nil {
				return fmt.Errorf("claim %s[%d]: %w", key, i, err)
			}
		}
	}
	return nil
}

// checkRange refuses a range that no version lies in, and bounds that are none.
func (c Claim) checkRange() error {
	since := strings.TrimPrefix(c.Since, "≤")
	for _, bound := range []struct{ field, version string }{{"since", since}, {"until", c.Until}} {
		if bound.version != "" && !strings.ContainsFunc(bound.version, unicode.IsDigit) {
			return fmt.Errorf("%s: %q is no version; a bound is one, as in \"2.1.0\" or \"≤2.1.0\"", bound.field, bound.version)
		}
	}
	if strings.HasPrefix(c.Until, "≤") {
		return fmt.Errorf("until: %q; only since takes ≤", c.Until)
	}
	if since != "" && c.Until != "" && CompareVersions(since, c.Until) >= 0 {
		return fmt.Errorf("the range %s to before %s is empty; until is the first version for which the claim no longer holds", c.Since, c.Until)
	}
	return nil
}

func (h *Host) evidenceOf(c Claim, at int) error {
	if len(c.Evidence) == 0 {
		return fmt.Errorf("line %d: no evidence", at)
	}
	for _, id := range c.Evidence {
		if _, ok := h.Evidence[id]; ok {
			continue
		}
		known := make([]string, 0, len(h.Evidence))
		for k := range h.Evidence {
			known = append(known, k)
		}
		sort.Strings(known)
		hint := ""
		if near := Nearest(id, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("line %d: evidence %q is not listed under \"evidence\"%s", at, id, hint)
	}
	return nil
}

// didYouMean is a hint at the nearest of known, "" when none is near.
func didYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// lineOf is the line of data on which part begins, 1 when it is not there.
func lineOf(data, part []byte) int {
	return 1 + bytes.Count(data[:max(0, bytes.Index(data, part))], []byte("\n"))
}

func (t *Table) add(h *Host) error {
	if _, dup := t.hosts[h.ID]; dup {
		return fmt.Errorf("%s: host %q is defined twice", h.file, h.ID)
	}
	t.hosts[h.ID] = h
	t.ids = append(t.ids, h.ID)
	sort.Strings(t.ids)
	return nil
}

// OverlayFS returns a table in which the hosts of a folder replace or join t's;
// they may stand on rows of t.
func (t *Table) OverlayFS(fsys fs.FS) (*Table, error) {
	other, err := load(fsys)
	if err != nil {
		return nil, err
	}
	return t.Overlay(other)
}

// Overlay returns a table in which the hosts of other replace or join t's.
func (t *Table) Overlay(other *Table) (*Table, error) {
	out := &Table{hosts: map[string]*Host{}}
	for _, h := range other.Hosts() {
		if err := out.add(h); err != nil {
			return nil, err
		}
	}
	for _, h := range t.Hosts() {
		if _, replaced := out.hosts[h.ID]; !replaced {
			if err := out.add(h); err != nil {
				return nil, err
			}
		}
	}
	return out, out.checkLayers()
}

func (t *Table) checkLayers() error {
	for _, id := range t.ids {
		for _, l := range t.hosts[id].Layers {
			base, _, _ := strings.Cut(l, "@")
			if _, ok := t.hosts[base]; !ok {
				return fmt.Errorf("%s: layer %q is no row of the table%s", t.hosts[id].file, l, didYouMean(base, t.ids))
			}
		}
		if err := t.acyclic(id, nil); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) acyclic(id string, above []string) error {
	for _, a := range above {
		if a == id {
			return fmt.Errorf("layers form a cycle: %s", strings.Join(append(above, id), " on "))
		}
	}
	for _, l := range t.hosts[id].Layers {
		base, _, _ := strings.Cut(l, "@")
		if err := t.acyclic(base, append(above, id)); err != nil {
			return err
		}
	}
	return nil
}

// Hosts returns all rows ordered by id.
func (t *Table) Hosts() []*Host {
	out := make([]*Host, len(t.ids))
	for i, id := range t.ids {
		out[i] = t.hosts[id]
	}
	return out
}

// Host returns the row with that id.
func (t *Table) Host(id string) (*Host, bool) {
	h, ok := t.hosts[id]
	return h, ok
}

// Newest returns the newest version that any evidence or release of the host
// names, "" when none does.
func (h *Host) Newest() string {
	newest := ""
	consider := func(v string) {
		if v != "" && (newest == "" || CompareVersions(v, newest) > 0) {
			newest = v
		}
	}
	for v := range h.Releases {
		consider(v)
	}
	for _, e := range h.Evidence {
		consider(e.Version)
	}
	return newest
}
