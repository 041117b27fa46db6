// Package verify replays observations of real hosts (conform-observation/1)
// through the emulation and compares what the host offered, whether the server
// was called and what the model saw. A table that does not reproduce what was
// seen is wrong.
package verify

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Format is the "format" member of the JSON output of `conform caps verify`.
const Format = "conform-verify/1"

// Report is the JSON output of `conform caps verify`.
type Report struct {
	Format  string   `json:"format"`
	Results []Result `json:"results"`
	Summary Summary  `json:"summary"`
}

// Result is one observation: true or false where something was recorded, null
// where nothing was.
type Result struct {
	ID      string `json:"id"`
	Host    string `json:"host"`
	Offered *bool  `json:"offered"`
	Called  *bool  `json:"called"`
	Seen    *bool  `json:"seen"`
	Why     string `json:"why,omitempty"` // what differs
}

// Summary counts agreements, in all and by column.
type Summary struct {
	Offered Counter            `json:"offered"`
	Called  Counter            `json:"called"`
	Seen    Counter            `json:"seen"`
	ByHost  map[string]ByStage `json:"by_host"`
}

// ByStage is the count of one column.
type ByStage struct {
	Offered Counter `json:"offered"`
	Called  Counter `json:"called"`
	Seen    Counter `json:"seen"`
}

// Counter counts comparisons.
type Counter struct {
	Compared int `json:"compared"`
	Agree    int `json:"agree"`
}

// Runner holds what all replays share.
type Runner struct {
	Table  *capabilities.Table
	Shapes *shape.Set
	Only   string // restricts to one host id; "" is all
}

// maxLine bounds one observation, in bytes.
const maxLine = 32 << 20

// Read replays every line of r, in order. name is used in errors.
func (r Runner) Read(name string, in io.Reader) ([]Result, error) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 1<<20), maxLine)
	var out []Result
	for line := 1; scanner.Scan(); line++ {
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 {
			continue
		}
		v, err := schema.Parse(append([]byte(nil), text...), schema.Limits{})
		if err != nil {
			return out, fmt.Errorf("%s:%d: not an observation: %w", name, line, err)
		}
		if host, _ := v.Get("host").IsString(); v.Has("format") || r.Only != "" && host != r.Only {
			continue // the header line, or another host
		}
		if tool := v.Get("tool"); tool == nil || tool.Kind != schema.Object {
			return out, fmt.Errorf("%s:%d: not an observation: it has no \"tool\" object", name, line)
		}
		out = append(out, r.Replay(Observation{v}))
	}
	if err := scanner.Err(); err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// Replay compares one observation with the emulation.
func (r Runner) Replay(o Observation) Result {
	result := Result{ID: o.text("id"), Host: o.text("host")}
	column, err := r.column(o)
	if err != nil {
		no := false
		result.Offered, result.Why = &no, err.Error()
		return result
	}
	state := stage.Run(stage.Env{Host: column, Target: o.target(), Session: o.session(),
		Shapes: r.Shapes, Validators: validators.NewCache(), TrustAPI: true})
	var why []string
	note := func(field **bool, ok bool, reason string) {
		*field = &ok
		if !ok {
			why = append(why, reason)
		}
	}
	// The emulation has no clock: what a host makes of a server that never answers is
	// on record, and not compared.
	silent := o.text("silent")
	if ok, reason, recorded := o.compareOffer(state); recorded && silent != "initialize" && silent != "tools/list" {
		note(&result.Offered, ok, "offered: "+reason)
	}
	if ok, reason, recorded := o.compareCalls(state); recorded {
		note(&result.Called, ok, "called: "+reason)
	}
	if ok, reason, recorded := o.compareSeen(state); recorded && silent != "tools/call" {
		note(&result.Seen, ok, "seen: "+reason)
	}
	result.Why = strings.Join(why, "; ")
	return result
}

// column resolves the observation's host, version and mode; a mode that the
// table does not tell apart is the default one.
func (r Runner) column(o Observation) (*capabilities.Resolved, error) {
	host, version, mode := o.text("host"), o.text("version"), o.text("mode")
	if h, ok := r.Table.Host(host); ok {
		if _, named := h.Modes[mode]; named {
			host += ":" + mode
		}
	}
	if version != "" {
		host += "@" + version
	}
	return r.Table.Resolve(host)
}

// Sum counts results.
func Sum(results []Result) Summary {
	s := Summary{ByHost: map[string]ByStage{}}
	for _, r := range results {
		b := s.ByHost[r.Host]
		count(r.Offered, &s.Offered, &b.Offered)
		count(r.Called, &s.Called, &b.Called)
		count(r.Seen, &s.Seen, &b.Seen)
		s.ByHost[r.Host] = b
	}
	return s
}

func count(outcome *bool, into ...*Counter) {
	if outcome == nil {
		return
	}
	for _, c := range into {
		c.Compared++
		if *outcome {
			c.Agree++
		}
	}
}

// Observation is one line of an observation file.
type Observation struct{ *schema.Value }

func (o Observation) text(key string) string {
	s, _ := o.Get(key).IsString()
	return s
}

func (o Observation) target() recording.Target {
	return recording.Target{Name: o.text("server_name"), Transport: o.text("transport")}
}

// session rebuilds what the server said: the probe's tool, its siblings (known
// by name only, as well-formed tools) and the one result.
func (o Observation) session() *recording.Session {
	version := o.text("protocol_version")
	s := &recording.Session{ID: recording.ObservedID, Requested: version, Negotiated: version,
		Era: recording.EraOf(version), Transport: o.text("transport")}
	// The labs listed a control tool first: a tool of the same name as its sibling
	// is the later one, where the observation does not say its position in the list.
	var tools []*schema.Value
	if siblings := o.Get("siblings"); siblings != nil {
		for _, name := range siblings.Items {
			tools = append(tools, plainTool(name))
		}
	}
	tail := len(tools)
	if position := o.Get("position"); position != nil {
		tail = min(max(int(position.Float()), 0), tail)
	}
	tools, after := tools[:tail:tail], tools[tail:]
	tools = slices.Concat(tools, fillers(o.Get("siblings_before")), []*schema.Value{Expand(o.Get("tool"))}, fillers(o.Get("siblings_after")), after)
	for _, page := range o.pages(tools) {
		members := []schema.Member{{Key: "tools", Value: schema.List(page...)}}
		if s.Modern() {
			members = append(members, schema.Member{Key: "resultType", Value: schema.Str("complete")},
				schema.Member{Key: "ttlMs", Value: schema.Num(0)}, schema.Member{Key: "cacheScope", Value: schema.Str("private")})
		}
		s.AddPage(recording.Page{Result: schema.Obj(members...)})
	}
	if call := o.call(); call != nil {
		call.Tool, _ = o.Get("tool").Get("name").IsString()
		s.Calls = append(s.Calls, call)
	}
	return s
}

// pages splits the tools as the lab's server did: one page, or one tool a page in
// the order of their names where the observation says that it paginates.
func (o Observation) pages(tools []*schema.Value) [][]*schema.Value {
	if !strings.Contains(o.text("note"), "one tool a page") {
		return [][]*schema.Value{tools}
	}
	slices.SortFunc(tools, func(a, b *schema.Value) int {
		x, _ := a.Get("name").IsString()
		y, _ := b.Get("name").IsString()
		return strings.Compare(x, y)
	})
	var pages [][]*schema.Value
	for _, t := range tools {
		pages = append(pages, []*schema.Value{t})
	}
	return pages
}

// call rebuilds the one call; nil when the lab made none. Where the host answered
// by itself the server's answer is not on record and does not matter.
func (o Observation) call() *recording.Call {
	result, seen := o.Get("result"), o.Get("seen")
	call := &recording.Call{Origin: recording.Real, Arguments: o.Get("arguments")}
	if call.Arguments == nil {
		call.Arguments = schema.Obj()
	}
	switch {
	case result == nil || result.Kind == schema.Null:
		if seen == nil || seen.Kind == schema.Null {
			return nil
		}
		call.Result = schema.Obj(schema.Member{Key: "content", Value: schema.List()})
	case result.Get("error") != nil && !result.Has("content"):
		call.Error = Expand(result.Get("error"))
	default:
		call.Result = Expand(result)
	}
	return call
}

func plainTool(name *schema.Value) *schema.Value {
	return schema.Obj(
		schema.Member{Key: "name", Value: name},
		schema.Member{Key: "description", Value: schema.Str("control tool")},
		schema.Member{Key: "inputSchema", Value: schema.Obj(
			schema.Member{Key: "type", Value: schema.Str("object")},
			schema.Member{Key: "properties", Value: schema.Obj()})})
}
