package hostconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Find reads the servers of a host from the files where it keeps them. Of two
// servers with one name the more specific file's counts. The error wraps
// [ErrUnknownHost], or [ErrNoFile].
func Find(host string, around Surroundings, only ...string) (*Config, error) {
	t, err := builtin()
	if err != nil {
		return nil, err
	}
	keeper, ok := t.Hosts[host]
	if !ok {
		return nil, fmt.Errorf("%s: %w; known are %s", host, ErrUnknownHost, strings.Join(Hosts(), ", "))
	}
	c := &Config{}
	var looked []string
	for _, f := range keeper.files(around) {
		name := f.Path
		data, err := f.read(around)
		if errors.Is(err, fs.ErrNotExist) {
			if !slices.Contains(looked, name) {
				looked = append(looked, name)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(c.Files, name) {
			c.Files = append(c.Files, name)
		}
		before := len(c.Servers)
		if _, err := c.add(t, t.Shapes[f.Shape], name, data, around.with(keeper.EnvFiles), only); err != nil {
			return nil, err
		}
		if f.Trusted != nil && len(c.Servers) > before && !f.Trusted.holds(around) {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: the host reads this file only where %s says that %s is %q", name, around.path(f.Trusted.Path), strings.Join(f.Trusted.path(around), "."), f.Trusted.Value))
		}
	}
	c.restrict()
	if len(c.Files) == 0 {
		return nil, fmt.Errorf("%s: %w: none of %s is there", host, ErrNoFile, strings.Join(looked, ", "))
	}
	return c, c.missing(only)
}

// read returns the text of the file, or of the variable that stands for one.
func (f file) read(around Surroundings) ([]byte, error) {
	if f.Variable == "" {
		return readBounded(f.Path, around)
	}
	text, _ := around.env(f.Variable)
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: is longer than %d bytes", f.Path, maxFile)
	}
	return []byte(text), nil
}

// path is where the value stands, variables expanded.
func (c *condition) path(around Surroundings) []string {
	out := slices.Clone(c.At)
	for i, key := range out {
		if key == "${workspaceFolder}" {
			out[i] = around.Folder
		}
	}
	return out
}

// holds reports whether the host's file has the value.
func (c *condition) holds(around Surroundings) bool {
	name := around.path(c.Path)
	data, err := readBounded(name, around)
	if err != nil {
		return false
	}
	v, err := parse(name, syntaxOf(name), data)
	if err != nil {
		return false
	}
	for _, key := range c.path(around) {
		v = v.Get(key)
	}
	text, _ := v.IsString()
	return text == c.Value
}

// maxListed bounds the files that one pattern stands for.
const maxListed = 200

// files are the host's files on this machine, most specific first, patterns
// replaced by what matches them. A pattern that nothing matches stays: it is what
// was looked for.
func (k keeper) files(around Surroundings) []file {
	var out []file
	for _, f := range k.Files {
		if f.Variable != "" {
			if text, set := around.env(f.Variable); set && text != "" {
				f.Path = "$" + f.Variable
				out = append(out, f)
			}
			continue
		}
		name := around.path(f.Path)
		if name == "" || len(f.OS) > 0 && !slices.Contains(f.OS, around.OS) {
			continue
		}
		var matches []string
		if strings.Contains(filepath.Base(f.Path), "*") && around.Glob != nil {
			matches, _ = around.Glob(name) // only a bad pattern fails, and a test reads all
		}
		for _, m := range matches[:min(len(matches), maxListed)] {
			out = append(out, file{Path: m, Shape: f.Shape, Trusted: f.Trusted})
		}
		if len(matches) == 0 {
			out = append(out, file{Path: name, Shape: f.Shape, Trusted: f.Trusted})
		}
	}
	return out
}

// byPath returns the shapes of the host whose file this is, and the files of
// variables that this host reads.
func (t *table) byPath(name string, around Surroundings) (shapes, envFiles []string) {
	absolute := name
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(around.Folder, name)
	}
	for _, id := range Hosts() {
		var out []string
		for _, f := range t.Hosts[id].Files {
			inFolder, tail := strings.CutPrefix(f.Path, "${workspaceFolder}/")
			known, _ := filepath.Match(around.path(f.Path), absolute)
			if known || tail && endsLike(filepath.ToSlash(absolute), inFolder) {
				out = append(out, f.Shape)
			}
		}
		if len(out) > 0 {
			return out, t.Hosts[id].EnvFiles
		}
	}
	return nil, nil
}

// endsLike reports whether the last elements of a path match a pattern.
func endsLike(name, pattern string) bool {
	elements := strings.Split(name, "/")
	n := strings.Count(pattern, "/") + 1
	if len(elements) <= n {
		return false
	}
	matched, _ := path.Match(pattern, strings.Join(elements[len(elements)-n:], "/"))
	return matched
}

// places lists where the files of a syntax keep their servers.
func (t *table) places(syntax string) string {
	var out []string
	for _, id := range t.Detect {
		if p := strings.Join(t.Shapes[id].At, "."); t.Shapes[id].Syntax == syntax && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}
