package reports

import (
	"strings"

	"github.com/hostmatrix/conform/recording"
)

// inline makes server text safe within a line.
func inline(s string) string { return recording.Escape(s, "") }

// multiline is inline with line breaks kept.
func multiline(s string) string { return recording.Escape(s, "\n") }

var commandEscapes = strings.NewReplacer("##[", "#\\#[", "##vso[", "#\\#vso[", "##teamcity[", "#\\#teamcity[")

// uncommand keeps a line from being taken as a command by a CI system that reads
// logs: GitHub takes lines that begin with "::" (leading blanks allowed) and, in
// its older form, "##[" anywhere; Azure DevOps takes "##vso[" and "##[" too.
// Source: actions/runner, ActionCommand.TryParseV2 and TryParse.
func uncommand(line string) string {
	if strings.Contains(line, "##") {
		line = commandEscapes.Replace(line)
	}
	if trimmed := strings.TrimLeft(line, " \t"); strings.HasPrefix(trimmed, "::") {
		line = line[:len(line)-len(trimmed)] + "\\" + trimmed
	}
	return line
}
