package lab

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// Origin marks the observation files that this lab wrote.
const Origin = "recorded by `conform lab run`: the real host, a scripted model and probe servers on loopback, in namespaces of their own"

// probeServerName is the process name of our own probe servers. They end with their
// input, a moment after the host, and are not what a host leaves behind.
const probeServerName = "conform"

// File is an observation file in the making.
type File struct {
	Header observe.Header
	Lines  []observe.Line
	Part   string   // what part of the host's file this is, for its name; "" is the whole
	parts  []string // modes that asked a part of the catalogue only
}

// Collect makes the file of one version out of the batches of its modes. without
// says which probe servers were left out, and why.
func Collect(host, version, date string, without map[string]string, catalogue *probe.Catalogue, batches []Batch) File {
	f := File{Header: observe.Header{Host: host, Version: version, Platform: runtime.GOOS + "/" + runtime.GOARCH, Date: date, Origin: Origin,
		Probes: catalogue.Version, Without: without, Handshakes: map[string][]observe.Step{}, Counts: map[string]map[string]observe.Counted{}}}
	left := map[string]bool{}
	for _, b := range batches {
		f.Lines = append(f.Lines, b.Run.Lines()...)
		if name := b.Run.Mode.Name; len(b.Run.Mode.Only) > 0 && !slices.Contains(f.parts, name) {
			f.parts = append(f.parts, name)
		}
		for name, c := range b.Run.Counts() {
			if f.Header.Counts[b.Run.Mode.Name] == nil {
				f.Header.Counts[b.Run.Mode.Name] = map[string]observe.Counted{}
			}
			f.Header.Counts[b.Run.Mode.Name][name] = c
		}
		for _, name := range b.Outcome.Left {
			left[name] = true
		}
		if b.Again {
			f.again(b.Run)
		}
		if t := firstListed(b.Run); t != nil && f.Header.Handshakes[b.Run.Mode.Name] == nil {
			f.Header.Handshakes[b.Run.Mode.Name] = t.Handshake
			f.Header.ClientInfo = t.Info
		}
	}
	f.sort(catalogue)
	delete(left, probeServerName)
	f.Header.Left = slices.Sorted(maps.Keys(left))
	return f
}

// again notes the servers that come from a second start.
func (f *File) again(r observe.Run) {
	if f.Header.Again == nil {
		f.Header.Again = map[string][]string{}
	}
	for _, s := range r.Servers {
		f.Header.Again[r.Mode.Name] = append(f.Header.Again[r.Mode.Name], s.Name)
	}
}

// sort puts the lines of each mode into the order of the catalogue: what was asked
// once more comes in a batch of its own.
func (f *File) sort(c *probe.Catalogue) {
	place := map[string]int{}
	for _, s := range c.Servers {
		for _, p := range s.Probes {
			place[p.ID] = len(place)
		}
	}
	modes := f.Modes()
	slices.SortStableFunc(f.Lines, func(a, b observe.Line) int {
		return cmp.Or(cmp.Compare(slices.Index(modes, a.Mode), slices.Index(modes, b.Mode)), cmp.Compare(place[a.Probe], place[b.Probe]))
	})
}

// firstListed is the traffic of the first server that was asked for its tools.
func firstListed(r observe.Run) *observe.Traffic {
	for _, s := range r.Servers {
		if t := r.Traffic[s.Name]; t != nil && t.Listed {
			return t
		}
	}
	return nil
}

// Save writes the file into dir and returns its path. A hand-made file of the same
// version stays, unless the new one has everything that it has: then it is
// replaced; else the new one gets another name. Lines of modes that were not run
// now are kept from the file that the lab wrote before.
func (f File) Save(dir string) (string, error) {
	base := filepath.Join(dir, f.Header.Host+"-"+f.Header.Version)
	if f.Part != "" {
		base += "-" + f.Part
	}
	path := base + ".jsonl"
	old, err := readFile(path)
	if err != nil {
		return "", err
	}
	if old != nil && old.Header.Origin != Origin && !f.sameKind(old) && !f.covers(old) {
		path = base + "-lab.jsonl"
		if old, err = readFile(path); err != nil {
			return "", err
		}
	}
	if old != nil && f.Header.Origin == Origin && old.Header.Origin == Origin {
		f = f.keep(old)
	} else if old != nil && f.sameKind(old) {
		f = f.join(old)
	}
	f.fold()
	data, err := observe.Write(f.Header, f.Lines)
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, data, 0o644)
}

// fold leaves out the modes of this run, of a part of the catalogue, in which the host
// did just what it did in another: over HTTP what it did over stdio.
func (f *File) fold() {
	byMode := map[string][]observe.Line{}
	for _, l := range f.Lines {
		byMode[l.Mode] = append(byMode[l.Mode], l)
	}
	for i, mode := range slices.Backward(f.parts) { // the later one goes
		for _, other := range f.Modes() {
			if !slices.Contains(f.parts[i:], other) && sameLines(byMode[mode], byMode[other]) {
				if f.Header.Same == nil {
					f.Header.Same = map[string]string{}
				}
				f.Header.Same[mode] = other
				f.Lines = slices.DeleteFunc(f.Lines, func(l observe.Line) bool { return l.Mode == mode })
				break
			}
		}
	}
}

// sameLines compares what two modes showed, but for what names them.
func sameLines(a, b []observe.Line) bool {
	return slices.EqualFunc(a, b, func(x, y observe.Line) bool {
		y.ID, y.Mode, y.Transport = x.ID, x.Mode, x.Transport
		one, errOne := json.Marshal(x)
		two, errTwo := json.Marshal(y)
		return errOne == nil && errTwo == nil && bytes.Equal(one, two)
	})
}

func (f File) covers(old *File) bool {
	have := map[string]bool{}
	for _, l := range f.Lines {
		have[l.Mode+" "+l.Probe] = true
	}
	return !slices.ContainsFunc(old.Lines, func(l observe.Line) bool { return !have[l.Mode+" "+l.Probe] })
}

// keep adds what an earlier run of other modes recorded.
func (f File) keep(old *File) File {
	ran := map[string]bool{}
	for _, l := range f.Lines {
		ran[l.Mode] = true
	}
	for _, l := range old.Lines {
		if !ran[l.Mode] {
			f.Lines = append(f.Lines, l)
		}
	}
	for mode, steps := range old.Header.Handshakes {
		if _, now := f.Header.Handshakes[mode]; !now {
			f.Header.Handshakes[mode] = steps
		}
	}
	for mode, other := range old.Header.Same {
		// What a mode was the same as may have been run anew.
		if !ran[mode] && !ran[other] {
			if f.Header.Same == nil {
				f.Header.Same = map[string]string{}
			}
			f.Header.Same[mode] = other
		}
	}
	for mode, servers := range old.Header.Again {
		if !ran[mode] {
			if f.Header.Again == nil {
				f.Header.Again = map[string][]string{}
			}
			f.Header.Again[mode] = servers
		}
	}
	for mode, counts := range old.Header.Counts {
		if !ran[mode] {
			if f.Header.Counts == nil {
				f.Header.Counts = map[string]map[string]observe.Counted{}
			}
			f.Header.Counts[mode] = counts
		}
	}
	slices.SortStableFunc(f.Lines, func(a, b observe.Line) int { return bytes.Compare([]byte(a.Mode), []byte(b.Mode)) })
	return f
}

// readFile reads an observation file; nil when there is none.
func readFile(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f := &File{}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(make([]byte, 1<<20), 64<<20)
	for line := 1; scanner.Scan(); line++ {
		if line == 1 {
			if err := json.Unmarshal(scanner.Bytes(), &f.Header); err != nil {
				return nil, fmt.Errorf("%s:1: %w", path, err)
			}
			continue
		}
		l, err := readLine(scanner.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		f.Lines = append(f.Lines, l)
	}
	return f, scanner.Err()
}

// readLine reads an observation. Of one that was recorded by hand, in a form that
// differs in places, only the names are read.
func readLine(data []byte) (observe.Line, error) {
	var l observe.Line
	if json.Unmarshal(data, &l) == nil {
		return l, nil
	}
	var names struct{ ID, Host, Version, Mode, Probe string }
	if err := json.Unmarshal(data, &names); err != nil {
		return observe.Line{}, err
	}
	return observe.Line{ID: names.ID, Host: names.Host, Version: names.Version, Mode: names.Mode, Probe: names.Probe}, nil
}
