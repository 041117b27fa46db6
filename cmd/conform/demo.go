package main

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// introduce says what a person sees in the demo; stdout stays the report.
func (a *app) introduce() {
	a.warn("the demo runs a small server of its own (`conform fixture --set demo`). Its tool")
	a.warn("hauler_status answers correctly, and still breaks where a host reads its schema otherwise.")
}

// conclude ends the demo: it succeeds when it could do its work.
func (a *app) conclude(r *verdict.Report, p policy) error {
	if len(r.Tools) == 0 || r.Summary.Works+r.Summary.Degraded+r.Summary.Breaks == 0 {
		return &exitError{exitIncomplete, fmt.Errorf("the demo could not establish anything; please report this")}
	}
	code := codeOf(p.judge(r))
	a.warn("this was the demo, so it exits with 0; a real run with these findings exits with %d.", code)
	a.warn("next: conform run -- <the command that starts your server>")
	return nil
}
