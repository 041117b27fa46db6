package agreement

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Figure is how often a profile agrees.
type Figure struct {
	Answers, SameOutcome int
	// Texts counts the answers with words on both sides.
	Texts, SameText int
	// Unknown counts the answers that the profile declines to give.
	Unknown int
	// Differences describe the first disagreements, one line each.
	Differences []string
}

func (f Figure) String() string {
	return fmt.Sprintf("outcome %d of %d (%s), text %d of %d (%s), unknown %d",
		f.SameOutcome, f.Answers, percent(f.SameOutcome, f.Answers), f.SameText, f.Texts, percent(f.SameText, f.Texts), f.Unknown)
}

func percent(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(part)/float64(whole))
}

// TextEqual compares words; profiles may look at a part of them.
type TextEqual func(want, got string) bool

// Exact compares whole texts.
func Exact(want, got string) bool { return want == got }

// FirstParagraph compares what stands before the first blank line.
func FirstParagraph(want, got string) bool {
	w, _, _ := strings.Cut(want, "\n\n")
	g, _, _ := strings.Cut(got, "\n\n")
	return w == g
}

// Measure runs the profile over the cases.
func Measure(profile string, cases []Case, same TextEqual) (f Figure) {
	for _, c := range cases {
		got := answer(profile, c)
		for i, want := range c.Want {
			f.Answers++
			g := got[min(i, len(got)-1)]
			if g.Outcome == "unknown" {
				f.Unknown++
			}
			if !sameOutcome(want.Outcome, g.Outcome) {
				f.Differences = append(f.Differences, difference(c, i, want, g))
				continue
			}
			f.SameOutcome++
			if !want.HasText || want.Text == "" {
				continue
			}
			f.Texts++
			if same(want.Text, g.Text) || want.Cut && strings.HasPrefix(g.Text, want.Text) {
				f.SameText++
			} else {
				f.Differences = append(f.Differences, difference(c, i, want, g))
			}
		}
	}
	return f
}

func sameOutcome(want, got string) bool {
	return want == got || want == "exception" && (got == "thrown" || got == "compile error")
}

func difference(c Case, i int, want, got Answer) string {
	return fmt.Sprintf("%s %.300s => %.150s: want %s %.400q, got %s %.400q", c.ID, c.Schema,
		append(c.Instances, "")[i], want.Outcome, want.Text, got.Outcome, got.Text)
}

func answer(profile string, c Case) []Answer {
	document, err := schema.ParseString(c.Schema)
	if err != nil {
		return []Answer{{Outcome: "unknown", Text: err.Error()}}
	}
	v, err := validators.Compile(profile, document)
	var refused *validators.CompileError
	var unknown *validators.UnknownError
	switch {
	case errors.As(err, &refused):
		return []Answer{{"compile error", refused.Text, true, false}}
	case errors.As(err, &unknown):
		return []Answer{{"unknown", unknown.Reason, true, false}}
	case err != nil:
		return []Answer{{"unknown", err.Error(), true, false}}
	}
	var out []Answer
	for _, text := range c.Instances {
		instance, err := schema.ParseString(text)
		if err != nil {
			out = append(out, Answer{Outcome: "unknown", Text: err.Error()})
			continue
		}
		r := v.Validate(instance)
		out = append(out, Answer{r.Outcome.String(), r.Text, true, false})
	}
	return out
}
