package shape

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Set is the shapes of a folder.
type Set struct {
	shapes map[string]*Shape
}

// Lookup returns the shape with an id.
func (s *Set) Lookup(id string) (*Shape, bool) {
	sh, ok := s.shapes[id]
	return sh, ok
}

// IDs returns the ids in alphabetical order.
func (s *Set) IDs() []string {
	ids := make([]string, 0, len(s.shapes))
	for id := range s.shapes {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

// Load reads every *.json file at the root of fsys, except *.schema.json, as a
// shape. Decoding is strict: an error names the file, the place in it and, for
// an unknown key, the nearest known one.
func Load(fsys fs.FS) (*Set, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list shape files: %w", err)
	}
	files := map[string]*file{}
	for _, name := range names {
		if strings.HasSuffix(name, ".schema.json") {
			continue
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read shape file: %w", err)
		}
		f, err := readFile(name, text)
		if err != nil {
			return nil, err
		}
		if other := files[f.id]; other != nil {
			return nil, fmt.Errorf("%s: id %q is already used by %s; give one of them another id", name, f.id, other.name)
		}
		files[f.id] = f
	}
	set := &Set{shapes: make(map[string]*Shape, len(files))}
	for id, f := range files {
		sh, err := build(f, files)
		if err != nil {
			return nil, err
		}
		set.shapes[id] = sh
	}
	return set, nil
}

// file is one shape file before inheritance.
type file struct {
	name      string
	id        string
	extends   string
	words     string
	source    Source
	types     map[string]located
	parts     map[string]located
	texts     map[string]string
	guards    []located
	hasGuards bool
}

// located is a node text with the file that it stands in, for messages.
type located struct {
	v    *schema.Value
	file string
	at   schema.Pointer
}

func (l located) fail(format string, args ...any) error {
	return fmt.Errorf("%s at %q: %s", l.file, l.at.String(), fmt.Sprintf(format, args...))
}

func (l located) child(key string, v *schema.Value) located {
	return located{v, l.file, l.at.Append(key)}
}

var fileKeys = append([]string{"format", "id", "extends", "words", "source", "types", "text", "guards", "note"}, partNames...)

func readFile(name string, text []byte) (*file, error) {
	v, err := schema.Parse(text, schema.Limits{Depth: 200})
	if err != nil {
		return nil, fmt.Errorf("%s: not JSON: %w", name, err)
	}
	root := located{v: v, file: name}
	if err := onlyKeys(root, fileKeys); err != nil {
		return nil, err
	}
	f := &file{name: name, types: map[string]located{}, parts: map[string]located{}, texts: map[string]string{}}
	if format, _ := v.Get("format").IsString(); format != Format {
		return nil, root.child("format", nil).fail("must be %q", Format)
	}
	if f.id, _ = v.Get("id").IsString(); f.id == "" || f.id+".json" != name {
		return nil, root.child("id", nil).fail("must be the file's name without .json")
	}
	f.extends, _ = v.Get("extends").IsString()
	f.words, _ = v.Get("words").IsString()
	if f.source, err = readSource(root.child("source", v.Get("source"))); err != nil {
		return nil, err
	}
	for _, m := range v.Get("types").Unique() {
		f.types[m.Key] = root.child("types", nil).child(m.Key, m.Value)
	}
	for _, part := range partNames {
		if n := v.Get(part); n != nil {
			f.parts[part] = root.child(part, n)
		}
	}
	for _, m := range v.Get("text").Unique() {
		if f.texts[m.Key], err = readTemplate(root.child("text", nil).child(m.Key, m.Value)); err != nil {
			return nil, err
		}
	}
	if guards := v.Get("guards"); guards != nil {
		f.hasGuards = true
		for i, g := range guards.Items {
			f.guards = append(f.guards, root.child("guards", nil).child(schema.Num(int64(i)).Text, g))
		}
	}
	return f, nil
}

func readSource(at located) (Source, error) {
	var s Source
	if err := onlyKeys(at, []string{"library", "basis", "evidence"}); err != nil {
		return s, err
	}
	s.Library, _ = at.v.Get("library").IsString()
	s.Basis, _ = at.v.Get("basis").IsString()
	s.Evidence, _ = at.v.Get("evidence").IsString()
	if s.Library == "" || s.Evidence == "" {
		return s, at.fail("needs library, basis and evidence")
	}
	switch s.Basis {
	case "observed", "source", "documented", "reported", "inferred":
		return s, nil
	}
	return s, at.child("basis", nil).fail("%q is none of observed, source, documented, reported, inferred", s.Basis)
}

func readTemplate(at located) (string, error) {
	part := at.at[len(at.at)-1]
	if !contains(partNames, part) {
		return "", at.fail("unknown part %q; nearest: %q", part, nearest(part, partNames))
	}
	return template(at)
}

// template checks a text with placeholders.
func template(at located) (string, error) {
	text, ok := at.v.IsString()
	if !ok {
		return "", at.fail("must be a string")
	}
	for _, match := range placeholder.FindAllStringSubmatch(text, -1) {
		if !contains(placeholders, match[1]) {
			return "", at.fail("{%s} is no placeholder; nearest: {%s}", match[1], nearest(match[1], placeholders))
		}
	}
	return text, nil
}

// build applies inheritance and resolves the nodes of f.
func build(f *file, files map[string]*file) (*Shape, error) {
	merged := file{types: map[string]located{}, parts: map[string]located{}, texts: map[string]string{}}
	chain := []*file{}
	for at := f; at != nil; {
		if len(chain) > len(files) {
			return nil, fmt.Errorf("%s: extends itself by way of %s", f.name, at.name)
		}
		chain = append(chain, at)
		if at.extends == "" {
			break
		}
		next := files[at.extends]
		if next == nil {
			return nil, fmt.Errorf("%s: extends %q, which no file has as its id", at.name, at.extends)
		}
		at = next
	}
	for i := len(chain) - 1; i >= 0; i-- {
		merged.take(chain[i])
	}
	family := families[merged.words]
	if family == nil {
		return nil, fmt.Errorf("%s: words %q is unknown; nearest: %q", f.name, merged.words, nearest(merged.words, familyNames()))
	}
	b := builder{types: merged.types, done: map[string]*node{}}
	sh := &Shape{ID: f.id, Source: f.source, words: family, parts: map[string]*node{}, texts: merged.texts}
	var err error
	for part, l := range merged.parts {
		if sh.parts[part], err = b.node(l); err != nil {
			return nil, err
		}
	}
	for _, l := range merged.guards {
		g, err := b.guard(l)
		if err != nil {
			return nil, err
		}
		sh.guards = append(sh.guards, g)
	}
	return sh, nil
}

func (f *file) take(child *file) {
	for k, v := range child.types {
		f.types[k] = v
	}
	for k, v := range child.parts {
		f.parts[k] = v
	}
	for k, v := range child.texts {
		f.texts[k] = v
	}
	if child.words != "" {
		f.words = child.words
	}
	if child.hasGuards {
		f.guards = child.guards
	}
}

func familyNames() []string {
	names := make([]string, 0, len(families))
	for name := range families {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
