package main

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// introduce says what a person sees in the demo; stdout stays the report.
func (a *app) introduce() {
	a.warn("the demo starts a small MCP server of its own (`conform fixture --set demo`), lists and calls its tools,")
	a.warn("and shows what each host makes of them. Its results are correct; the hosts differ in how they read the schemas.")
}

// conclude ends the demo: it succeeds when it could do its work.
func (a *app) conclude(r *verdict.Report, p policy) error {
	if len(r.Tools) == 0 || r.Summary.Works+r.Summary.Degraded+r.Summary.Breaks == 0 {
		return &exitError{exitIncomplete, fmt.Errorf("the demo could not establish anything; please report this")}
	}
	code := codeOf(p.judge(r))
	a.warn("this was the demo, so the exit code is 0; on your server a run like this exits with %d.", code)
	a.warn("next: conform run -- <the command that starts your server>")
	return nil
}
