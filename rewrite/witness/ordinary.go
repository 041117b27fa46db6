package witness

import (
	"math"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ground"
)

// alphabet is the set of texts and characters that count as ordinary for one
// schema: printable ASCII, and whatever the schema itself spells out.
type alphabet struct{ runes map[rune]bool }

func alphabetOf(document *schema.Value) alphabet {
	a := alphabet{map[rune]bool{}}
	var add func(v *schema.Value, depth int)
	add = func(v *schema.Value, depth int) {
		if v == nil || depth > maxDepth*4 {
			return
		}
		for _, r := range v.Text {
			if v.Kind == schema.String {
				a.runes[r] = true
			}
		}
		for _, item := range v.Items {
			add(item, depth+1)
		}
		for _, m := range v.Members {
			for _, r := range m.Key {
				a.runes[r] = true
			}
			add(m.Value, depth+1)
		}
	}
	add(document, 0)
	return a
}

// ordinary reports whether a server may well send v.
func (a alphabet) ordinary(v *schema.Value) bool {
	switch v.Kind {
	case schema.String:
		return a.text(v.Text)
	case schema.Number:
		return ordinaryNumber(v)
	case schema.Array:
		for _, item := range v.Items {
			if !a.ordinary(item) {
				return false
			}
		}
	case schema.Object:
		for _, m := range v.Members {
			if ground.Inherited[m.Key] || !a.text(m.Key) || !a.ordinary(m.Value) {
				return false
			}
		}
	}
	return true
}

func (a alphabet) text(s string) bool {
	for _, r := range s {
		if (r < ' ' || r > '~') && !a.runes[r] {
			return false
		}
	}
	return true
}

// ordinaryNumber: a whole number that a double holds exactly, or a short
// fraction, written without an exponent.
func ordinaryNumber(v *schema.Value) bool {
	f := v.Float()
	if len(v.Text) > 17 || math.IsInf(f, 0) || math.Abs(f) > 1<<53 || v.Text == "-0" {
		return false
	}
	for _, c := range v.Text {
		if c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}
