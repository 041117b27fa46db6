// Package tablecheck holds a capability table against what the pipeline can do:
// every operation, validator profile and shape that a claim names exists and
// takes its parameters, every claim key is read by a stage, and every operation
// is used by some claim.
package tablecheck

import (
	"fmt"
	"sort"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/validators"
)

// Check returns the faults of the table, in the order of its rows. With whole set
// the table is meant to be complete, so unused operations are faults too.
func Check(table *capabilities.Table, shapes *shape.Set, whole bool) []capabilities.Fault {
	c := checker{shapes: shapes, used: map[string]bool{}}
	for _, h := range table.Hosts() {
		h.EachClaim(func(mode, key string, i int, claim capabilities.Claim) {
			c.at = fmt.Sprintf("%s[%d]", key, i)
			if mode != "" {
				c.at = mode + "/" + c.at
			}
			c.file = h.ID + ".json"
			c.claim(key, claim)
		})
	}
	if whole {
		c.unused()
	}
	return c.faults
}

type checker struct {
	shapes   *shape.Set
	used     map[string]bool
	file, at string
	faults   []capabilities.Fault
}

func (c *checker) report(format string, args ...any) {
	c.faults = append(c.faults, capabilities.Fault{File: c.file, Claim: c.at, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) claim(key string, claim capabilities.Claim) {
	value, err := capabilities.DecodeValue(key, claim.Value)
	if err != nil {
		c.report("%v", err)
		return
	}
	switch v := value.(type) {
	case *[]capabilities.Op:
		for _, op := range *v {
			c.operation(kindOf(key), op)
		}
	case *capabilities.Checks:
		for _, check := range *v {
			c.operation("check", check.Op)
			c.consequence(check.OnFailure)
		}
	case *capabilities.Shape:
		for _, id := range []string{v.Shape, v.Modern} {
			if _, ok := c.shapes.Lookup(id); id != "" && !ok {
				c.report("no shape %q%s", id, near(id, c.shapes.IDs()))
			}
		}
	case *capabilities.Validator:
		for ; v != nil; v = v.Modern {
			c.profile(v.Profile)
			for _, p := range v.ByTag {
				c.profile(p)
			}
		}
	case *capabilities.Arguments:
		c.profile(v.Profile)
		for _, p := range v.ByTag {
			c.profile(p)
		}
	case *capabilities.Name:
		if _, err := operation.ApplyName(*v, "server", "tool"); err != nil {
			c.report("%v", err)
		}
	}
}

func kindOf(key string) string {
	switch key {
	case "view.render":
		return "render"
	case "offer.render":
		return "declaration"
	}
	return "rewrite"
}

func (c *checker) operation(kind string, op capabilities.Op) {
	c.used[op.Name] = true
	var err error
	switch kind {
	case "rewrite":
		_, err = operation.NewRewrite(op.Name, op.Params)
	case "check":
		_, err = operation.NewCheck(op.Name, op.Params)
	case "render":
		_, err = operation.NewRender(op.Name, op.Params)
	case "declaration":
		_, err = operation.NewDeclaration(op.Name, op.Params)
	}
	if err != nil {
		c.report("operation %s: %v", op.Name, err)
	}
}

var consequences = map[string]bool{"tool": true, "server": true, "request": true, "note": true, "hide": true, "calls": true, "degrade": true, "unknown": true}

func (c *checker) consequence(name string) {
	if !consequences[name] {
		c.report("on_failure %q is none of tool, server, request, note, degrade, unknown", name)
	}
}

func (c *checker) profile(id string) {
	if _, ok := validators.Lookup(id); !ok && id != "none" {
		var known []string
		for _, p := range validators.Profiles() {
			known = append(known, p.ID)
		}
		c.report("no validator profile %q%s", id, near(id, append(known, "none")))
	}
}

// near says which of the known names may be meant.
func near(name string, known []string) string {
	if n := capabilities.Nearest(name, known); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// unused reports operations that no claim names.
func (c *checker) unused() {
	c.file, c.at = "matrix/operation", ""
	var names []string
	for _, kind := range []string{"rewrite", "check", "render", "declaration"} {
		names = append(names, operation.Names(kind)...)
	}
	sort.Strings(names)
	for _, name := range names {
		if !c.used[name] {
			c.report("operation %q is used by no claim", name)
		}
	}
}
