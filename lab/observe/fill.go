package observe

import (
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

// Counted is how many tools of a long list were offered.
type Counted struct {
	Listed  int `json:"listed"`
	Offered int `json:"offered"`
	// First is how many of the list's start were offered without a gap. Where it is
	// all that was offered, the host cuts the list; else it chooses, or searches.
	First int `json:"first"`
}

// Counts counts what was offered of lists that are filled up, by server. Servers
// that were never asked, and runs that offered nothing at all, say nothing.
func (r Run) Counts() map[string]Counted {
	out := map[string]Counted{}
	for _, s := range r.Servers {
		t := r.Traffic[s.Name]
		if s.Fill == 0 || t == nil || !t.Listed || r.silent() {
			continue
		}
		offered := map[string]bool{}
		for _, tool := range r.Record.Tools {
			offered[tool.Probe] = true
		}
		c, gap := Counted{Listed: s.Fill}, false
		for _, tool := range s.Tools() {
			if !offered[model.ProbeOf(text(tool, "description"))] {
				gap = true
				continue
			}
			c.Offered++
			if !gap {
				c.First++
			}
		}
		out[s.Name] = c
	}
	return out
}

// filled counts the fillers of a server that were offered.
func (r Run) filled(s probe.Server) int {
	n := 0
	for _, t := range r.Record.Tools {
		if strings.HasPrefix(t.Probe, probe.FillPrefix+s.Name+"_") {
			n++
		}
	}
	return n
}

// changed returns what the server got where it is not what the model sent.
func changed(sent, got json.RawMessage) json.RawMessage {
	if got == nil {
		return nil
	}
	a, errA := schema.Parse(sent, schema.Limits{})
	b, errB := schema.Parse(got, schema.Limits{})
	if errA != nil || errB != nil || schema.Equal(a, b) {
		return nil
	}
	return got
}
