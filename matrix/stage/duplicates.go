package stage

import (
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
)

// shareValidators gives tools of one name the outputSchema of the last one that
// has any.
func (s *State) shareValidators() {
	last := map[string]*schema.Value{}
	for _, t := range s.Tools {
		if t.Output != nil {
			last[t.Name] = t.Output
		}
	}
	for _, t := range s.Tools {
		if output := last[t.Name]; output != t.Output {
			shared := *t.Tool
			shared.Output = output
			t.Tool = &shared
		}
	}
}

// inherited are the names that an empty object of JavaScript finds in its prototype
// (ECMA-262, 20.1.3 and annex B.2.2).
var inherited = map[string]bool{
	"constructor": true, "hasOwnProperty": true, "isPrototypeOf": true, "propertyIsEnumerable": true, "toLocaleString": true,
	"toString": true, "valueOf": true, "__proto__": true, "__defineGetter__": true, "__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true,
}

// resolveDuplicates applies the host's rule for equal names of one server.
func (s *State) resolveDuplicates() {
	d, f := claim[capabilities.Duplicates](s, "list.duplicates")
	if d == nil {
		return
	}
	if d.Keep == "all" {
		if d.Validator == "last" {
			s.shareValidators()
		}
		return
	}
	last := map[string]*Tool{}
	for _, t := range s.Tools {
		if t.Gone {
			continue
		}
		if d.Inherited && inherited[t.Name] {
			s.loseServer(f, verdict.Finding{Rule: "duplicate-name", Severity: verdict.Error, Stage: verdict.List, Culprit: t.Name,
				Blast: verdict.BlastServer, HostText: fill(d.Text, "tool", t.Name),
				Message: fmt.Sprintf("a tool is named %q, which every JavaScript object has already; this host takes it for a second one and loses every tool over it", t.Name)})
			return
		}
		before, dup := last[t.Name]
		last[t.Name] = t
		if !dup {
			continue
		}
		v := verdict.Finding{Rule: "duplicate-name", Severity: verdict.Error, Stage: verdict.List,
			Blast: verdict.BlastTool, HostText: fill(d.Text, "tool", t.Name),
			Message: fmt.Sprintf("two tools are named %q; this host keeps the %s one", t.Name, d.Keep)}
		switch d.Keep {
		case "server", "request":
			v.Culprit = t.Name
			v.Message = fmt.Sprintf("two tools are named %q; this host loses every tool over it", t.Name)
			v.Blast = verdict.BlastServer
			if d.Keep == "request" {
				v.Blast = verdict.BlastRequest
			}
			s.loseServer(f, v)
			return
		case "last":
			before.Gone = true
			before.add(f, v)
		default:
			last[t.Name] = before
			t.Gone = true
			t.add(f, v)
		}
	}
}
