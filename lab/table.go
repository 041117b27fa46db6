package lab

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/derive"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/lab/propose"
)

// Open reads an observation file.
func Open(path string) (*File, error) {
	f, err := readFile(path)
	if err == nil && f == nil {
		err = fmt.Errorf("%s: no such file; conform lab run writes one", path)
	}
	return f, err
}

// Modes returns the modes of a file in the order in which they appear.
func (f File) Modes() []string {
	var out []string
	for _, l := range f.Lines {
		if !slices.Contains(out, l.Mode) {
			out = append(out, l.Mode)
		}
	}
	return out
}

// besides are the modes that asked a mode's host other questions, of probe servers
// that a mode must name: long lists, long texts, odd servers. They belong to the
// first mode of the file, which they vary in nothing else.
func (f File) besides(mode string) []string {
	catalogue, err := probe.Builtin()
	modes := f.Modes()
	if err != nil || len(modes) == 0 {
		return nil
	}
	apart := map[string]bool{}
	for _, l := range f.Lines {
		s, known := catalogue.Server(l.Server)
		own, met := apart[l.Mode]
		apart[l.Mode] = known && s.Apart && (own || !met)
	}
	first := slices.IndexFunc(modes, func(m string) bool { return !apart[m] })
	if first < 0 || modes[first] != mode {
		return nil
	}
	return slices.DeleteFunc(modes, func(m string) bool { return !apart[m] })
}

// Seen derives the claims of one mode, with what other modes asked beside it. A mode that the table does not tell apart
// is its default column.
func (f File) Seen(table *capabilities.Table, mode, record string) propose.Seen {
	modes := append([]string{mode}, f.besides(mode)...)
	set := derive.Set{Handshake: f.Header.Handshakes[mode], Counts: map[string]observe.Counted{},
		Lines: slices.DeleteFunc(slices.Clone(f.Lines), func(l observe.Line) bool { return !slices.Contains(modes, l.Mode) })}
	for _, m := range modes {
		maps.Copy(set.Counts, f.Header.Counts[m])
	}
	s := propose.Seen{Version: f.Header.Version, Date: f.Header.Date, Record: record, Claims: derive.Claims(set)}
	if h, ok := table.Host(f.Header.Host); ok {
		if _, own := h.Modes[mode]; own {
			s.Mode = mode
		}
	}
	return s
}

// Proposal is one capability file and what observation files call for in it.
type Proposal struct {
	name          string
	before, after []byte
}

// Diff is the edit as a unified diff; "" when the table already says all of it.
func (p Proposal) Diff() string {
	return string(diff.Diff(p.name, p.before, p.name+" (proposed)", p.after))
}

// Propose adds what an observation file, read from path, calls for to the proposals
// for the capability files in dir, one for each host: several versions of one host
// are one edit. Modes that the table does not tell apart, other than the first, say
// nothing about the default column.
func Propose(table *capabilities.Table, dir, path string, f *File, made map[string]*Proposal) error {
	p := made[f.Header.Host]
	if p == nil {
		p = &Proposal{name: filepath.Join(dir, f.Header.Host+".json")}
		var err error
		if p.before, err = os.ReadFile(p.name); err != nil {
			return fmt.Errorf("the row of %s: %w; make one with conform caps new", f.Header.Host, err)
		}
		p.after = p.before
	}
	after := p.after
	for _, s := range f.columns(table, "observations/"+filepath.Base(path)) {
		var err error
		if after, err = propose.Edit(table, p.name, after, s); err != nil {
			return err
		}
	}
	p.after, made[f.Header.Host] = after, p
	return nil
}

// columns are the modes that speak for a column of the table: each mode that is a
// column of its own, and the first of the others for the default one.
func (f File) columns(table *capabilities.Table, record string) []propose.Seen {
	var out []propose.Seen
	plain := false
	beside := map[string]bool{}
	for _, mode := range f.Modes() {
		for _, m := range f.besides(mode) {
			beside[m] = true
		}
	}
	for _, mode := range f.Modes() {
		if beside[mode] {
			continue
		}
		s := f.Seen(table, mode, record)
		if s.Mode == "" {
			if plain {
				continue
			}
			plain = true
		}
		out = append(out, s)
	}
	return out
}

// Differences lists what the claims of the table and those derived from the file
// say differently, by column.
func (f File) Differences(table *capabilities.Table) (map[string][]propose.Change, error) {
	out := map[string][]propose.Change{}
	for _, s := range f.columns(table, "") {
		changes, err := propose.Differences(table, f.Header.Host, s)
		if err != nil {
			return nil, err
		}
		column := f.Header.Host
		if s.Mode != "" {
			column += ":" + s.Mode
		}
		if len(changes) > 0 {
			out[column] = changes
		}
	}
	return out, nil
}
