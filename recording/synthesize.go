package recording

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// Synthesize makes a few values that an outputSchema describes, for samples that
// are always labelled as such: one with all optional members, one with none, one
// with null wherever null is allowed; doubles are left out. The first branch of a
// union, the first value of an enum, each position of a tuple and a plausible
// text for each format are used. The values are built for 2020-12 and are the
// same on every run, but nothing proves them: a caller validates them against the
// dialect it means. nil when nothing can be built (a dangling reference that is
// required, a pattern without an example, contradictions).
func Synthesize(output *schema.Value) []*schema.Value {
	var out []*schema.Value
	seen := map[string]bool{}
	for _, style := range []struct{ optional, nulls bool }{{true, false}, {false, false}, {true, true}} {
		g := &synthesizer{root: output, optional: style.optional, nulls: style.nulls, steps: maxSynthesisSteps, active: map[*schema.Value]int{}}
		v := g.value(output, 0)
		if v == nil || seen[v.Compact()] {
			continue
		}
		seen[v.Compact()] = true
		out = append(out, v)
	}
	return out
}

const (
	// maxSynthesisSteps bounds the subschemas that are looked at for one value.
	maxSynthesisSteps = 50_000
	// maxSynthesisDepth bounds the nesting of a value.
	maxSynthesisDepth = 40
	// maxRecursion is how often a definition may stand inside itself.
	maxRecursion = 2
	// maxElements bounds minItems, minProperties and minLength that are followed.
	maxElements = 1_000
)

// synthesizer builds one value. Its methods return nil where the schema allows
// no value that it can find.
type synthesizer struct {
	root     *schema.Value
	optional bool // optional members are there
	nulls    bool // null wherever it is allowed
	salt     int  // makes the elements of a set differ
	steps    int
	active   map[*schema.Value]int // definitions that are being built
}

func (g *synthesizer) value(s *schema.Value, depth int) *schema.Value {
	g.steps--
	if g.steps < 0 || depth > maxSynthesisDepth {
		return nil
	}
	flat, used := g.flatten(s, 0)
	if flat == nil {
		return nil
	}
	for _, definition := range used {
		if g.active[definition] >= maxRecursion {
			return nil
		}
	}
	for _, definition := range used {
		g.active[definition]++
	}
	defer func() {
		for _, definition := range used {
			g.active[definition]--
		}
	}()
	return g.build(flat, depth)
}

// build makes a value for a schema without $ref and allOf.
func (g *synthesizer) build(s *schema.Value, depth int) *schema.Value {
	if v := s.Get("const"); v != nil {
		if hasType(s, v) {
			return v
		}
		return nil
	}
	if values := schemaList(s, "enum"); values != nil {
		return g.pick(s, values)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := schemaList(s, keyword); branches != nil {
			return g.branch(s, keyword, branches, depth)
		}
	}
	types := typesOf(s)
	if g.nulls && slices.Contains(types, "null") {
		return &schema.Value{}
	}
	if len(types) == 0 && !s.Has("type") {
		types = []string{impliedType(s)}
	}
	for _, t := range types {
		if v := g.ofType(t, s, depth); v != nil {
			return v
		}
	}
	return nil
}

func (g *synthesizer) ofType(t string, s *schema.Value, depth int) *schema.Value {
	switch t {
	case "object":
		return g.object(s, depth)
	case "array":
		return g.array(s, depth)
	case "string":
		return g.text(s)
	case "integer", "number":
		return g.number(s, t == "integer")
	case "boolean":
		return schema.Flag(g.salt%2 == 0)
	case "null":
		return &schema.Value{}
	}
	return nil
}

func (g *synthesizer) pick(s *schema.Value, values []*schema.Value) *schema.Value {
	var fitting []*schema.Value
	for _, v := range values {
		switch {
		case !hasType(s, v):
		case v.Kind == schema.Null && g.nulls:
			return v
		default:
			fitting = append(fitting, v)
		}
	}
	if len(fitting) == 0 {
		return nil
	}
	return fitting[g.salt%len(fitting)]
}

// branch takes the first branch of a union for which there is a value, together
// with what stands beside the union. null comes first or last.
func (g *synthesizer) branch(s *schema.Value, keyword string, branches []*schema.Value, depth int) *schema.Value {
	rest := s.Without(keyword)
	ordered := append([]*schema.Value(nil), branches...)
	slices.SortStableFunc(ordered, func(a, b *schema.Value) int { return g.rank(a) - g.rank(b) })
	for _, b := range ordered {
		both := b
		if len(rest.Members) > 0 {
			both = schema.Obj(schema.Member{Key: "allOf", Value: schema.List(rest, b)})
		}
		if v := g.value(both, depth+1); v != nil {
			return v
		}
	}
	return nil
}

func (g *synthesizer) rank(branch *schema.Value) int {
	types := typesOf(branch)
	if len(types) != 1 || types[0] != "null" {
		return 0
	}
	if g.nulls {
		return -1
	}
	return 1
}

// impliedType guesses what a schema without a type is about.
func impliedType(s *schema.Value) string {
	for _, guess := range []struct {
		t        string
		keywords []string
	}{
		{"object", []string{"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "dependentRequired"}},
		{"array", []string{"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}},
		{"string", []string{"format", "pattern", "minLength", "maxLength", "contentEncoding"}},
		{"number", []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
	} {
		for _, keyword := range guess.keywords {
			if s.Has(keyword) {
				return guess.t
			}
		}
	}
	return "string"
}

func (g *synthesizer) object(s *schema.Value, depth int) *schema.Value {
	required := map[string]bool{}
	names := requiredOf(s)
	for _, name := range names {
		required[name] = true
	}
	dependent := s.Get("dependentRequired")
	for i := 0; i < len(names); i++ { // names grows
		for _, v := range schemaList(dependent, names[i]) {
			if name, ok := v.IsString(); ok && !required[name] {
				required[name] = true
				names = append(names, name)
			}
		}
	}
	var order []string
	placed := map[string]bool{}
	for _, m := range s.Get("properties").Unique() {
		if required[m.Key] || g.optional {
			order = append(order, m.Key)
			placed[m.Key] = true
		}
	}
	for _, name := range names {
		if !placed[name] {
			order = append(order, name)
			placed[name] = true
		}
	}
	most := bound(s, "maxProperties", maxElements)
	var members []schema.Member
	optional := most - len(required)
	for _, name := range order {
		if !required[name] {
			if optional <= 0 {
				continue
			}
			optional--
		}
		v := g.value(memberSchema(s, name), depth+1)
		switch {
		case v != nil:
			members = append(members, schema.Member{Key: name, Value: v})
		case required[name]:
			return nil
		}
	}
	return g.moreMembers(s, members, most, depth)
}

// moreMembers adds members under free names: one where the schema is a map, and
// as many as minProperties wants.
func (g *synthesizer) moreMembers(s *schema.Value, members []schema.Member, most, depth int) *schema.Value {
	least := bound(s, "minProperties", 0)
	if least > maxElements {
		return nil
	}
	isMap := s.Get("additionalProperties") != nil && s.Get("additionalProperties").Kind == schema.Object || s.Has("patternProperties")
	if g.optional && isMap && len(members) < most && !s.Has("properties") {
		least = max(least, len(members)+1)
	}
	for n := 1; len(members) < least; n++ {
		name := g.freeName(s, n, depth)
		v := g.value(memberSchema(s, name), depth+1)
		if n > least+maxElements || v == nil {
			return nil
		}
		if !slices.ContainsFunc(members, func(m schema.Member) bool { return m.Key == name }) {
			members = append(members, schema.Member{Key: name, Value: v})
		}
	}
	return schema.Obj(members...)
}

func (g *synthesizer) freeName(s *schema.Value, n, depth int) string {
	if rule := s.Get("propertyNames"); rule != nil {
		salt := g.salt
		g.salt = n - 1
		v := g.value(schema.Obj(schema.Member{Key: "allOf", Value: schema.List(rule, schema.MustParse(`{"type":"string"}`))}), depth+1)
		g.salt = salt
		if text, ok := v.IsString(); ok {
			return text
		}
	}
	for _, m := range s.Get("patternProperties").Unique() {
		if text, ok := matching(m.Key, n-1); ok {
			return text
		}
	}
	return "key" + strconv.Itoa(n)
}

// memberSchema returns what the schema says about a member of that name.
func memberSchema(s *schema.Value, name string) *schema.Value {
	var all []*schema.Value
	if v := s.Get("properties").Get(name); v != nil {
		all = append(all, v)
	}
	for _, m := range s.Get("patternProperties").Unique() {
		if re, err := regexp.Compile(m.Key); err == nil && re.MatchString(name) {
			all = append(all, m.Value)
		}
	}
	switch rest := s.Get("additionalProperties"); {
	case len(all) == 1:
		return all[0]
	case len(all) > 1:
		return schema.Obj(schema.Member{Key: "allOf", Value: schema.List(all...)})
	case rest != nil:
		return rest
	}
	return schema.Obj()
}

func (g *synthesizer) array(s *schema.Value, depth int) *schema.Value {
	prefix, rest := schemaList(s, "prefixItems"), s.Get("items")
	if rest != nil && rest.Kind == schema.Array { // the tuples of draft-07
		prefix, rest = rest.Items, s.Get("additionalItems")
	}
	least, most := bound(s, "minItems", 0), bound(s, "maxItems", maxElements)
	contains := s.Get("contains")
	if least > maxElements || least > most {
		return nil
	}
	n := least
	if g.optional {
		n = min(max(n, len(prefix), 1), most)
	}
	if contains != nil {
		n = max(n, len(prefix)+max(1, bound(s, "minContains", 1)))
	}
	salt := g.salt
	defer func() { g.salt = salt }()
	var items []*schema.Value
	for i := range n {
		if s.Get("uniqueItems").IsTrue() {
			g.salt = i
		}
		v := g.value(elementSchema(prefix, rest, contains, i), depth+1)
		if v == nil || s.Get("uniqueItems").IsTrue() && slices.ContainsFunc(items, func(other *schema.Value) bool { return schema.Equal(other, v) }) {
			if len(items) >= least && contains == nil {
				break
			}
			return nil
		}
		items = append(items, v)
	}
	return schema.List(items...)
}

func elementSchema(prefix []*schema.Value, rest, contains *schema.Value, i int) *schema.Value {
	element := rest
	switch {
	case i < len(prefix):
		return prefix[i]
	case element == nil:
		element = schema.Obj()
	}
	if contains == nil {
		return element
	}
	return schema.Obj(schema.Member{Key: "allOf", Value: schema.List(element, contains)})
}

// bound reads a non-negative whole number.
func bound(s *schema.Value, keyword string, otherwise int) int {
	r, ok := s.Get(keyword).Exact()
	if !ok || r.Sign() < 0 {
		return otherwise
	}
	f, _ := r.Float64()
	return int(min(f, 1e9))
}
