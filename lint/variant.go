package lint

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// runVariant compares the results of the same call at the target's address and at a
// variant of it. Calls that only one of them answers with structuredContent differ
// too; errors are not compared.
func runVariant(p *Pass) (out []Finding, err error) {
	for _, s := range p.Capture.Probes {
		if !strings.HasPrefix(s.ID, variantProbe) || !p.wants(s) {
			continue
		}
		for _, e := range p.Exchanges(s) {
			if e.Method != "tools/call" || e.Result == nil || e.Result.Get("isError").IsTrue() {
				continue
			}
			base := p.sameCall(e)
			if base == nil || schema.Equal(base.Get("structuredContent"), e.Result.Get("structuredContent")) {
				continue
			}
			out = append(out, Finding{Tool: calledTool(e), Session: s.ID, Pointer: "/structuredContent" + differsAt(base.Get("structuredContent"), e.Result.Get("structuredContent"), 0),
				Message: fmt.Sprintf("The structuredContent of one call differs at %s", addressOf(e))})
		}
	}
	return out, nil
}

// sameCall returns the result of the same call at the target's own address, in a
// session of the same revision.
func (p *Pass) sameCall(e *Exchange) *schema.Value {
	for _, s := range p.Sessions() {
		if revisionOf(s) != revisionOf(e.Session) {
			continue
		}
		for _, other := range p.Exchanges(s) {
			if other.Method == "tools/call" && other.Result != nil && !other.Result.Get("isError").IsTrue() && calledTool(other) == calledTool(e) &&
				schema.Equal(other.Params.Get("arguments"), e.Params.Get("arguments")) {
				return other.Result
			}
		}
	}
	return nil
}

// addressOf is what followed the host in the address of a request.
func addressOf(e *Exchange) string {
	if e.HTTP == nil || e.HTTP.Address == "" {
		return "the variant"
	}
	if i := strings.IndexByte(e.HTTP.Address, '?'); i >= 0 {
		return quote(e.HTTP.Address[i:])
	}
	return quote(e.HTTP.Address)
}

// differsAt points to the first place at which two values differ.
func differsAt(a, b *schema.Value, depth int) string {
	if a == nil || b == nil || a.Kind != b.Kind || depth > 64 {
		return ""
	}
	switch a.Kind {
	case schema.Object:
		for _, m := range a.Unique() {
			if other := b.Get(m.Key); !schema.Equal(m.Value, other) {
				return "/" + schema.EscapeToken(m.Key) + differsAt(m.Value, other, depth+1)
			}
		}
	case schema.Array:
		for i, item := range a.Items {
			if i >= len(b.Items) {
				break
			}
			if !schema.Equal(item, b.Items[i]) {
				return fmt.Sprintf("/%d", i) + differsAt(item, b.Items[i], depth+1)
			}
		}
	}
	return ""
}
