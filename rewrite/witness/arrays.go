package witness

import "github.com/hostmatrix/conform/schema"

// arrays returns arrays: as long as the tuple, empty, one shorter and longer, at
// every bound, and with one element varied at a time.
func (m *maker) arrays(c conj, depth, limit int) []*schema.Value {
	prefix := 0
	for _, s := range c {
		prefix = max(prefix, len(s.ListOf("prefixItems")), len(s.ListOf("items")))
	}
	prefix = min(prefix, maxElements)
	least, most := min(c.most("minItems", 0), maxElements), c.least("maxItems", maxElements)
	usual := min(max(least, prefix, 1), max(most, 0))
	var lengths []int
	for _, n := range []int{usual, least, prefix, prefix + 1, 0, 1, 2, least + 1, most, prefix - 1, least - 1, most + 1, 3} {
		if n >= 0 && n <= maxElements {
			lengths = append(lengths, n)
		}
	}
	element := func(i int) []*schema.Value {
		each := maxEach
		if i >= prefix {
			i = prefix // every element behind the tuple is alike
		}
		return m.values(elementParts(c, i), depth+1, min(each, limit))
	}
	known := map[int][]*schema.Value{}
	choices := func(i int) []*schema.Value {
		i = min(i, prefix)
		if _, ok := known[i]; !ok {
			known[i] = element(i)
			if len(known[i]) == 0 {
				known[i] = []*schema.Value{schema.Num(1)} // forbidden; the dialect will say so
			}
		}
		return known[i]
	}
	unique := c.isTrue("uniqueItems")
	of := func(n int) *schema.Value {
		items := make([]*schema.Value, n)
		for i := range items {
			list := choices(i)
			pick := 0
			if unique {
				pick = i % len(list)
			}
			items[i] = list[pick]
		}
		return schema.List(items...)
	}
	var byLength, varied, special []*schema.Value
	for _, n := range lengths {
		byLength = append(byLength, of(n))
	}
	for i := range min(max(usual, 1), 6) {
		for k, value := range choices(i) {
			if k == 0 {
				continue
			}
			v := of(max(usual, i+1))
			items := append([]*schema.Value(nil), v.Items...)
			items[i] = value
			varied = append(varied, schema.List(items...))
		}
	}
	if len(c.all("contains")) > 0 {
		special = append(special, m.containing(c, of, depth)...)
	}
	if c.has("uniqueItems") {
		special = append(special, pairs()...)
		for k := range min(len(choices(prefix)), 4) {
			special = append(special, schema.List(choices(prefix)[k], choices(prefix)[k]))
		}
	}
	return interleave([][]*schema.Value{byLength, special, varied}, limit)
}

// elementParts returns what the parts say about element i by any dialect.
func elementParts(c conj, i int) []*schema.Value {
	var out []*schema.Value
	for _, s := range c {
		prefix, items := s.ListOf("prefixItems"), s.Get("items")
		switch {
		case i < len(prefix):
			out = append(out, prefix[i])
		case items != nil && items.Kind == schema.Array && i < len(items.Items):
			out = append(out, items.Items[i])
		case items != nil && items.Kind == schema.Array:
			if rest := s.Get("additionalItems"); rest != nil {
				out = append(out, rest)
			}
		case items != nil:
			out = append(out, items)
		}
	}
	if len(out) == 0 {
		out = append(out, schema.Obj())
	}
	return out
}

// containing returns arrays with 0 to 3 elements that contains asks for.
func (m *maker) containing(c conj, of func(int) *schema.Value, depth int) []*schema.Value {
	wanted := m.values(c.all("contains"), depth+1, 4)
	if len(wanted) == 0 {
		return nil
	}
	var out []*schema.Value
	base := of(max(c.most("minItems", 0), 1))
	least := c.most("minContains", 1)
	for _, n := range []int{least, 0, 1, 2, 3, least + 1, c.least("maxContains", 1) + 1} {
		items := append([]*schema.Value(nil), base.Items...)
		for k := range min(n, maxElements) {
			items = append(items, wanted[k%len(wanted)])
		}
		out = append(out, schema.List(items...))
		var only []*schema.Value
		for k := range min(n, maxElements) {
			only = append(only, wanted[k%len(wanted)])
		}
		out = append(out, schema.List(only...))
	}
	return out
}

// pairs are elements about whose equality languages differ.
func pairs() []*schema.Value {
	var out []*schema.Value
	for _, text := range []string{
		`[{"a":1,"b":2},{"b":2,"a":1}]`, `[1,true]`, `[0,false]`, `[1,1.0]`, `["1",1]`, `[[1],[true]]`, `[{"a":0},{"a":false}]`,
		`[9007199254740992,9007199254740993]`, `["é","é"]`, `[null,0]`, `[{},[]]`,
	} {
		out = append(out, schema.MustParse(text))
	}
	return out
}
