// Package probe holds the catalogue of probes and the MCP servers that serve it. A
// probe is one tool with one result; each names the claims of the table that it
// helps to decide. Definitions that may cost a host its whole list have a server
// of their own, beside a harmless control tool: so "tool dropped", "list lost" and
// "never connected" are told apart.
package probe

import (
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// Format is the "format" member of a catalogue.
const Format = "conform-probes/1"

//go:embed catalogue.json
var builtin []byte

// Catalogue is a list of probe servers.
type Catalogue struct {
	Version string
	Servers []Server
}

// Server is one MCP server with its probes.
type Server struct {
	Name     string
	About    string
	Control  bool // a harmless tool ctl_NAME is listed first
	PageSize int  // tools a page; 0 is all in one
	// Apart servers are met only in modes that name them: a long list or a server that
	// never answers would change what a host does with the others.
	Apart   bool
	Fill    int                      // tools in all: fillers around the probes, which stand at their At
	Silent  string                   // a request that this server never answers
	Answers map[string]*schema.Value // results by method that stand in for the usual ones
	Probes  []Probe
}

// Probe is one tool, the call that is made of it and the answer.
type Probe struct {
	ID        string
	About     string
	Claims    []string
	Tool      *schema.Value // as listed, but for descriptions of long texts
	Arguments *schema.Value
	Result    *schema.Value // nil when the answer is an error
	Error     *schema.Value
	At        int // place in a list that is filled up, from 1
}

// Builtin returns the catalogue of this release.
func Builtin() (*Catalogue, error) { return Parse(builtin) }

// Open reads a catalogue from a file; "" is the one of this release.
func Open(path string) (*Catalogue, error) {
	if path == "" {
		return Builtin()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the catalogue of probes: %w", err)
	}
	return Parse(data)
}

// Parse reads a catalogue. Errors name the server and the probe.
func Parse(data []byte) (*Catalogue, error) {
	v, err := schema.Parse(data, schema.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the catalogue of probes: %w", err)
	}
	if f := str(v, "format"); f != Format {
		return nil, fmt.Errorf("the catalogue of probes: format %q, want %q", f, Format)
	}
	c := &Catalogue{Version: str(v, "version")}
	for _, s := range items(v.Get("servers")) {
		server := Server{Name: str(s, "name"), About: str(s, "about"), Control: s.Get("control").IsTrue(), Apart: s.Get("apart").IsTrue(),
			PageSize: number(s, "page_size"), Fill: number(s, "fill"), Silent: str(s, "silent"), Answers: map[string]*schema.Value{}}
		if answers := s.Get("answers"); answers != nil {
			for _, m := range answers.Members {
				server.Answers[m.Key] = m.Value
			}
		}
		for _, p := range items(s.Get("probes")) {
			read, err := readProbe(p)
			if err != nil {
				return nil, fmt.Errorf("the catalogue of probes: server %s: %w", server.Name, err)
			}
			if _, _, twice := c.Find(read.ID); twice || slices.ContainsFunc(server.Probes, func(o Probe) bool { return o.ID == read.ID }) {
				return nil, fmt.Errorf("the catalogue of probes: server %s: probe %s is there twice", server.Name, read.ID)
			}
			server.Probes = append(server.Probes, read)
		}
		c.Servers = append(c.Servers, server)
	}
	return c, nil
}

// Find returns the probe with an id and its server.
func (c *Catalogue) Find(id string) (Server, Probe, bool) {
	for _, s := range c.Servers {
		for _, p := range s.Probes {
			if p.ID == id {
				return s, p, true
			}
		}
	}
	return Server{}, Probe{}, false
}

// Server returns the server of a name.
func (c *Catalogue) Server(name string) (Server, bool) {
	i := slices.IndexFunc(c.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return c.Servers[i], true
}

// plainID is what the model reads of a tag (model.tagged).
var plainID = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// readProbe fills what an entry leaves out: a name, a description with the tag, a
// plain input schema, an argument and a text.
func readProbe(v *schema.Value) (Probe, error) {
	p := Probe{ID: str(v, "id"), About: str(v, "about"), Arguments: v.Get("arguments"), Error: v.Get("error"), At: number(v, "at")}
	if p.ID == "" {
		return p, fmt.Errorf("a probe without an id")
	}
	if !plainID.MatchString(p.ID) {
		return p, fmt.Errorf("a probe with the id %q: it stands in the tool's tag, so it is of letters, digits and _ alone", p.ID)
	}
	for _, c := range items(v.Get("claims")) {
		p.Claims = append(p.Claims, c.Text)
	}
	var omitted []string
	for _, key := range items(v.Get("omit")) {
		omitted = append(omitted, key.Text)
	}
	given := v.Get("tool")
	if p.At > 0 {
		given = schema.Obj(schema.Member{Key: "name", Value: schema.Str(fillName(p.At))})
	}
	p.Tool = tool(p.ID, given, omitted)
	if p.Arguments == nil {
		p.Arguments = schema.MustParse(`{"q":"x"}`)
	}
	if p.Error == nil {
		if p.Result = v.Get("result"); p.Result == nil {
			p.Result = textResult("CT_" + p.ID)
		}
	}
	return p, nil
}

func tool(id string, given *schema.Value, omitted []string) *schema.Value {
	members := []schema.Member{
		{Key: "name", Value: schema.Str(id)},
		{Key: "description", Value: schema.Str("[[P:" + id + "]] conformance probe tool " + id)},
		{Key: "inputSchema", Value: schema.MustParse(`{"type":"object","properties":{"q":{"type":"string","description":"any text"}}}`)},
	}
	if given != nil {
		for _, m := range given.Members {
			if i := slices.IndexFunc(members, func(o schema.Member) bool { return o.Key == m.Key }); i >= 0 {
				members[i] = m
			} else {
				members = append(members, m)
			}
		}
	}
	members = slices.DeleteFunc(members, func(m schema.Member) bool { return slices.Contains(omitted, m.Key) })
	return schema.Obj(members...)
}

// Name is the tool's name on the wire.
func (p Probe) Name() string { return str(p.Tool, "name") }

// Tagged says that the description tells which probe this is, as it does unless a
// catalogue leaves it out or words it otherwise.
func (p Probe) Tagged() bool {
	return strings.Contains(str(verify.Expand(p.Tool), "description"), "[[P:"+p.ID+"]]")
}

// ControlName is the name of a server's harmless tool.
func (s Server) ControlName() string { return "ctl_" + strings.ReplaceAll(s.Name, "-", "_") }

// Tools returns the tools as they go over the wire, in order.
func (s Server) Tools() []*schema.Value {
	var out []*schema.Value
	if s.Control {
		out = append(out, tool(s.ControlName(), nil, nil))
	}
	for _, p := range s.Probes {
		for p.At > len(out)+1 {
			out = append(out, s.filler(len(out)+1))
		}
		out = append(out, verify.Expand(p.Tool))
	}
	for len(out) < s.Fill {
		out = append(out, s.filler(len(out)+1))
	}
	return out
}

// Siblings returns the names of the other tools of a probe's list, control first;
// those of a list that is filled up are told by Around.
func (s Server) Siblings(id string) []string {
	var out []string
	if s.Fill > 0 {
		return nil
	}
	if s.Control {
		out = append(out, s.ControlName())
	}
	for _, p := range s.Probes {
		if p.ID != id {
			out = append(out, str(p.Tool, "name"))
		}
	}
	return out
}

func textResult(text string) *schema.Value {
	return schema.Obj(schema.Member{Key: "content", Value: schema.List(schema.Obj(
		schema.Member{Key: "type", Value: schema.Str("text")}, schema.Member{Key: "text", Value: schema.Str(text)}))})
}

func str(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}

func number(v *schema.Value, key string) int {
	if n := v.Get(key); n != nil {
		return int(n.Float())
	}
	return 0
}

func items(v *schema.Value) []*schema.Value {
	if v == nil || v.Kind != schema.Array {
		return nil
	}
	return v.Items
}
