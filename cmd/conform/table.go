package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/tablecheck"
)

// table loads the built-in capability files and those of --hosts-dir on top.
func (a *app) table() (*capabilities.Table, error) {
	table, err := capabilities.Builtin()
	if err != nil {
		return nil, fmt.Errorf("the built-in table: %w", err)
	}
	if a.hostsDir == "" {
		return table, nil
	}
	if info, err := os.Stat(a.hostsDir); err != nil || !info.IsDir() {
		return nil, usage("--hosts-dir %s: no such folder", a.hostsDir)
	}
	merged, err := table.OverlayFS(regularFS{os.DirFS(a.hostsDir)})
	if err != nil {
		return nil, usage("--hosts-dir %s: %w", a.hostsDir, err)
	}
	return merged, a.checkOverlay(merged)
}

// checkOverlay refuses files that name operations, profiles or shapes which do not
// exist: a run would call their cells unknown, one by one.
func (a *app) checkOverlay(table *capabilities.Table) error {
	set, err := shapes()
	if err != nil {
		return err
	}
	var faults []string
	for _, f := range tablecheck.Check(table, set, false) {
		if _, err := os.Stat(filepath.Join(a.hostsDir, f.File)); err == nil {
			faults = append(faults, place(a.hostsDir, f)+strings.TrimPrefix(f.String(), f.File))
		}
	}
	if len(faults) > 0 {
		return usage("--hosts-dir: %s", strings.Join(faults, "\n"))
	}
	return nil
}

// regularFS opens regular files and folders only: a pipe in the folder would never
// end.
type regularFS struct{ fs.FS }

func (r regularFS) Open(name string) (fs.File, error) {
	info, err := fs.Stat(r.FS, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is no regular file")}
	}
	return r.FS.Open(name)
}

func shapes() (*shape.Set, error) {
	set, err := shape.Load(capabilities.Shapes())
	if err != nil {
		return nil, fmt.Errorf("the built-in shapes: %w", err)
	}
	return set, nil
}

// digest names the content of a table in 12 characters, so that two reports tell
// whether they stand on the same facts.
func digest(table *capabilities.Table) string {
	sum := sha256.New()
	for _, h := range table.Hosts() {
		data, err := json.Marshal(h)
		if err != nil {
			panic(fmt.Sprintf("a capability file that was read does not encode: %v", err))
		}
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// selection says which columns a run has.
type selection struct {
	hosts []string // id[:mode][+api][@version], or "all"
	sets  []string // ide, cli, sdk, api, spec, default, or a set that files name
}

// resolve returns the chosen columns in the order in which they were chosen, each
// once. Without a choice these are the default ones; specRow is then true: the row
// of the negotiated revision joins them.
func (s selection) resolve(table *capabilities.Table) (columns []*capabilities.Resolved, specRow bool, err error) {
	seen := map[string]bool{}
	add := func(spec string) error {
		r, err := table.Resolve(spec)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		if key := r.ID + "@" + r.Version; !seen[key] {
			seen[key] = true
			columns = append(columns, r)
		}
		return nil
	}
	sets := s.sets
	if len(s.hosts) == 0 && len(sets) == 0 {
		sets = []string{"default"}
	}
	for _, spec := range s.hosts {
		if spec == "all" {
			sets = append(sets, "all")
			continue
		}
		if err := add(spec); err != nil {
			return nil, false, err
		}
	}
	for _, set := range sets {
		specRow = specRow || set == "default"
		ids, err := membersOf(table, set)
		if err != nil {
			return nil, false, err
		}
		for _, id := range ids {
			if err := add(id); err != nil {
				return nil, false, err
			}
		}
	}
	return columns, specRow, nil
}

// membersOf returns the rows of a host set: by kind (sdk, api, spec, framework,
// host), by surface (ide, cli, desktop, web), by a name that files declare, "all",
// or "default", which is every row of kind host.
func membersOf(table *capabilities.Table, set string) ([]string, error) {
	var ids []string
	for _, h := range table.Hosts() {
		switch {
		case set == "all", set == "default" && h.Kind == "host", set == h.Kind,
			set == h.Surface && h.Kind == "host", slices.Contains(h.Sets, set):
			ids = append(ids, h.ID)
		}
	}
	if known := setNames(table); !slices.Contains(known, set) {
		hint := ""
		if near := capabilities.Nearest(set, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, usage("no host set %q%s; there are %s", set, hint, strings.Join(known, ", "))
	}
	return ids, nil
}

// setNames lists what --host-set takes.
func setNames(table *capabilities.Table) []string {
	names := []string{"all", "default"}
	for _, h := range table.Hosts() {
		for _, name := range append([]string{h.Kind, h.Surface}, h.Sets...) {
			if name != "" && !slices.Contains(names, name) && (name != h.Surface || h.Kind == "host" || slices.Contains(h.Sets, name)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// specRows returns the rows of the specification for revisions that sessions
// negotiated.
func specRows(table *capabilities.Table, revisions []string) []*capabilities.Resolved {
	var out []*capabilities.Resolved
	for _, h := range table.Hosts() {
		if h.Kind != "spec" {
			continue
		}
		r, err := table.Resolve(h.ID)
		if err != nil {
			continue
		}
		shake, _ := capabilities.Get[capabilities.Handshake](r, "connect.handshake")
		if shake != nil && len(shake.Tries) > 0 && slices.Contains(revisions, shake.Tries[0].Version) {
			out = append(out, r)
		}
	}
	return out
}
