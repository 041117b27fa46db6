package witness

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

// member is one declared member of an object and the schemas that hold for it.
type member struct {
	name     string
	parts    []*schema.Value
	required bool
}

// objects returns objects: all optional members, none, and then one variation at
// a time, every member in turn.
func (m *maker) objects(c conj, depth, limit int) []*schema.Value {
	members := m.membersOf(c)
	choices := make([][]*schema.Value, len(members))
	for i, member := range members {
		choices[i] = m.values(member.parts, depth+1, limit)
	}
	assemble := func(optional bool, change int, value *schema.Value, extra ...schema.Member) *schema.Value {
		var out []schema.Member
		for i, member := range members {
			switch {
			case i == change && value == nil: // left out
			case i == change:
				out = append(out, schema.Member{Key: member.name, Value: value})
			case len(choices[i]) > 0 && (member.required || optional):
				out = append(out, schema.Member{Key: member.name, Value: choices[i][0]})
			}
		}
		return m.fillUp(c, schema.Obj(append(out, extra...)...), depth)
	}
	lists := [][]*schema.Value{{assemble(true, -1, nil), assemble(false, -1, nil)}, nil}
	for _, extra := range m.extras(c, members, depth, limit) {
		lists[1] = append(lists[1], assemble(false, -1, nil, extra))
	}
	var each [][]*schema.Value
	for i, member := range members {
		var varied []*schema.Value
		for n, value := range choices[i] {
			if n > 0 || !member.required {
				varied = append(varied, assemble(false, i, value))
			}
		}
		if !m.allPlain(member.parts) || member.required {
			varied = append(varied, assemble(true, i, nil)) // its absence alone
		}
		each = append(each, varied)
	}
	turns := takeTurns(members, each)
	if turns == nil {
		return interleave(append(lists, each...), limit)
	}
	first := interleave(append(lists, turns...), limit)
	return interleave([][]*schema.Value{append(first, interleave(each, limit)...)}, limit)
}

// takeTurns merges the variations of members that are alike: the first of one, the
// second of the next, so that forty texts with bounds do not use up what is left for
// the one member that differs.
func takeTurns(members []member, each [][]*schema.Value) [][]*schema.Value {
	var kinds []string
	alike := map[string][]int{}
	for i, m := range members {
		var b strings.Builder
		for _, p := range m.parts {
			kindOf(&b, p, 0)
		}
		if len(alike[b.String()]) == 0 {
			kinds = append(kinds, b.String())
		}
		alike[b.String()] = append(alike[b.String()], i)
	}
	if len(kinds) == len(members) {
		return nil
	}
	var out [][]*schema.Value
	for _, k := range kinds {
		var turns []*schema.Value
		for n := range maxEach {
			if list := each[alike[k][n%len(alike[k])]]; n < len(list) {
				turns = append(turns, list[n])
			}
		}
		out = append(out, turns)
	}
	return out
}

// kindOf writes what a schema is without its words: annotations are left out, and of
// a number only its size.
func kindOf(b *strings.Builder, s *schema.Value, depth int) {
	switch {
	case s == nil || depth > maxDepth:
	case s.Kind == schema.Number:
		b.WriteByte('#')
		b.WriteByte(byte('0' + min(len(s.Text), 30)/3))
	case s.Kind == schema.Object:
		b.WriteByte('{')
		for _, m := range s.Members {
			if m.Key != "description" && m.Key != "title" {
				b.WriteString(m.Key + ":")
				kindOf(b, m.Value, depth+1)
			}
		}
		b.WriteByte('}')
	case s.Kind == schema.Array:
		b.WriteByte('[')
		for _, item := range s.Items {
			kindOf(b, item, depth+1)
		}
		b.WriteByte(']')
	default:
		b.WriteString(s.Compact() + ",")
	}
}

// membersOf lists every name that the parts declare, demand or make others depend on.
func (m *maker) membersOf(c conj) []member {
	var out []member
	index := map[string]int{}
	add := func(name string) int {
		if i, ok := index[name]; ok {
			return i
		}
		index[name] = len(out)
		out = append(out, member{name: name, parts: m.memberParts(c, name)})
		return len(out) - 1
	}
	for _, properties := range c.all("properties") {
		for _, p := range properties.Unique() {
			add(p.Key)
		}
	}
	for _, s := range c {
		for _, name := range s.StringsOf("required") {
			out[add(name)].required = true
		}
		for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
			for _, d := range s.Get(keyword).Unique() {
				add(d.Key)
			}
		}
	}
	return out
}

// memberParts returns what the parts say about a member of that name.
func (m *maker) memberParts(c conj, name string) []*schema.Value {
	var out []*schema.Value
	for _, s := range c {
		declared := false
		if v := s.Get("properties").Get(name); v != nil {
			out, declared = append(out, v), true
		}
		for _, p := range s.Get("patternProperties").Unique() {
			if m.matches(p.Key, name) {
				out, declared = append(out, p.Value), true
			}
		}
		if rest := s.Get("additionalProperties"); rest != nil && !declared && rest.Kind == schema.Object {
			out = append(out, rest)
		}
	}
	if len(out) == 0 {
		out = append(out, schema.Obj())
	}
	return out
}

// extras are members that the schema does not declare: free names, names that
// patternProperties and propertyNames speak about, and names with a meaning in
// JavaScript.
func (m *maker) extras(c conj, members []member, depth, limit int) []schema.Member {
	var names []string
	for _, s := range c {
		for _, p := range s.Get("patternProperties").Unique() {
			names = append(names, textsMatching(p.Key, 4)...)
		}
		if rule := s.Get("propertyNames"); rule != nil {
			for _, v := range m.values([]*schema.Value{rule, schema.MustParse(`{"type":"string"}`)}, depth+1, 8) {
				if text, ok := v.IsString(); ok {
					names = append(names, text)
				}
			}
		}
	}
	names = append(names, "extra")
	if depth == 0 || c.has("patternProperties", "propertyNames", "additionalProperties", "unevaluatedProperties") {
		names = append(names, "", "a.b", "__proto__", "toString", "é", "0")
	}
	var out []schema.Member
	for _, name := range names {
		if len(out) >= limit {
			break
		}
		known := false
		for _, member := range members {
			known = known || member.name == name
		}
		if known {
			continue
		}
		most := 2
		if name == "extra" || c.has("patternProperties") {
			most = maxEach
		}
		for _, value := range m.values(m.memberParts(c, name), depth+1, most) {
			out = append(out, schema.Member{Key: name, Value: value})
		}
	}
	return out[:min(len(out), limit)]
}

// fillUp adds members until minProperties is met.
func (m *maker) fillUp(c conj, v *schema.Value, depth int) *schema.Value {
	least := min(c.most("minProperties", 0), maxElements)
	for n := 1; len(v.Members) < least && n <= maxElements; n++ {
		name := "key" + strconv.Itoa(n)
		if values := m.values(m.memberParts(c, name), depth+1, 1); len(values) > 0 && !v.Has(name) {
			v = schema.Obj(append(append([]schema.Member(nil), v.Members...), schema.Member{Key: name, Value: values[0]})...)
		}
	}
	return v
}

// matches reports whether an ECMA-262 pattern matches; false when it can't be read,
// and when the schema has had its share of matches: names and patterns may be
// thousands each.
func (m *maker) matches(pattern, text string) bool {
	if m.matchesLeft--; m.matchesLeft < 0 {
		return false
	}
	re, err := m.patterns.Compile(regex.ECMA, pattern)
	if err != nil {
		return false
	}
	ok, err := re.MatchString(text)
	return ok && err == nil
}
