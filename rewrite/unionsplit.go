package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/schema"
)

var unionSplit = Rewrite{
	Name: "union-split", Title: "Give each branch of a discriminated union a member of its own",
	Doc: "For hosts and model APIs that refuse unions, or keep one branch: an object with one member per branch, named after the branch, of which " +
		"exactly one is sent, keeps every branch whole, with what is required in it.",
	Condition: "oneOf or anyOf whose branches are objects that require one member with another constant text each and don't refer back to it",
	Loss:      "the shape: the discriminator becomes the name of the member that holds the rest, in the server's code too",
	Before:    `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{}},"required":["kind"]}]}`,
	After: `{"type":"object","properties":{"a":{"type":"object","properties":{"x":{}},"required":["x"]},"b":{"type":"object","properties":{"y":{}}}},` +
		`"minProperties":1,"maxProperties":1,"additionalProperties":false}`,
	Cost: 3,
	Apply: func(root *schema.Value) (*schema.Value, bool) {
		s := splitterOf(root)
		out := s.rebuilt(root)
		if s.endless {
			return root, false
		}
		return out, out != root
	},
	Reshape: func(old, data *schema.Value) *schema.Value { return splitterOf(old).reshaped(old, data, 0) },
}

// union is a discriminated union: branches by the text of the member tag.
type union struct {
	tag      string
	names    []string
	branches []*schema.Value // resolved; each holds its tag still
}

// splitter knows the discriminated unions of a document that data can be followed to:
// a union below not, if or contains stays, since the data there have no shape of their own.
type splitter struct {
	root   *schema.Value
	unions map[*schema.Value]*union
	seen   map[*schema.Value]bool
	open   map[*schema.Value]bool // being split
	splits int
	// endless: a union comes back to itself through the references of its branches, which
	// are written out, or they grow without measure.
	endless bool
	// done holds what data became, by the schema and the data they were read with.
	done map[[2]*schema.Value]*schema.Value
}

func splitterOf(root *schema.Value) *splitter {
	s := &splitter{root: root, unions: map[*schema.Value]*union{}, seen: map[*schema.Value]bool{},
		open: map[*schema.Value]bool{}, done: map[[2]*schema.Value]*schema.Value{}}
	s.find(root, 0)
	return s
}

// maxSplits bounds the unions of one document that are split, those in branches that are
// written out more than once counted each time.
const maxSplits = 200

// maxFollowed bounds how deep references and data are followed.
const maxFollowed = 200

func (s *splitter) find(v *schema.Value, depth int) {
	if v == nil || v.Kind != schema.Object || s.seen[v] || depth > maxFollowed {
		return
	}
	s.seen[v] = true
	if u := s.unionAt(v); u != nil {
		s.unions[v] = u
		for _, b := range u.branches {
			s.find(b, depth+1)
		}
		return
	}
	s.find(target(s.root, v), depth+1)
	for _, keyword := range []string{"items", "additionalItems", "additionalProperties"} {
		s.find(v.Get(keyword), depth+1)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"} {
		for _, b := range v.ListOf(keyword) {
			s.find(b, depth+1)
		}
	}
	for _, m := range v.Get("properties").Unique() {
		s.find(m.Value, depth+1)
	}
}

// besideUnion may stand beside the branches; it says nothing about data, or nothing
// that the branches do not say.
var besideUnion = []string{"type", "title", "description", "$comment", "discriminator", "$schema", "$id", "$defs", "definitions"}

// inBranch are the keywords of a branch that hold without the discriminator too.
var inBranch = []string{"type", "title", "description", "$comment", "properties", "required", "additionalProperties"}

func (s *splitter) unionAt(v *schema.Value) *union {
	keyword := "oneOf"
	if !v.Has(keyword) {
		keyword = "anyOf"
	}
	listed := v.ListOf(keyword)
	kind, typed := v.Get("type").IsString()
	if len(listed) < 2 || v.Has("type") && kind != "object" {
		return nil
	}
	for _, m := range v.Unique() {
		if m.Key != keyword && !slices.Contains(besideUnion, m.Key) {
			return nil
		}
	}
	u := &union{}
	for _, b := range listed {
		if t := target(s.root, b); t != nil && len(b.Members) == 1 {
			b = t
		}
		if b == nil || b.Kind != schema.Object || b.Get("properties") == nil {
			return nil
		}
		if name, _ := b.Get("type").IsString(); name != "object" && (b.Has("type") || !typed) {
			return nil // something else than an object fits
		}
		for _, m := range b.Unique() {
			if !slices.Contains(inBranch, m.Key) {
				return nil
			}
		}
		u.branches = append(u.branches, b)
	}
	for _, m := range u.branches[0].Get("properties").Unique() {
		if u.names = discriminated(u.branches, m.Key); u.names != nil {
			u.tag = m.Key
			return u
		}
	}
	return nil
}

// discriminated are the texts by which a required member tells the branches apart, nil
// when it does not.
func discriminated(branches []*schema.Value, tag string) (names []string) {
	for _, b := range branches {
		kind := b.Get("properties").Get(tag)
		name, ok := kind.Get("const").IsString()
		if values := kind.ListOf("enum"); !ok && len(values) == 1 {
			name, ok = values[0].IsString()
		}
		if !ok || slices.Contains(names, name) || !slices.Contains(b.StringsOf("required"), tag) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// rebuilt is a schema with its unions split; without any it is the same value.
func (s *splitter) rebuilt(v *schema.Value) *schema.Value {
	if v == nil || v.Kind != schema.Object {
		return v
	}
	if u := s.unions[v]; u != nil {
		return s.split(v, u)
	}
	out := v
	for _, m := range v.Unique() {
		place, ok := schema.PlaceOf(m.Key)
		if !ok {
			continue
		}
		var now *schema.Value
		switch {
		case m.Value.Kind == schema.Array:
			now = s.rebuiltList(m.Value)
		case place == schema.SchemaMap || place == schema.MapOrLists:
			now = s.rebuiltMap(m.Value)
		default:
			now = s.rebuilt(m.Value)
		}
		if now != m.Value {
			out = out.With(m.Key, now)
		}
	}
	return out
}

func (s *splitter) rebuiltList(list *schema.Value) *schema.Value {
	items, changed := make([]*schema.Value, len(list.Items)), false
	for i, item := range list.Items {
		items[i] = s.rebuilt(item)
		changed = changed || items[i] != item
	}
	if !changed {
		return list
	}
	return schema.List(items...)
}

func (s *splitter) rebuiltMap(v *schema.Value) *schema.Value {
	out := v
	for _, m := range v.Unique() {
		if now := s.rebuilt(m.Value); now != m.Value {
			out = out.With(m.Key, now)
		}
	}
	return out
}

func (s *splitter) split(v *schema.Value, u *union) *schema.Value {
	if s.splits++; s.splits > maxSplits || s.open[v] {
		s.endless = true
	}
	if s.endless {
		return v
	}
	s.open[v] = true
	defer delete(s.open, v)
	var members []schema.Member
	for i, name := range u.names {
		branch := s.rebuilt(u.branches[i])
		branch = branch.With("properties", branch.Get("properties").Without(u.tag))
		required := slices.DeleteFunc(slices.Clone(branch.ListOf("required")), func(r *schema.Value) bool {
			text, _ := r.IsString()
			return text == u.tag
		})
		if branch = branch.Without("required"); len(required) > 0 {
			branch = branch.With("required", schema.List(required...))
		}
		if !branch.Has("type") {
			branch = branch.With("type", schema.Str("object"))
		}
		members = append(members, schema.Member{Key: name, Value: branch})
	}
	out := v.Without("oneOf", "anyOf", "discriminator").With("type", schema.Str("object")).With("properties", schema.Obj(members...))
	for _, keyword := range []string{"$defs", "definitions"} {
		if definitions := v.Get(keyword); definitions != nil {
			out = out.With(keyword, s.rebuiltMap(definitions))
		}
	}
	return out.With("minProperties", schema.Num(1)).With("maxProperties", schema.Num(1)).With("additionalProperties", schema.MustParse("false"))
}

// reshaped are data that fit v in the shape that the split schema asks for; the same
// value when no union is in them.
func (s *splitter) reshaped(v, data *schema.Value, depth int) *schema.Value {
	if v == nil || v.Kind != schema.Object || depth > maxFollowed || data.Kind != schema.Object && data.Kind != schema.Array {
		return data
	}
	read := [2]*schema.Value{v, data}
	if out, ok := s.done[read]; ok {
		return out
	}
	s.done[read] = data // references that lead back here change nothing
	out := s.reshapedBy(v, data, depth)
	s.done[read] = out
	return out
}

func (s *splitter) reshapedBy(v, data *schema.Value, depth int) *schema.Value {
	if u := s.unions[v]; u != nil {
		name, _ := data.Get(u.tag).IsString()
		if i := slices.Index(u.names, name); i >= 0 {
			return schema.Obj(schema.Member{Key: name, Value: s.reshaped(u.branches[i], data, depth+1).Without(u.tag)})
		}
		return data
	}
	data = s.reshaped(target(s.root, v), data, depth+1)
	for _, b := range v.ListOf("allOf") {
		data = s.reshaped(b, data, depth+1)
	}
	for _, b := range slices.Concat(v.ListOf("anyOf"), v.ListOf("oneOf")) {
		if now := s.reshaped(b, data, depth+1); now != data {
			return now
		}
	}
	return s.inside(v, data, depth)
}

// inside reshapes the members and elements of data.
func (s *splitter) inside(v, data *schema.Value, depth int) *schema.Value {
	if data.Kind == schema.Object {
		out := data
		for _, m := range data.Unique() {
			under := v.Get("properties").Get(m.Key)
			if under == nil {
				under = v.Get("additionalProperties")
			}
			if now := s.reshaped(under, m.Value, depth+1); now != m.Value {
				out = out.With(m.Key, now)
			}
		}
		return out
	}
	first, rest := v.ListOf("prefixItems"), v.Get("items")
	if rest != nil && rest.Kind == schema.Array {
		first, rest = rest.Items, v.Get("additionalItems")
	}
	items, changed := make([]*schema.Value, len(data.Items)), false
	for i, item := range data.Items {
		under := rest
		if i < len(first) {
			under = first[i]
		}
		items[i] = s.reshaped(under, item, depth+1)
		changed = changed || items[i] != item
	}
	if !changed {
		return data
	}
	return schema.List(items...)
}
