package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// policy says which cells fail a run.
type policy struct {
	failOn     string // breaks, degraded, unknown, never
	minBasis   string // weakest basis that counts: inferred, reported, documented, source, observed
	maxUnknown int    // cells that may stay unknown; negative: any number
}

// flags adds the flags of the policy; failOn is the default of --fail-on.
func (p *policy) flags(cmd *cobra.Command, failOn string) {
	f := cmd.Flags()
	f.StringVar(&p.failOn, "fail-on", failOn, "least verdict that fails: breaks, degraded, unknown, never")
	f.StringVar(&p.minBasis, "min-basis", "inferred", "weakest evidence that fails: inferred, reported, documented, source, observed")
	f.IntVar(&p.maxUnknown, "max-unknown", -1, "cells that may stay unknown before the result counts as incomplete; -1: any number")
}

// verdict is the least verdict that formats with pass and fail show as a failure.
func (p policy) verdict() verdict.Verdict {
	if p.failOn == "never" {
		return verdict.Breaks
	}
	return verdict.Verdict(p.failOn)
}

var failOnRanks = map[string]int{"never": 99, "breaks": 3, "degraded": 2, "unknown": 1}

// check says what is wrong with the flags.
func (p policy) check() error {
	if _, ok := failOnRanks[p.failOn]; !ok {
		return oneOf("fail-on", p.failOn, "breaks", "degraded", "unknown", "never")
	}
	if capabilities.Basis(p.minBasis).Rank() == 0 {
		return oneOf("min-basis", p.minBasis, "inferred", "reported", "documented", "source", "observed")
	}
	return nil
}

// judge returns the exit code for a report: findings before incompleteness,
// because a finding is certain.
func (p policy) judge(r *verdict.Report) error {
	unknown, failed := 0, 0
	for _, c := range r.Cells {
		if c.Verdict == verdict.Unknown {
			unknown++
		}
		if c.Verdict.Rank() >= failOnRanks[p.failOn] && c.Verdict != verdict.Works && p.counts(c) {
			failed++
		}
	}
	switch {
	case failed > 0:
		return &exitError{code: exitFindings}
	case cutList(r) != "":
		return &exitError{exitIncomplete, errors.New(cutList(r))}
	case len(r.Cells) == 0 && r.Shard != nil:
		return nil // a shard may hold no tool
	case len(r.Tools) == 0 && r.Shard == nil && listed(r):
		return &exitError{exitIncomplete, fmt.Errorf("the server lists no tools, so there was nothing to look at")}
	case len(r.Cells) == 0:
		return &exitError{exitIncomplete, fmt.Errorf("nothing was evaluated: the run has no host or the server no session")}
	case unknown == len(r.Cells):
		return &exitError{exitIncomplete, fmt.Errorf("nothing could be established: %s", allUnknown(unknown))}
	case p.maxUnknown >= 0 && unknown > p.maxUnknown:
		return &exitError{exitIncomplete, fmt.Errorf("%s unknown, --max-unknown allows %d", are(unknown, "cell"), p.maxUnknown)}
	}
	return nil
}

// cutList says that a limit of conform's own cut the list of tools; "" when none
// did.
func cutList(r *verdict.Report) string {
	for _, a := range r.Advice {
		switch a.Rule {
		case "list-limit":
			return "the list of tools was cut by --max-pages; what stands behind it was not looked at"
		case "cell-limit":
			return "the list has more tools than one run looks at in so many hosts; name fewer with --host to look at all"
		case "tool-limit":
			return "the list of tools was cut by --max-tools; what stands behind it was not looked at"
		}
	}
	return ""
}

// listed reports whether sessions worked and no error explains what they lack.
func listed(r *verdict.Report) bool {
	for _, h := range r.Target.Handshakes {
		if h.Error != "" {
			return false
		}
	}
	return len(r.Target.Handshakes) > 0
}

func allUnknown(cells int) string {
	if cells == 1 {
		return "the only cell is unknown"
	}
	return fmt.Sprintf("all %d cells are unknown", cells)
}

// counts reports whether a cell's evidence is good enough. A cell without a basis
// rests on no claim about the host but on what the server did, or could not be
// established for lack of any: no threshold makes it better.
func (p policy) counts(c verdict.Cell) bool {
	return c.Basis == "" || capabilities.Basis(c.Basis).Rank() >= capabilities.Basis(p.minBasis).Rank()
}

// revisionsOf returns the protocol revisions that the sessions of a report
// negotiated, in order.
func revisionsOf(negotiated []string) []string {
	var out []string
	for _, v := range negotiated {
		if v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// splitList splits repeated and comma-separated values.
func splitList(values []string) []string {
	var out []string
	for _, v := range values {
		for _, part := range strings.Split(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}
