package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "junit", Doc: "JUnit XML: one suite per host, one test case per tool; unknown is skipped", Write: writeJUnit})
}

// The element and attribute names are those that Jenkins, GitLab and the common
// readers of JUnit XML take; there is no official schema. The strictest is that of
// Jenkins' xUnit plugin (junit-10.xsd), which knows no "skipped" of all suites.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Errors     int             `xml:"errors,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

func writeJUnit(w io.Writer, r *verdict.Report, o Options) error {
	all := junitSuites{Name: "conform " + shorten(inline(r.Target.Name), toolNameMax)}
	for _, h := range r.Hosts {
		s := junitSuite{Name: name(h), Time: "0", Properties: []junitProperty{
			{"kind", inline(h.Kind)}, {"protocol", inline(h.Protocol)}, {"modelled", inline(strings.Join(h.Modelled, ","))}, {"last_seen", inline(h.LastSeen)}}}
		named := map[string]int{}
		for _, c := range r.Cells {
			if c.Host != h.ID || c.HostVersion != h.Version {
				continue
			}
			t := junitCase{Class: "conform." + inline(h.ID), Name: wholeToolName(c.Tool), Time: "0"}
			if named[t.Name]++; named[t.Name] > 1 { // readers take two cases of one name for one
				t.Name += fmt.Sprintf(" (%d)", named[t.Name])
			}
			switch {
			case c.Verdict == verdict.Unknown:
				t.Skipped = &junitSkipped{Message: firstMessage(c, "nothing could be established")}
				s.Skipped++
			case c.Verdict.Rank() >= o.failOn().Rank():
				t.Failure = &junitFailure{Message: firstMessage(c, string(c.Verdict)), Type: firstRule(c), Text: findingsText(c)}
				s.Failures++
			default:
				t.Out = findingsText(c)
			}
			s.Tests++
			s.Cases = append(s.Cases, t)
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// decisive is the finding that gives a cell its verdict, nil for none.
func decisive(c verdict.Cell) *verdict.Finding {
	for i, f := range c.Findings {
		if f.Severity.Effect() == c.Verdict && c.Verdict != verdict.Works {
			return &c.Findings[i]
		}
	}
	return nil
}

func firstMessage(c verdict.Cell, otherwise string) string {
	if f := decisive(c); f != nil {
		if f.HostText != "" {
			return cutText(inline(f.HostText), 300)
		}
		return cutText(inline(f.Message), 300)
	}
	return otherwise
}

func firstRule(c verdict.Cell) string {
	if f := decisive(c); f != nil {
		return f.Rule
	}
	return string(c.Verdict)
}

// findingsText is what a cell's findings say, for formats with room for a text.
func findingsText(c verdict.Cell) string {
	var out []string
	for _, f := range c.Findings {
		if f.Severity == verdict.Info {
			continue
		}
		text := fmt.Sprintf("%s (%s, %s): %s", f.Rule, f.Severity, f.Stage, cutText(inline(f.Message), hostTextMax))
		if f.Culprit != "" && f.Culprit != c.Tool {
			text += "\n  done by: " + inline(f.Culprit)
		}
		for _, part := range []struct{ name, text string }{
			{"host says", cutText(inline(f.HostText), hostTextMax)}, {"schema", inline(f.SchemaPointer)}, {"data", inline(f.DataPointer)},
			{"basis", f.Basis}, {"evidence", inline(strings.Join(f.Evidence, ", "))}, {"fix", inline(f.Mending())},
		} {
			if part.text != "" {
				text += "\n  " + part.name + ": " + part.text
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}
