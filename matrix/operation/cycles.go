package operation

import "github.com/hostmatrix/conform/schema"

// cycles tells which references of a document lead back to themselves: the strongly
// connected components of "what the target of one refers to" (Tarjan 1972), each
// reference visited once.
type cycles struct {
	root  *schema.Value
	order map[string]int // when a reference was met
	low   map[string]int // the earliest that it reaches
	back  map[string]bool
	open  []string // met, and not yet in a component
	isIn  map[string]bool
}

func newCycles(root *schema.Value) *cycles {
	return &cycles{root: root, order: map[string]int{}, low: map[string]int{}, back: map[string]bool{}, isIn: map[string]bool{}}
}

// leadsBack reports whether the target of a local reference contains, through
// further references, the same reference again.
func (c *cycles) leadsBack(ref string) bool {
	if _, met := c.order[ref]; !met {
		c.visit(ref)
	}
	return c.back[ref]
}

func (c *cycles) visit(ref string) {
	c.order[ref] = len(c.order)
	c.low[ref] = c.order[ref]
	c.open, c.isIn[ref] = append(c.open, ref), true
	schema.Walk(Resolve(c.root, ref), func(n schema.Node) bool {
		next, ok := n.Schema.Get("$ref").IsString()
		if !ok {
			return true
		}
		switch _, met := c.order[next]; {
		case !met:
			c.visit(next)
			c.low[ref] = min(c.low[ref], c.low[next])
		case c.isIn[next]:
			c.low[ref] = min(c.low[ref], c.order[next])
			c.back[ref] = c.back[ref] || next == ref
		}
		return true
	})
	if c.low[ref] < c.order[ref] {
		return
	}
	from := len(c.open) - 1
	for c.open[from] != ref {
		from--
	}
	component := c.open[from:]
	for _, member := range component {
		c.back[member] = c.back[member] || len(component) > 1
		c.isIn[member] = false
	}
	c.open = c.open[:from]
}
