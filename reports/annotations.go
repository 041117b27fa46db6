package reports

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "github", Doc: "annotations of a GitHub workflow run (workflow commands)", Write: writeGitHub})
	Register(Format{Name: "gitlab", Doc: "GitLab Code Quality report", Write: writeGitLab})
}

// defaultManifest stands for the server where no file of it is named: annotations
// need a file.
const defaultManifest = "conform.yaml"

func (o Options) manifest() string {
	if o.Manifest == "" {
		return defaultManifest
	}
	return o.Manifest
}

// reportable are the problems that machine formats list: not the undecided ones,
// unless verbose.
func reportable(r *verdict.Report, o Options) []Problem {
	var out []Problem
	for _, p := range Problems(r, o.Verbose) {
		if p.Severity != verdict.Undecided || o.Verbose {
			out = append(out, p)
		}
	}
	return out
}

// sentence says a problem in one paragraph.
func sentence(p Problem) string {
	f := p.Voices[0].Finding
	text := fmt.Sprintf("%s %s in %s: %s", toolName(p.Tool), verbs[p.Severity], shortHosts(p.Hosts), cutText(inline(f.Message), hostTextMax))
	if f.HostText != "" {
		text = ended(text) + " The host says: " + cutText(inline(f.HostText), 400)
	}
	return text
}

// ended is a sentence with an end, and not with two.
func ended(text string) string {
	if text == "" || strings.ContainsRune(".!?…", []rune(text)[len([]rune(text))-1]) {
		return text
	}
	return text + "."
}

// annotationMax is how many annotations of a level GitHub keeps of a step; those
// beyond it would only fill the log. Source: docs.github.com, workflow commands.
const annotationMax = 10

// writeGitHub writes one workflow command per problem, worst first, as many of each
// level as GitHub shows, and how many there are beside. It is the one format whose lines are
// commands on purpose; what a server said is escaped within them.
func writeGitHub(w io.Writer, r *verdict.Report, o Options) error {
	b := bufio.NewWriter(w)
	count := map[string]int{}
	put := func(level, file, title, text string) {
		if count[level]++; count[level] <= annotationMax {
			fmt.Fprintf(b, "::%s %stitle=%s::%s\n", level, file, commandProperty("conform: "+title), commandData(text))
		}
	}
	for _, p := range reportable(r, o) {
		level := "notice"
		switch {
		case p.Severity.Effect().Rank() >= o.failOn().Rank():
			level = "error"
		case p.Severity == verdict.Warning:
			level = "warning"
		}
		file := ""
		if o.Manifest != "" {
			file = "file=" + commandProperty(o.Manifest) + ",line=1,"
		}
		put(level, file, toolName(p.Tool)+" "+verbs[p.Severity]+" ("+p.Rule+")", sentence(p))
	}
	groups, _ := adviceGroups(r, o.Verbose)
	for _, g := range groups {
		level := "warning" // no host fails over advice
		if g[0].Severity == verdict.Info {
			level = "notice"
		}
		put(level, "", RuleOf(g[0].Rule).Title+" ("+g[0].Rule+")", adviceSentence(g))
	}
	var more []string
	for _, level := range []string{"error", "warning", "notice"} {
		if n := count[level] - annotationMax; n > 0 {
			more = append(more, plural(n, "more "+level))
		}
	}
	if len(more) > 0 {
		fmt.Fprintf(b, "conform: %s; the other formats have them all\n", strings.Join(more, ", "))
	}
	return b.Flush()
}

// adviceSentence says the advice of one rule in one paragraph.
func adviceSentence(group []verdict.Advice) string {
	text := cutText(inline(group[0].Message), 400)
	if group[0].Tool != "" {
		text = toolName(group[0].Tool) + ": " + text
	}
	if n := len(group) - 1; n > 0 {
		text += " (and in " + plural(n, "more place") + ")"
	}
	return text
}

var dataEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// Escapes of workflow commands. Source: actions/toolkit, packages/core/src/command.ts.
func commandData(s string) string {
	return dataEscapes.Replace(s)
}

var propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")

func commandProperty(s string) string {
	return propertyEscapes.Replace(s)
}

// writeGitLab writes the members that GitLab reads: description, check_name,
// fingerprint, severity, location. Source: docs.gitlab.com, Code Quality.
func writeGitLab(w io.Writer, r *verdict.Report, o Options) error {
	type lines struct {
		Begin int `json:"begin"`
	}
	type location struct {
		Path  string `json:"path"`
		Lines lines  `json:"lines"`
	}
	type issue struct {
		Description string   `json:"description"`
		Check       string   `json:"check_name"`
		Fingerprint string   `json:"fingerprint"`
		Severity    string   `json:"severity"`
		Location    location `json:"location"`
	}
	severities := map[verdict.Severity]string{verdict.Error: "critical", verdict.Warning: "minor", verdict.Info: "info", verdict.Undecided: "info"}
	b := bufio.NewWriter(w)
	b.WriteString("[")
	seen := map[string]bool{}
	put := func(i issue) {
		if seen[i.Fingerprint] {
			return // GitLab wants each once
		}
		if len(seen) > 0 {
			b.WriteString(",")
		}
		seen[i.Fingerprint] = true
		b.WriteString("\n")
		b.Write(compact(i))
	}
	for _, p := range reportable(r, o) {
		severity := severities[p.Severity]
		if p.Severity == verdict.Error && blastRank(p.Blast) > blastRank(verdict.BlastTool) {
			severity = "blocker"
		}
		put(issue{sentence(p), p.Rule, fingerprint(p, r), severity, location{o.manifest(), lines{1}}})
	}
	groups, _ := adviceGroups(r, o.Verbose)
	for _, g := range groups {
		for _, a := range g {
			p := Problem{Tool: a.Tool, Rule: a.Rule, Voices: []Voice{{Finding: verdict.Finding{SchemaPointer: a.Pointer}}}}
			severity := "minor"
			if a.Severity == verdict.Info {
				severity = "info"
			}
			put(issue{adviceSentence([]verdict.Advice{a}), a.Rule, fingerprint(p, r), severity, location{o.manifest(), lines{1}}})
		}
	}
	b.WriteString("\n]\n")
	return b.Flush()
}

// fingerprint names what a problem is, not where or when it was seen: server,
// tool, rule, stage and place in the schema. It stays the same when another host
// joins, the message changes or the list is reordered.
func fingerprint(p Problem, r *verdict.Report) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{r.Target.Name, p.Tool, p.Rule, string(p.Stage), p.Voices[0].Finding.SchemaPointer}, "\x00")))
	return hex.EncodeToString(sum[:16])
}
