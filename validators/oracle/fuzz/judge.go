package main

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/oracle"
)

// drawn is one generated question.
type drawn struct {
	document *schema.Value
	request  oracle.Request
}

// draw generates the question of that number; seed and number decide everything.
func draw(set settings, number uint64) drawn {
	d := newDice(set.seed, number)
	document := d.document()
	return drawn{document, oracle.Request{Schema: text(document), Instances: d.instances(document, set.instances)}}
}

// judge asks both sides about the cases and books what differs.
func judge(profile string, set settings, p pair, cases []drawn, count *tally, book *book) error {
	requests := make([]oracle.Request, len(cases))
	for i, c := range cases {
		requests[i] = c.request
	}
	type reply struct {
		answers []*oracle.Answer
		err     error
	}
	asked := make(chan reply, 1)
	go func() { // the original works while the emulation does
		answers, err := p.original(requests)
		asked <- reply{answers, err}
	}()
	emulated := make([]oracle.Answer, len(cases))
	failed := make([]error, len(cases))
	for i, r := range requests {
		emulated[i], failed[i] = p.emulated(r)
	}
	originals := <-asked
	if originals.err != nil {
		return originals.err
	}
	for i, c := range cases {
		count.schemas++
		count.pairs += len(c.request.Instances)
		if originals.answers[i] == nil {
			continue
		}
		count.saw(len(c.request.Instances), *originals.answers[i])
		for _, d := range compare(profile, c.request, *originals.answers[i], emulated[i], failed[i]) {
			if d.kind == words && !set.words {
				continue
			}
			count.by[d.kind]++
			if d.kind == unknown {
				count.reasons[strings.TrimPrefix(d.emulated, "unknown: ")]++
				continue
			}
			book.add(profile, c, d)
		}
	}
	return nil
}

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

// print shrinks and prints what was booked, one of each shape.
func (b *book) print(p pair) error {
	printed := map[string]bool{}
	for i, f := range b.findings {
		small, err := shrink(p, f)
		if err != nil {
			return err
		}
		r := small.request()
		construct := oracle.Construct{ID: fmt.Sprintf("fuzz-%s-%d", f.profile, i+1), Family: "fuzz", Request: r}
		if printed[r.Schema] {
			continue
		}
		printed[r.Schema] = true
		fmt.Printf("%s (%s)\n\toriginal %s\n\temulated %s\n", construct.Line(), f.kind, small.diff.original, small.diff.emulated)
	}
	return nil
}
