package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/oracle"
)

// book keeps some findings to shrink, those first whose words were not seen yet.
type book struct {
	limit    int
	findings []finding
	seen     map[string]bool
}

func newBook(limit int) *book { return &book{limit: limit, seen: map[string]bool{}} }

// add books a difference unless one like it is there already.
func (b *book) add(profile string, c drawn, d difference) {
	like := d.kind.String() + "|" + skeleton(d.original) + "|" + skeleton(d.emulated)
	if b.seen[like] || len(b.findings) >= b.limit {
		return
	}
	b.seen[like] = true
	f := finding{profile: profile, kind: d.kind, schema: c.document, diff: d}
	if d.instance >= 0 {
		instance, err := schema.ParseString(c.request.Instances[d.instance])
		if err != nil {
			return // a generated instance always parses
		}
		f.instance = instance
	}
	b.findings = append(b.findings, f)
}

// skeleton is a text without its numbers, quoted parts and paths, so that the
// same cause at another place reads alike.
func skeleton(s string) string {
	var out []rune
	quoted := false
	for _, r := range s {
		switch {
		case r == '"' || r == '\'':
			quoted = !quoted
		case quoted || r >= '0' && r <= '9':
			continue
		case r == ' ' || r == ':' || r == ',' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
			out = append(out, r)
		}
		if len(out) > 60 {
			break
		}
	}
	return string(out)
}

// print shrinks and prints what was booked, one of each shape, and returns it.
func (b *book) print(p pair) ([]oracle.Construct, error) {
	var out []oracle.Construct
	printed := map[string]bool{}
	for _, f := range b.findings {
		small, err := shrink(p, f)
		if err != nil {
			return out, err
		}
		construct := small.construct()
		if printed[construct.ID] {
			continue
		}
		printed[construct.ID] = true
		fmt.Printf("%s (%s)\n\toriginal %s\n\temulated %s\n", construct.Line(), f.kind, small.diff.original, small.diff.emulated)
		out = append(out, construct)
	}
	return out, nil
}

// construct names the finding after its content, so that one found twice is one.
func (f finding) construct() oracle.Construct {
	r := f.request()
	sum := sha256.Sum256([]byte(r.Line()))
	return oracle.Construct{ID: "fuzz-" + hex.EncodeToString(sum[:5]), Family: "fuzz", Request: r}
}

// keep appends the constructs that the file does not have yet.
func keep(name string, found []oracle.Construct) error {
	known, err := oracle.ReadConstructs(name)
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, c := range known {
		ids[c.ID] = true
	}
	var b strings.Builder
	for _, c := range found {
		if !ids[c.ID] {
			b.WriteString(c.Line() + "\n")
		}
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
