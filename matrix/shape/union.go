package shape

import "github.com/hostmatrix/conform/schema"

// union tries the options in order. A dialect may adopt the faults of an option
// that failed only softly (a wrong base64 text in an otherwise good image).
func (c *checker) union(n *node, v, parent *schema.Value) {
	if (v == nil && !c.rules.javaScript) || (c.rules.zero && v.Kind == schema.Null) {
		c.add(&fault{kind: faultType, node: n, value: v, parent: parent})
		return
	}
	branches := make([][]*fault, len(n.options))
	for i, option := range n.options {
		if plain := option.follow(); plain.simple() { // most values of an untyped union
			if c.rules.accepts(plain, v) {
				return
			}
			continue
		}
		if branches[i] = c.branch(option, v, parent); branches[i] == nil {
			return
		}
	}
	var soft [][]*fault
	for i, option := range n.options {
		if branches[i] == nil {
			branches[i] = c.branch(option, v, parent)
		}
		if allSoft(branches[i]) {
			soft = append(soft, branches[i])
		}
	}
	if (len(soft) == 1 && c.rules.adopt == adoptSole) || (len(soft) > 0 && c.rules.adopt == adoptFirst) {
		for _, f := range soft[0] {
			f.base = c.base
			if len(c.faults) < maxIssues {
				c.faults = append(c.faults, f)
			}
		}
		return
	}
	c.add(&fault{kind: faultUnion, node: n, value: v, parent: parent, branches: branches})
}

// branch returns the faults of one option of a union, nil when it accepts.
func (c *checker) branch(option *node, v, parent *schema.Value) []*fault {
	// The path may be shared: each fault copies it, and options run in turn.
	sub := checker{rules: c.rules, root: c.root, path: c.path, base: len(c.path), depth: c.depth}
	sub.check(option, v, parent)
	return sub.faults
}

func allSoft(faults []*fault) bool {
	for _, f := range faults {
		if !f.soft {
			return false
		}
	}
	return true
}

// tagged picks the option that the tag member names.
func (c *checker) tagged(n *node, v, parent *schema.Value) {
	if v == nil || v.Kind != schema.Object {
		c.add(&fault{kind: faultType, node: n, value: v, parent: parent})
		return
	}
	if tag, ok := v.Get(n.tag).IsString(); ok {
		for i, name := range n.tags {
			if name == tag {
				c.check(n.options[i], v, parent)
				return
			}
		}
	}
	if n.other != nil {
		c.check(n.other, v, parent)
		return
	}
	c.add(&fault{kind: faultTag, node: n, value: v, parent: parent})
}
