package conformtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/wire"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

// evaluate captures the server and runs the matrix.
func (m *Matcher) evaluate(ctx context.Context, server any) (*verdict.Report, error) {
	table, err := m.table()
	if err != nil {
		return nil, err
	}
	columns, err := m.columns(table)
	if err != nil {
		return nil, err
	}
	shapes, err := shape.Load(capabilities.Shapes())
	if err != nil {
		return nil, fmt.Errorf("the built-in shapes: %w", err)
	}
	capture, err := m.capture(ctx, server, columns)
	if err != nil {
		return nil, err
	}
	in := matrix.Input{Capture: capture, Hosts: columns, Shapes: shapes, Validators: validators.NewCache()}
	if m.witnesses > 0 {
		in.Witness = witness.New(in.Validators, witness.Options{Budget: m.witnesses}).Stage
	}
	evaluated := matrix.Evaluate(in)
	budget := m.witnesses
	if budget == 0 {
		budget = -1
	}
	rewrite.Annotate(capture, evaluated, rewrite.Options{Shapes: shapes, Budget: budget, Stop: ctx.Done()})
	return reports.Build(reports.Input{Capture: capture, Columns: evaluated, Table: table,
		Lint: &lint.Input{Hosts: columns}}), nil
}

func (m *Matcher) table() (*capabilities.Table, error) {
	table, err := capabilities.Builtin()
	if err != nil {
		return nil, fmt.Errorf("the built-in table: %w", err)
	}
	if m.hostsDir == "" {
		return table, nil
	}
	if info, err := os.Stat(m.hostsDir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("HostsDir(%q): no such folder", m.hostsDir)
	}
	return table.OverlayFS(os.DirFS(m.hostsDir))
}

func (m *Matcher) columns(table *capabilities.Table) ([]*capabilities.Resolved, error) {
	specs := m.hosts
	if len(specs) == 0 {
		for _, h := range table.Hosts() {
			if h.Kind == "host" {
				specs = append(specs, h.ID)
			}
		}
	}
	var out []*capabilities.Resolved
	for _, s := range specs {
		r, err := table.Resolve(s)
		if err != nil {
			return nil, fmt.Errorf("WorkIn(%q): %w", s, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// capture gets what the server says: replayed, or live in the handshakes of the
// hosts.
func (m *Matcher) capture(ctx context.Context, server any, columns []*capabilities.Resolved) (*recording.Capture, error) {
	t, err := targetOf(server)
	if err != nil {
		return nil, err
	}
	if t.capture != nil {
		return t.capture, nil
	}
	defer t.close()
	t.live.Name = m.name
	var file *recording.SamplesFile
	if m.samples != "" {
		data, err := os.ReadFile(m.samples)
		if err != nil {
			return nil, fmt.Errorf("Samples(%q): %w", m.samples, err)
		}
		if file, err = recording.ReadSamples(m.samples, data); err != nil {
			return nil, fmt.Errorf("Samples: %w", err)
		}
	}
	capture, err := wire.Capture(ctx, t.live, wire.Options{
		Handshakes: handshakes(columns, t.live.URL != ""),
		Calls: func(s *recording.Session) []recording.Call {
			plan := recording.Plan(s, file, recording.PlanOptions{AllowCalls: m.allowCalls, PerTool: 1, Refusal: validators.Refusal})
			s.Plan = plan.Tools
			return plan.Requests()
		},
	})
	if err != nil {
		return nil, err
	}
	return capture, answered(capture)
}

// answered fails when no session came about: a match would then say nothing about
// the tools.
func answered(c *recording.Capture) error {
	var failed []error
	for _, s := range c.Sessions {
		if s.InitError == nil {
			return nil
		}
		failed = append(failed, fmt.Errorf("%s: %s", s.ID, s.InitError.Text))
	}
	return fmt.Errorf("no session with the server came about: %w", errors.Join(failed...))
}

// handshakes are what the hosts send first over the transport, each once.
func handshakes(columns []*capabilities.Resolved, http bool) []wire.Handshake {
	transport := wire.Stdio
	if http {
		transport = wire.StreamableHTTP
	}
	var out []wire.Handshake
	for _, c := range columns {
		claim, _ := capabilities.Get[capabilities.Handshake](c, "connect.handshake")
		if claim == nil {
			continue
		}
		if first, fallback, ok := claim.First(transport); ok {
			out = append(out, wire.Opening(first.Method, first.Version, fallback))
		}
	}
	if len(out) == 0 {
		out = append(out, wire.Handshake{Mode: wire.Initialize, Version: wire.LatestLegacy})
	}
	return wire.Distinct(out)
}

// words are the blocks of the text report for the cells that fail.
func words(r *verdict.Report) string {
	f, err := reports.Lookup("text")
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	if err := f.Write(&b, r, reports.Options{Quiet: true}); err != nil {
		return err.Error()
	}
	return strings.TrimRight(b.String(), "\n")
}
