package reports

import (
	"strconv"

	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// The report carries texts of the server beside the findings, so that a page can
// mark the failing place. These bounds, in bytes, keep the report of a large server
// readable; each holds for one tool alone, so that a shard decides as the whole
// run would.
const (
	maxDefinition = 64 << 10
	maxResult     = 16 << 10
	maxResults    = 3
	maxOffers     = 24 << 10 // all forms of one tool together
)

// addMaterial fills in the definition, results and offers of the tools.
func addMaterial(r *verdict.Report, in Input) {
	troubled := troubledTools(r.Cells)
	definitions, results := written(in.Capture)
	offers := map[string]*offerings{}
	for _, c := range in.Columns {
		if c.State == nil {
			continue
		}
		done := map[string]bool{} // of two tools with one name the first one's offer counts
		for _, t := range c.State.Tools {
			if t.Name == "" || done[t.Name] || !troubled[t.Name] || !t.Offered.Present {
				continue
			}
			done[t.Name] = true
			if offers[t.Name] == nil {
				offers[t.Name] = &offerings{at: map[string]int{}}
			}
			offers[t.Name].add(hostLabel(c.Host.ID, c.Host.Version), t)
		}
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		t.Definition = definitions[t.Name]
		t.Results = results[t.Name]
		if o := offers[t.Name]; o != nil {
			t.Offers = o.list
		}
	}
}

// hostLabel names a host as [verdict.Offered] does.
func hostLabel(id, version string) string {
	if version == "" {
		return id
	}
	return id + " " + version
}

// troubledTools are the tools with a cell that does not simply work.
func troubledTools(cells []verdict.Cell) map[string]bool {
	out := map[string]bool{}
	for _, c := range cells {
		if c.Verdict != verdict.Works {
			out[c.Tool] = true
		}
	}
	return out
}

// written collects each tool's first definition and its first different results
// over all sessions.
func written(c *recording.Capture) (definitions map[string]string, results map[string][]string) {
	definitions, results = map[string]string{}, map[string][]string{}
	have := map[string]bool{}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if _, seen := definitions[t.Name]; !seen {
				definitions[t.Name] = bounded(t.Value, maxDefinition)
			}
		}
		for _, call := range s.Calls {
			if call.Origin != recording.Real || call.Result == nil || len(results[call.Tool]) == maxResults {
				continue
			}
			text := bounded(call.Result, maxResult)
			if key := call.Tool + "\x00" + text; text != "" && !have[key] {
				have[key] = true
				results[call.Tool] = append(results[call.Tool], text)
			}
		}
	}
	return definitions, results
}

func bounded(v *schema.Value, limit int) string {
	if text := v.Compact(); len(text) <= limit {
		return text
	}
	return ""
}

// offerings are the different forms of one tool.
type offerings struct {
	list []verdict.Offered
	at   map[string]int
	size int
}

func (o *offerings) add(host string, t *stage.Tool) {
	form := verdict.Offered{Rendered: t.Offered.Rendered}
	described := ""
	if text, _ := t.Value.Get("description").IsString(); text != t.Offered.Description {
		described = t.Offered.Description
		form.Description = &described
	}
	if s := t.Offered.Schema; s != nil && s != t.Input && (t.Input == nil || s.Compact() != t.Input.Compact()) {
		form.Schema = s.Compact()
	}
	size := len(form.Rendered) + len(described) + len(form.Schema)
	key := described + "\x00" + strconv.FormatBool(form.Description != nil) + "\x00" + form.Schema + "\x00" + form.Rendered
	i, seen := o.at[key]
	if !seen {
		if o.size+size > maxOffers {
			form = verdict.Offered{Cut: true}
			key = "cut"
			i, seen = o.at[key]
		} else {
			o.size += size
		}
	}
	if !seen {
		i = len(o.list)
		o.at[key] = i
		form.Names = map[string]string{}
		o.list = append(o.list, form)
	}
	name := t.Offered.Name
	if t.Offered.Namespace != "" {
		name = t.Offered.Namespace + " / " + name
	}
	o.list[i].Names[host] = name
}
