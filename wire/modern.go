package wire

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// modernMeta is the _meta of every request of the modern era.
func (d *dialer) modernMeta(version string) *schema.Value {
	return schema.Obj(
		member(metaVersion, schema.Str(version)),
		member(metaClientInfo, d.handshake.ClientInfo),
		member(metaCapabilities, d.handshake.Capabilities))
}

func (d *dialer) beginModern(p *peer, version string) {
	p.agreed.Store(&agreement{version, recording.Modern, d.modernMeta(version)})
	d.session.Requested, d.session.Era = version, recording.Modern
	p.tr.established(version, recording.Modern)
}

// modern pins a modern revision: server/discover tells who the server is, but a
// server that lacks it, or ignores it, is still asked for its tools, since the
// modern era needs no handshake. It never sends initialize.
func (d *dialer) modern(ctx context.Context, version string) (*peer, *Error) {
	p, failure := d.open(ctx, recording.Modern, version)
	if failure != nil {
		return nil, failure
	}
	d.beginModern(p, version)
	// Half of the time is left for tools/list, should discover be ignored.
	a, failure := p.request(ctx, d.left()/2, "server/discover", nil, nil)
	switch {
	case failure == nil:
		d.session.Init = a.result
		if _, failure = d.discovered(p, a, version, false); failure == nil {
			d.settle(p, version)
			return p, nil
		}
	case failure.Kind == KindRPC && failure.Code() == codeMethodNotFound:
		d.settle(p, version)
		d.unproven = "discover-missing"
		return p, nil
	case failure.Kind == KindTimeout:
		d.settle(p, version)
		d.unproven = "discover-ignored"
		return p, nil
	}
	p.tr.close()
	return nil, failure
}

// prove decides by the first page of tools whether a server that did not answer
// server/discover speaks the modern era: there every result says resultType. A
// legacy server that lists its tools to anyone does not.
// Source: MCP 2026-07-28 basic, ResultType.
func (d *dialer) prove(p *peer) *Error {
	first := d.session.Pages[0]
	if d.unproven == "" || first.Failed != nil {
		return nil
	}
	version := p.agreed.Load().version
	if !first.Result.Has("resultType") {
		return p.explain(outgoing{method: "server/discover"}, &Error{Kind: KindVersion,
			Text: fmt.Sprintf("the server does not speak revision %s: it has no answer to server/discover, and its tools/list result has no resultType", version),
			Hint: "Use a legacy revision"})
	}
	d.journal.problem(d.unproven, nil, "The server did not answer server/discover, which revision %s requires, but lists its tools in that era", version)
	return nil
}

// discovered returns the revision that the answer to server/discover leads to:
// the wanted one or, with choose, another modern one of the list.
func (d *dialer) discovered(p *peer, a *answer, wanted string, choose bool) (string, *Error) {
	supported, ok := versionList(a.result.Get("supportedVersions"))
	if !ok {
		return "", p.explain(outgoing{method: "server/discover"}, &Error{Kind: KindMalformed, Text: "the result has no supportedVersions", Raw: Printable([]byte(a.result.Compact()), rawMax)})
	}
	version := pick(supported, wanted, choose)
	if version == "" {
		return "", p.explain(outgoing{method: "server/discover"}, unsupported(wanted, supported))
	}
	return version, nil
}

func (d *dialer) settle(p *peer, version string) {
	d.session.Negotiated, d.session.Transport = version, p.tr.name()
}

func unsupported(requested string, supported []string) *Error {
	return &Error{Kind: KindVersion, Text: fmt.Sprintf("the server does not support revision %s; it lists %s", requested, Printable([]byte(strings.Join(supported, ", ")), rawMax)),
		Hint: "Pin a revision that it lists"}
}

func versionList(v *schema.Value) ([]string, bool) {
	if v == nil || v.Kind != schema.Array {
		return nil, false
	}
	var versions []string
	for _, item := range v.Items {
		if s, ok := item.IsString(); ok {
			versions = append(versions, s)
		}
	}
	return versions, true
}

// pick returns the wanted revision when the list has it; with choose, else the
// latest modern one that we know, else "".
func pick(supported []string, wanted string, choose bool) string {
	best := ""
	for _, v := range supported {
		if v == wanted {
			return v
		}
		if choose && v == LatestModern {
			best = v
		}
	}
	return best
}
