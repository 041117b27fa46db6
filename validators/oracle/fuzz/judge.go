package main

import (
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
	if set.each && len(set.from) > 0 {
		document, instances := d.each(set.from, number, set.instances)
		return drawn{document, oracle.Request{Schema: text(document), Instances: instances}}
	}
	if len(set.from) > 0 && d.chance(2) {
		document, instances := d.mutated(set.from, set.instances)
		return drawn{document, oracle.Request{Schema: text(document), Instances: instances}}
	}
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
