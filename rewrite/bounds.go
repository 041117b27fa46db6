package rewrite

import (
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

const (
	// A schema beyond these is hostile or a whole API description: few rewrites are
	// tried on it, with few instances.
	oversizeNodes, oversizeDepth = 3_000, 100
	oversizeRuns, oversizeBudget = 8, 10
	// Beyond this none is tried: each rewrite reads the whole schema, some per $ref.
	hugeNodes = 20_000
	// A definition and results beyond this weight cost each trial a second in all hosts:
	// while a run is annotated none is made for them.
	heavyTool = 20_000
	// heavyDepth is the nesting from which they weigh too much, however little there is of
	// them: 60 unions in one another took 12 s of CPU in 94 hosts, all of it for rewrites.
	heavyDepth = 100
)

// heavy reports whether a tool's definition and results weigh too much to be judged anew for each
// rewrite; a value weighs one, and one more for each 64 bytes of its text.
func heavy(c *recording.Capture, name string) bool {
	left := heavyTool
	var weigh func(v *schema.Value, depth int)
	weigh = func(v *schema.Value, depth int) {
		if v == nil || left < 0 {
			return
		}
		if left -= 1 + len(v.Text)/64; depth > heavyDepth {
			left = -1
		}
		for _, item := range v.Items {
			weigh(item, depth+1)
		}
		for _, m := range v.Members {
			weigh(m.Value, depth+1)
		}
	}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name == name {
				weigh(t.Value, 0)
			}
		}
		for _, call := range s.CallsOf(name) {
			weigh(call.Result, 0)
		}
	}
	return left < 0
}

// sizeOf counts the subschemas of a tool, and how deep they nest, up to the bounds.
func sizeOf(c *recording.Capture, name string) (nodes, deepest int) {
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name {
				continue
			}
			for _, root := range []*schema.Value{t.Input, t.Output} {
				schema.Walk(root, func(n schema.Node) bool {
					nodes++
					deepest = max(deepest, n.Depth)
					return nodes <= hugeNodes
				})
			}
		}
	}
	return nodes, deepest
}

// reason looks for faults that no schema can mend: the server's results.
func reason(c *recording.Capture, name string, plan Plan) string {
	for _, f := range plan.Remaining {
		switch f.Rule {
		case "structured-missing":
			return "the results are at fault, not the schemas: " + oneLine(f.Text) + "; send structuredContent, or do without the outputSchema (--last-resort)"
		case "structured-hidden", "text-hidden":
			return "the results are at fault, not the schemas: " + oneLine(f.Text) + "; say everything in the content and in structuredContent"
		case "result-malformed", "call-unanswered":
			return "the results are at fault, not the schemas: " + oneLine(f.Text)
		}
	}
	cache := validators.NewCache()
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name || t.Output == nil {
				continue
			}
			_, own := witness.Dialect(cache, t.Output)
			if own == nil {
				continue
			}
			for _, call := range s.CallsOf(name) {
				structured := call.Result.Get("structuredContent")
				if structured == nil {
					continue
				}
				if r := own.Validate(structured); r.Outcome == validators.Invalid {
					return "the server's own result breaks its outputSchema by any reading: " + oneLine(r.Text) + "; change the result, or the schema where the result is right"
				}
			}
		}
	}
	return ""
}

// oneLine joins a text's lines and keeps its beginning.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 240 {
		text = strings.ToValidUTF8(text[:240], "") + "…"
	}
	return text
}

func samplesOf(c *recording.Capture, name string) int {
	n := 0
	for _, s := range c.Sessions {
		n += len(s.CallsOf(name))
	}
	return n
}
