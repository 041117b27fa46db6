package hostconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// maxFile bounds a configuration in bytes; the largest seen hold a host's whole
// history and stay below 10 MB.
const maxFile = 32 << 20

// Config is what one or several files of one host name.
type Config struct {
	Files   []string // read, most specific first
	Servers []*Server
	Notes   []string // what was left out and why, each a sentence

	unwanted []string // keys of servers that were not asked for
}

// ErrUnknownHost says that no file of the host is known.
var ErrUnknownHost = errors.New("where this host keeps its servers is not known")

// ErrNoFile says that none of a host's files is there.
var ErrNoFile = errors.New("the host keeps no configuration here")

// Load reads the servers of one file. The shape is that of the host whose file
// it is by its path, else the first known one that finds servers in it. only names
// the servers that are wanted, none meaning all; only their variables count.
func Load(name string, around Surroundings, only ...string) (*Config, error) {
	t, err := builtin()
	if err != nil {
		return nil, err
	}
	data, err := readBounded(name, around)
	if err != nil {
		return nil, err
	}
	c := &Config{Files: []string{name}}
	try := func(id string) (bool, error) {
		s := t.Shapes[id]
		if (s.Syntax == "toml") != strings.EqualFold(filepath.Ext(name), ".toml") {
			return false, nil
		}
		return c.add(t, s, name, data, around, only)
	}
	found := false
	for _, id := range t.byPath(name, around) { // a host may keep several kinds in one file
		here, err := try(id)
		if err != nil {
			return nil, err
		}
		found = found || here
	}
	for _, id := range t.Detect {
		if found {
			break
		}
		if found, err = try(id); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, fmt.Errorf("%s: names no servers; they are looked for under %s", name, t.places(t.Detect))
	}
	return c, c.missing(only)
}

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
	for _, f := range keeper.Files {
		name := around.path(f.Path)
		if name == "" || len(f.OS) > 0 && !slices.Contains(f.OS, around.OS) {
			continue
		}
		data, err := readBounded(name, around)
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
		if _, err := c.add(t, t.Shapes[f.Shape], name, data, around, only); err != nil {
			return nil, err
		}
	}
	if len(c.Files) == 0 {
		return nil, fmt.Errorf("%s: %w: none of %s is there", host, ErrNoFile, strings.Join(looked, ", "))
	}
	return c, c.missing(only)
}

func readBounded(name string, around Surroundings) ([]byte, error) {
	if around.ReadFile == nil {
		return nil, fmt.Errorf("%s: files are not read here", name)
	}
	data, err := around.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: is longer than %d bytes", name, maxFile)
	}
	return data, nil
}

// byPath returns the shapes of the host whose file this is.
func (t *table) byPath(name string, around Surroundings) []string {
	absolute := name
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(around.Folder, name)
	}
	for _, id := range Hosts() {
		var out []string
		for _, f := range t.Hosts[id].Files {
			inFolder, tail := strings.CutPrefix(f.Path, "${workspaceFolder}/")
			if around.path(f.Path) == absolute || tail && strings.HasSuffix(filepath.ToSlash(absolute), "/"+inFolder) {
				out = append(out, f.Shape)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// places lists where shapes keep their servers.
func (t *table) places(shapes []string) string {
	var out []string
	for _, id := range shapes {
		if p := strings.Join(t.Shapes[id].At, "."); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}

// add reads the servers that a file holds in one shape; found is false when it
// holds none.
func (c *Config) add(t *table, s *shape, name string, data []byte, around Surroundings, only []string) (found bool, err error) {
	root, err := parse(name, s.Syntax, data)
	if err != nil {
		return false, err
	}
	servers := root
	for _, key := range s.At {
		if key == "${workspaceFolder}" {
			key = around.Folder
		}
		servers = servers.Get(key)
	}
	if servers == nil {
		return false, nil
	}
	where := strings.Join(s.At, ".")
	if servers.Kind != schema.Object {
		return false, fmt.Errorf("%s:%d: %s is %s, not an object of servers", name, line(data, servers.Start), where, servers.Kind)
	}
	inputs := declared(root, s)
	for _, m := range servers.Unique() {
		if len(only) > 0 && !slices.Contains(only, m.Key) {
			c.unwanted = append(c.unwanted, m.Key)
			continue
		}
		if err := c.server(t, s, m, inputs, place{name, data, where}, around); err != nil {
			return true, err
		}
	}
	return len(servers.Members) > 0, nil
}

// place is where a server stands.
type place struct {
	file string
	data []byte
	key  string // path of the object of servers
}

func (c *Config) server(t *table, s *shape, m schema.Member, inputs map[string]*schema.Value, at place, around Surroundings) error {
	row := line(at.data, m.Value.Start)
	spot := fmt.Sprintf("%s:%d", at.file, row)
	key := at.key + "." + m.Key
	if m.Value.Kind != schema.Object {
		return fmt.Errorf("%s: %s is %s, not an object", spot, key, m.Value.Kind)
	}
	if i := slices.IndexFunc(c.Servers, func(s *Server) bool { return s.Name == m.Key }); i >= 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s is left out: %s names it too and goes first", spot, key, c.Servers[i].File))
		return nil
	}
	e := &entry{shape: s, value: m.Value, expander: expander{around: around, inputs: inputs, folder: filepath.Dir(at.file)}}
	for _, v := range s.Variables {
		e.variables = append(e.variables, t.Variables[v])
	}
	if off := e.off(); off != "" {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s is left out: %s", spot, key, off))
		return nil
	}
	server, err := e.server(m.Key)
	var field *fieldError
	if errors.As(err, &field) {
		if field.key != "" {
			key += "." + field.key
		}
		if field.at.Start > 0 {
			row = line(at.data, field.at.Start)
		}
		return fmt.Errorf("%s:%d: %s: %w", at.file, row, key, err)
	}
	server.File, server.Line = at.file, row
	c.Servers = append(c.Servers, server)
	return nil
}

// declared returns the inputs of a file by id.
func declared(root *schema.Value, s *shape) map[string]*schema.Value {
	if s.Inputs == "" {
		return nil
	}
	if s.InputsAt != "" {
		root = root.Get(s.InputsAt)
	}
	list := root.Get(s.Inputs)
	if list == nil {
		return nil
	}
	out := map[string]*schema.Value{}
	for _, v := range list.Items {
		if id, ok := v.Get("id").IsString(); ok {
			out[id] = v
		}
	}
	return out
}

// missing says which of the wanted servers is not there.
func (c *Config) missing(only []string) error {
	for _, name := range only {
		if !slices.ContainsFunc(c.Servers, func(s *Server) bool { return s.Name == name }) {
			left := ""
			for _, n := range c.Notes {
				left += "; " + n
			}
			for _, s := range c.Servers {
				c.unwanted = append(c.unwanted, s.Name)
			}
			if len(c.unwanted) > 0 {
				left += "; it has " + strings.Join(c.unwanted, ", ")
			}
			return fmt.Errorf("%s: has no server %q that is on%s", strings.Join(c.Files, ", "), name, left)
		}
	}
	return nil
}
