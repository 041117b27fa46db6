package witness

import (
	"sort"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// candidate is one generated instance.
type candidate struct {
	value    *schema.Value
	ordinary bool
}

// book holds the instances of one schema with the verdict of its own dialect.
type book struct {
	once      sync.Once
	alphabet  alphabet
	accepted  []candidate
	forbidden []candidate
	generated int
}

// maxInstanceBytes bounds one instance; longer ones are dropped.
const maxInstanceBytes = 64 << 10

// maxUndecided is how many instances may be undecided before the rest is left out; one
// is enough when a validator had to use up its budget to say so (a pattern that runs
// away).
const maxUndecided = 2

func (b *book) fill(output *schema.Value, own validators.Validator, options Options) {
	b.alphabet = alphabetOf(output)
	m := newMaker(output, options)
	seen := make(map[string]bool, options.Budget)
	undecided := 0
	for _, v := range m.instances(options.Budget) {
		if undecided > maxUndecided {
			break
		}
		text := v.Compact()
		if seen[text] || len(text) > maxInstanceBytes {
			continue
		}
		seen[text] = true
		c := candidate{value: v, ordinary: b.alphabet.ordinary(v)}
		b.generated++
		r := own.Validate(v)
		switch r.Outcome {
		case validators.Valid:
			b.accepted = append(b.accepted, c)
		case validators.Invalid:
			b.forbidden = append(b.forbidden, c)
		default:
			undecided++
		}
		if r.Exhausted() {
			break
		}
	}
	// Ordinary ones first: what they show needs the least explanation.
	for _, list := range [][]candidate{b.accepted, b.forbidden} {
		sort.SliceStable(list, func(i, j int) bool {
			return list[i].ordinary && !list[j].ordinary
		})
	}
}

// compare asks the host about every instance and shrinks what it rejects.
func (b *book) compare(host validators.Validator, own *ownDialect, answer *Answer) {
	answer.Generated, answer.Accepted = b.generated, len(b.accepted)
	ordinary, refused := 0, 0
	reasons := map[string]bool{}
	undecided := 0
	for _, c := range b.accepted {
		r := host.Validate(c.value)
		if r.Outcome == validators.Unknown {
			if undecided++; undecided > maxUndecided || r.Exhausted() {
				undecided = maxUndecided + 1
				break
			}
		}
		if c.ordinary {
			ordinary++
		}
		if r.Outcome != validators.Invalid && r.Outcome != validators.Thrown {
			continue
		}
		if c.ordinary {
			refused++
		}
		w := b.witness(c.value, r)
		if reasons[w.reason()] || len(answer.Witnesses) >= maxWitnesses && !w.Ordinary {
			continue
		}
		// A text that breaks a format is shown as generated: "" would show it too, and
		// tell nobody what happens to a time without an offset.
		small := shrink(c.value, w.Keyword != "format", func(v *schema.Value) bool {
			if own.validator().Validate(v).Outcome != validators.Valid {
				return false
			}
			s := b.witness(v, host.Validate(v))
			return (s.Outcome == validators.Invalid || s.Outcome == validators.Thrown) && s.reason() == w.reason()
		})
		w = b.witness(small, host.Validate(small))
		reasons[w.reason()] = true
		answer.Witnesses = append(answer.Witnesses, w)
	}
	sort.SliceStable(answer.Witnesses, func(i, j int) bool {
		return answer.Witnesses[i].Ordinary && !answer.Witnesses[j].Ordinary
	})
	answer.Witnesses = answer.Witnesses[:min(len(answer.Witnesses), maxWitnesses)]
	answer.RefusesAll = ordinary > 0 && refused == ordinary
	for _, c := range b.forbidden {
		if undecided > maxUndecided {
			return
		}
		if r := host.Validate(c.value); r.Outcome == validators.Valid {
			small := shrink(c.value, true, func(v *schema.Value) bool {
				return own.validator().Validate(v).Outcome == validators.Invalid && host.Validate(v).Outcome == validators.Valid
			})
			w := b.witness(small, own.validator().Validate(small))
			w.Outcome = validators.Valid
			answer.Lenient = &w
			return
		}
	}
}

// witness describes the host's result for an instance. The reason of a rejection
// is the host's first violation, except that of a union: its branches come first
// there and are no reason of their own.
func (b *book) witness(v *schema.Value, r validators.Result) Witness {
	w := Witness{Instance: v, Outcome: r.Outcome, Text: r.Text, Ordinary: b.alphabet.ordinary(v)}
	if len(r.Violations) > 0 {
		w.Keyword, w.Schema = r.Violations[0].Keyword, r.Violations[0].Schema
		for _, violation := range r.Violations {
			if violation.Keyword == "format" {
				w.Ordinary = false
			}
		}
	}
	return w
}

// reason tells witnesses apart: the same keyword at the same place, or the same
// sort of exception, is the same fault.
func (w Witness) reason() string {
	switch {
	case w.Outcome == validators.Thrown:
		return "thrown"
	case w.Keyword == "format":
		return "format" // one is enough: no two libraries agree about texts of a format
	}
	return w.Keyword + " " + w.Schema.String()
}
