package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// drawer draws JSON texts.
type drawer struct{ *rand.Rand }

func (d drawer) one(of ...string) string { return of[d.IntN(len(of))] }

// chance is true n times of a hundred.
func (d drawer) chance(n int) bool { return d.IntN(100) < n }

func quote(s string) string { return schema.Str(s).Compact() }

func (d drawer) key() string {
	return d.one("a", "b", "Key", "10", "2", "é", "x y", "type", "$v", "a-b")
}

func (d drawer) words() string {
	var out []string
	for range 1 + d.IntN(7) {
		out = append(out, d.one("river", "OK", "null", "true", "3.50", "a|b", "<b>x</b>", "温度", "🚢", "{\"k\":1}", "[1,2]", "`code`", "tab\there", "\\n", "%s", "$x", "# h", "\u2028", "a&amp;b", "'q'", "\"q\"", "\u0007", "…"))
	}
	return strings.Join(out, d.one(" ", " ", "\n", "\n\n", "\r\n"))
}

// value draws any JSON value, at most deep levels of it.
func (d drawer) value(deep int) string {
	if deep == 0 || d.chance(40) {
		return d.one("null", "true", "false", "0", "-1", "7", "1.0", "0.1", "1e21", "12345678901234567890", "-0.0", "1E2", `""`, `"w"`, `"é x"`, `"<t>&"`, `"a\nb"`, `"\u0000"`)
	}
	if d.chance(40) {
		return d.array(func() string { return d.value(deep - 1) })
	}
	return d.object(func() string { return d.value(deep - 1) })
}

func (d drawer) array(item func() string) string {
	var items []string
	for range d.IntN(4) {
		items = append(items, item())
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (d drawer) object(member func() string) string {
	var members []string
	seen := map[string]bool{}
	for range d.IntN(4) {
		if key := d.key(); !seen[key] {
			seen[key] = true
			members = append(members, quote(key)+": "+member())
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// wrong changes one place of a value by chance: another type, null, gone, or more.
func (d drawer) wrong(text string) string {
	v := schema.MustParse(text)
	var places []*schema.Value
	var gather func(v *schema.Value)
	gather = func(v *schema.Value) {
		places = append(places, v)
		for _, item := range v.Items {
			gather(item)
		}
		for _, m := range v.Members {
			gather(m.Value)
		}
	}
	gather(v)
	at := places[d.IntN(len(places))]
	if at == v && d.chance(70) { // the whole result more seldom than a place in it
		at = places[d.IntN(len(places))]
	}
	*at = *d.other(at)
	return v.Compact()
}

// other draws what stands in for a value.
func (d drawer) other(v *schema.Value) *schema.Value {
	switch {
	case v.Kind == schema.Object && len(v.Members) > 0 && d.chance(45):
		return v.Without(v.Members[d.IntN(len(v.Members))].Key)
	case v.Kind == schema.Object && d.chance(25):
		return v.With(d.key(), schema.MustParse(d.value(1)))
	case v.Kind == schema.String && d.chance(40):
		return schema.Str(d.one("", " ", strings.ToUpper(v.Text), v.Text+"x"))
	}
	return schema.MustParse(d.value(1))
}

// optional draws members that may stand beside others, each with a chance.
func (d drawer) optional(percent int, members ...string) string {
	var out strings.Builder
	for _, m := range members {
		if d.chance(percent) {
			fmt.Fprintf(&out, ", %s", m)
		}
	}
	return out.String()
}
