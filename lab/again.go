package lab

import (
	"context"
	"slices"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// missing lists the probe servers of which a run says less than it could: that were
// never asked for their tools, or whose offered tools were not all called and
// answered. On a busy machine servers come too late for a host, or a host for its
// limit. Of a run that offered nothing, and of servers that a mode must name,
// everything was meant to be as it is.
func missing(r observe.Run) []string {
	if len(r.Record.Tools) == 0 {
		return nil
	}
	var out []string
	for _, s := range r.Servers {
		if s.Apart {
			continue
		}
		if t := r.Traffic[s.Name]; t == nil || !t.Listed || known(r, s) < offered(r, s) {
			out = append(out, s.Name)
		}
	}
	return out
}

// offered counts the probes of a server that were offered, known those of them that
// were answered.
func offered(r observe.Run, s probe.Server) int {
	return count(s, func(id string) bool {
		return slices.ContainsFunc(r.Record.Tools, func(t model.Tool) bool { return t.Probe == id })
	})
}

func known(r observe.Run, s probe.Server) int {
	return count(s, func(id string) bool {
		return slices.ContainsFunc(r.Record.Answers, func(a model.Answer) bool { return a.Probe == id })
	})
}

func count(s probe.Server, is func(id string) bool) int {
	n := 0
	for _, p := range s.Probes {
		if is(p.ID) {
			n++
		}
	}
	return n
}

// again asks once more for what a run is missing, and takes of the second run the
// servers that it says more of.
func (l Lab) again(ctx context.Context, a adapters.Adapter, installed adapters.Installed, version string, mode adapters.Mode, first Batch, c *probe.Catalogue) ([]Batch, error) {
	ask := missing(first.Run)
	if len(ask) == 0 {
		return []Batch{first}, nil
	}
	second, err := l.past(ctx, a, installed, version, mode, first, ask, c)
	if err != nil {
		return []Batch{first}, err
	}
	second.Again = true
	return split(first, second), nil
}

// split leaves each server to the run that says more of it.
func split(first, second Batch) []Batch {
	better := func(s probe.Server) bool {
		i := slices.IndexFunc(second.Run.Servers, func(o probe.Server) bool { return o.Name == s.Name })
		return i >= 0 && (offered(second.Run, s) > offered(first.Run, s) || known(second.Run, s) > known(first.Run, s))
	}
	servers := first.Run.Servers
	first.Run.Servers = slices.DeleteFunc(slices.Clone(servers), better)
	second.Run.Servers = slices.DeleteFunc(slices.Clone(servers), func(s probe.Server) bool { return !better(s) })
	if len(second.Run.Servers) == 0 {
		return []Batch{first}
	}
	return []Batch{first, second}
}
