package hostconfig

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
	allowed  *serverList
	excluded []serverList
}

// serverList is a list of servers that the host takes or leaves out.
type serverList struct {
	where string // file and key
	names []string
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
		if s.Syntax != syntaxOf(name) {
			return false, nil
		}
		return c.add(t, s, name, data, around, only)
	}
	found := false
	shapes, variables := t.byPath(name, around)
	around = around.with(variables)
	for _, id := range shapes { // a host may keep several kinds in one file
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
		return nil, fmt.Errorf("%s: names no servers; they are looked for under %s", name, t.places(syntaxOf(name)))
	}
	c.restrict()
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

// add reads the servers that a file holds in one shape; found is false when it
// holds none.
func (c *Config) add(t *table, s *shape, name string, data []byte, around Surroundings, only []string) (found bool, err error) {
	root, err := parse(name, s.Syntax, data)
	if err != nil {
		return false, err
	}
	c.lists(root, s, name)
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
	named, err := s.named(servers)
	if err != nil {
		return false, fmt.Errorf("%s:%d: %s %w", name, line(data, servers.Start), where, err)
	}
	inputs := declared(root, s)
	for _, m := range named {
		if len(only) > 0 && !slices.Contains(only, m.Key) {
			c.unwanted = append(c.unwanted, m.Key)
			continue
		}
		if err := c.server(t, s, m, inputs, place{name, data, where}, around); err != nil {
			return true, err
		}
	}
	return len(named) > 0, nil
}

// lists notes which servers the file lets the host take. Of several files the most
// specific list of allowed servers counts; one that is excluded anywhere stays out.
func (c *Config) lists(root *schema.Value, s *shape, name string) {
	read := func(path []string) *serverList {
		v := root
		for _, key := range path {
			v = v.Get(key)
		}
		if len(path) == 0 || v == nil || v.Kind != schema.Array {
			return nil
		}
		out := &serverList{where: name + ": " + strings.Join(path, ".")}
		for _, item := range v.Items {
			if text, ok := item.IsString(); ok {
				out.names = append(out.names, text)
			}
		}
		return out
	}
	if list := read(s.Allowed); list != nil && len(list.names) > 0 && c.allowed == nil {
		c.allowed = list
	}
	if list := read(s.Excluded); list != nil {
		c.excluded = append(c.excluded, *list)
	}
}

// restrict leaves out the servers that the host would not take.
func (c *Config) restrict() {
	c.Servers = slices.DeleteFunc(c.Servers, func(s *Server) bool {
		why := ""
		if c.allowed != nil && !slices.Contains(c.allowed.names, s.Name) && !slices.Contains(c.allowed.names, "*") {
			why = c.allowed.where + " does not name it"
		}
		for _, list := range c.excluded {
			if slices.Contains(list.names, s.Name) {
				why = list.where + " names it"
			}
		}
		if why != "" {
			c.Notes = append(c.Notes, fmt.Sprintf("%s:%d: %s is left out: %s", s.File, s.Line, s.Name, why))
		}
		return why != ""
	})
}

// named returns the servers with their names.
func (s *shape) named(servers *schema.Value) ([]schema.Member, error) {
	switch {
	case s.NameKey == "" && servers.Kind == schema.Object:
		return servers.Unique(), nil
	case s.NameKey == "":
		return nil, fmt.Errorf("is %s, not an object of servers", servers.Kind)
	case servers.Kind != schema.Array:
		return nil, fmt.Errorf("is %s, not a list of servers", servers.Kind)
	}
	var out []schema.Member
	for i, v := range servers.Items {
		name, ok := v.Get(s.NameKey).IsString()
		if !ok {
			name = strconv.Itoa(i)
		}
		out = append(out, schema.Member{Key: name, Value: v})
	}
	return out, nil
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
	for _, v := range s.HeaderVariables {
		e.inHeaders = append(e.inHeaders, t.Variables[v])
	}
	off := e.off()
	if off == "" {
		off = e.internal()
	}
	if off != "" {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s is left out: %s", spot, key, off))
		return nil
	}
	server, err := e.server(m.Key)
	for _, n := range e.notes {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s: %s", spot, key, n))
	}
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
