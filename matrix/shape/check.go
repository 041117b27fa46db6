package shape

import "github.com/hostmatrix/conform/schema"

// maxDepth bounds the recursion of one check. Recursive nodes follow the value,
// which schema.Parse bounds at 10,000 levels; parsers themselves overflow their
// stack before that, which no shape models.
const maxDepth = 5000

// checker evaluates nodes over a value and collects faults in the order in which
// the parser finds them.
type checker struct {
	rules  *rules
	root   *schema.Value
	faults []*fault
	path   []step
	base   int // path length at the innermost union
	depth  int
}

// full reports whether nothing further needs to be found.
func (c *checker) full() bool {
	return len(c.faults) >= maxIssues || (c.rules.first && len(c.faults) > 0)
}

func (c *checker) add(f *fault) {
	if len(c.faults) >= maxIssues {
		return
	}
	f.path = append([]step(nil), c.path...)
	f.base, f.root, f.release = c.base, c.root, c.rules.zod
	c.faults = append(c.faults, f)
}

// check evaluates n on v; parent is the value that holds v (or lacks it).
func (c *checker) check(n *node, v, parent *schema.Value) {
	if c.full() || c.depth > maxDepth {
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	before := len(c.faults)
	c.value(n, v, parent)
	if n.caught {
		c.faults = c.faults[:before]
	}
}

func (c *checker) value(n *node, v, parent *schema.Value) {
	if v == nil && n.optional {
		return
	}
	if c.rules.zero && n.hasZero() && (v == nil || v.Kind == schema.Null) {
		return
	}
	if v != nil && v.Kind == schema.Null && (n.nullable || (n.optional && c.rules.nullIsAbsent)) {
		return
	}
	switch n.kind {
	case kindRef:
		c.check(n.target, v, parent)
		return
	case kindUnion:
		c.union(n, v, parent)
		return
	case kindTagged:
		c.tagged(n, v, parent)
		return
	case kindLiteral:
		for _, want := range n.values {
			if v != nil && v.Kind == want.Kind && schema.Equal(v, want) {
				return
			}
		}
		c.add(&fault{kind: faultLiteral, node: n, value: v, parent: parent})
		return
	case kindCustom:
		for _, k := range n.types {
			if v != nil && v.Kind == k {
				return
			}
		}
		c.add(&fault{kind: faultCustom, node: n, value: v, parent: parent})
		return
	}
	if !c.rules.accepts(n, v) {
		c.add(&fault{kind: faultType, node: n, value: v, parent: parent})
		return
	}
	switch n.kind {
	case kindObject:
		c.object(n, v)
	case kindRecord:
		if c.rules.plainRecords {
			if refused, thrown := constructed(v); thrown {
				c.add(&fault{kind: faultThrown, node: n, value: v, parent: parent})
				return
			} else if refused {
				c.add(&fault{kind: faultType, node: n, value: v, parent: parent})
				return
			}
		}
		for _, m := range c.rules.members(v) {
			c.enter(step{key: m.Key, in: n}, n.item, m.Value, v)
		}
	case kindArray:
		for i, item := range v.Items {
			c.enter(step{index: i, array: true, in: n}, n.item, item, v)
		}
	case kindAny:
		if c.rules.finite {
			c.inside(n, v)
		}
	}
	for i := range n.checks {
		if v != nil && !n.checks[i].holds(v, c.rules) {
			c.add(&fault{kind: faultCheck, node: n, value: v, check: &n.checks[i], soft: true})
		}
	}
}

// enter checks a part of v with the path one step longer.
func (c *checker) enter(s step, n *node, v, parent *schema.Value) {
	c.path = append(c.path, s)
	c.check(n, v, parent)
	c.path = c.path[:len(c.path)-1]
}

// inside visits what an untyped value holds.
func (c *checker) inside(n *node, v *schema.Value) {
	switch v.Kind {
	case schema.Array:
		for i, item := range v.Items {
			c.enter(step{index: i, array: true, in: anyArray}, n, item, v)
		}
	case schema.Object:
		for _, m := range v.Members {
			c.enter(step{key: m.Key, in: anyObject}, n, m.Value, v)
		}
	}
}

func (c *checker) object(n *node, v *schema.Value) {
	if c.rules.documentOrder {
		c.inDocumentOrder(n, v)
	} else {
		c.inTypeOrder(n, v)
	}
	if n.unknown != unknownReject {
		return
	}
	var keys []string
	for _, m := range c.rules.members(v) {
		if n.get(m.Key) == nil {
			keys = append(keys, m.Key)
		}
	}
	if keys != nil {
		c.add(&fault{kind: faultUnknownKeys, node: n, value: v, keys: keys})
	}
}

// inTypeOrder meets the fields as the type declares them.
func (c *checker) inTypeOrder(n *node, v *schema.Value) {
	for _, missing := range []bool{false, true} {
		for i := range n.fields {
			f := &n.fields[i]
			value := v.Get(f.key)
			if c.rules.missingLast && (value == nil) != missing {
				continue
			}
			c.enter(step{key: f.key, in: n}, f.node, value, v)
		}
		if !c.rules.missingLast {
			return
		}
	}
}

// inDocumentOrder meets the members as they stand, then the fields that are
// missing as the type declares them.
func (c *checker) inDocumentOrder(n *node, v *schema.Value) {
	met := make(map[string]bool, len(v.Members))
	members := v.Members
	if c.rules.lastWins {
		members = v.Unique()
	}
	for _, m := range members {
		f := n.field(m.Key, c.rules.foldCase)
		if f == nil {
			continue
		}
		if met[f.key] && c.rules.noDuplicates {
			c.path = append(c.path, step{key: f.key, in: n})
			c.add(&fault{kind: faultDuplicate, node: f.node, value: m.Value, parent: v})
			c.path = c.path[:len(c.path)-1]
		}
		met[f.key] = true
		c.enter(step{key: f.key, in: n}, f.node, m.Value, v)
	}
	for i := range n.fields {
		if f := &n.fields[i]; !met[f.key] {
			c.enter(step{key: f.key, in: n}, f.node, nil, v)
		}
	}
}
