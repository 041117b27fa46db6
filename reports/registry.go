// Package reports turns what the matrix found into the canonical report
// ([Build]) and the canonical report into every format that people and machines
// read. A format is a value ([Format]) whose Write is a pure function of the
// report: no clock, no environment, no network; `conform report` therefore
// re-renders a stored report offline, byte for byte.
package reports

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// Options say how to render. The zero value is right for a file.
type Options struct {
	Width    int  // columns of the terminal for text; 0 means 100
	Color    bool // ANSI colours in text
	Verbose  bool // findings that change nothing (severity info), all undecided ones, all advice
	Quiet    bool // only the findings, no matrix and no legend
	Manifest string
	// FailOn is the least verdict that counts as a failure in formats that only
	// know pass and fail (junit, tap, badge); "" means breaks.
	FailOn verdict.Verdict
}

// failOn is FailOn or its default.
func (o Options) failOn() verdict.Verdict {
	if o.FailOn == "" {
		return verdict.Breaks
	}
	return o.FailOn
}

// Format is one output format.
type Format struct {
	Name string // as in --format NAME[=FILE]
	Doc  string // one line for `conform run --help`
	// Write renders the report. It fails only when w does.
	Write func(w io.Writer, r *verdict.Report, o Options) error
}

var formats = map[string]Format{}

// Register adds a format; the file of a format calls it from init. A second
// format of the same name is a programming error and panics.
func Register(f Format) {
	if _, dup := formats[f.Name]; dup {
		panic("reports: format registered twice: " + f.Name)
	}
	formats[f.Name] = f
}

// Formats returns all formats ordered by name.
func Formats() []Format {
	out := make([]Format, 0, len(formats))
	for _, f := range formats {
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Names returns the names of all formats in order.
func Names() []string {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Lookup finds a format. The error names the nearest one and all there are.
func Lookup(name string) (Format, error) {
	if f, ok := formats[name]; ok {
		return f, nil
	}
	return Format{}, fmt.Errorf("no report format %q%s there are %s", name, meant(name, Names()), strings.Join(Names(), ", "))
}

// meant ends the part of an error that names a wrong word.
func meant(word string, known []string) string {
	if near := capabilities.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ";"
}
