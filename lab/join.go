package lab

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/lab/observe"
)

// sameKind says that a person served both files to a host of their own. What they
// added behind the semicolon (who ran it) makes no difference.
func (f File) sameKind(old *File) bool {
	now, _, served := strings.Cut(f.Header.Origin, ";")
	before, _, _ := strings.Cut(old.Header.Origin, ";")
	return served && now == before
}

// join adds what an earlier sitting of the same person recorded: a few servers now,
// the others another day. What was asked again is taken from now, and who ran it
// stays written.
func (f File) join(old *File) File {
	for _, l := range old.Lines {
		if !slices.ContainsFunc(f.Lines, func(n observe.Line) bool { return n.Mode == l.Mode && n.Probe == l.Probe }) {
			f.Lines = append(f.Lines, l)
		}
	}
	f.Header.Origin = old.Header.Origin
	return f
}
