package wire

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// What probes name that no server has.
const (
	inventedMethod   = "conform/no-such-method"
	inventedTool     = "conform_no_such_tool"
	inventedCursor   = "conform-no-such-cursor"
	inventedResource = "conform://no/such/resource"
	inventedValue    = "conform-no-such-value"
	inventedSession  = "conform-no-such-session"
	inventedRevision = "2099-01-01"
	pastRevision     = "1999-01-01" // of a header
	foreignOrigin    = "https://conform-probe.example"
	inventedTask     = "conform-no-such-task"
	inventedArgument = "conform_no_such_argument"
	progressToken    = "conform-progress"
)

// metaLogLevel names the level of the log messages that a modern request asks for.
const metaLogLevel = "io.modelcontextprotocol/logLevel"

const (
	probeLimit    = 10 * time.Second // for one answer, or Timeouts.Request if that is less
	probeSilences = 2                // unanswered probes after which a session's are given up
	probeReads    = 5                // resources that are read
	probeCalls    = 3                // tools that are called with wrong arguments, and with unknown values
	probePrompts  = 3                // prompts that are got
	probePages    = 50               // pages of one more reading of tools/list

	probeListen       = 1 * time.Second // how long a stream of notifications is held open
	probeVariantCalls = 10              // calls that are made again at a variant of the address
)

// ProbeKind describes one kind of probe, for --dry-run and the documentation.
type ProbeKind struct {
	Name  string
	Eras  string // legacy, modern, both
	Where string // stdio, http, both
	About string // what is sent
}

// ProbeKinds lists what [Probe] sends. None of it changes anything: tools are only
// called when they say readOnlyHint: true and not destructiveHint: true.
func ProbeKinds() []ProbeKind {
	return []ProbeKind{
		{"unlisted-revision", "modern", "both", "tools/list in the revision that server/discover was asked in and did not list"},
		{"second-connection", "both", "both", "another connection, and tools/list twice on it"},
		{"both-eras", "both", "stdio", "tools/list as a modern client and, after initialize, as a legacy one, on one process"},
		{"call-first", "modern", "both", "a call that worked before, as the first request of a connection"},
		{"unknown-cursor", "both", "both", "tools/list with the cursor " + inventedCursor},
		{"lists-around-calls", "both", "both", "resources/list and prompts/list before the calls of each session, and these and tools/list after them"},
		{"other-lists", "both", "both", "all pages of resources/list, resources/templates/list and prompts/list, and each with the cursor " + inventedCursor},
		{"first-entries", "both", "both", "resources/read of five listed resources at most, the first of each type before others, prompts/get of three prompts at most: with the word \"example\" for required arguments, and without them"},
		{"unknown-prompt", "both", "both", "prompts/get of " + inventedTool + ", and completion/complete for it where completions are declared"},
		{"apps", "both", "both", "resources/read of the Apps that tools name, five at most"},
		{"unknown-resource", "both", "both", "resources/read of " + inventedResource},
		{"outside-file", "both", "both", "resources/read of ../" + outsideFile + ", by the first resource and the first template; servers on this machine only"},
		{"unknown-method", "both", "both", "the method " + inventedMethod},
		{"removed-methods", "modern", "both", "ping, logging/setLevel to warning, and resources/subscribe of " + inventedResource + ", which the era does not have"},
		{"batch", "legacy", "both", "two pings as one batch, where 2025-03-26 is spoken, and in the newest revision after it, which has no batches"},
		{"ping", "legacy", "both", "ping"},
		{"completion", "both", "both", "completion/complete for the first argument of those prompts and the first variable of the first template, where completions are declared, and for one of them where they are not"},
		{"log-level", "both", "both", "logging/setLevel to warning and to " + inventedValue + ", in the modern era tools/list with the latter as its logLevel, where logging is declared"},
		{"subscribe", "legacy", "both", "resources/subscribe and resources/unsubscribe for the first resource, where resources.subscribe is declared"},
		{"progress", "both", "both", "a call that worked before, with the progressToken " + progressToken + ", in the modern era also with the logLevel warning where logging is declared"},
		{"tasks", "legacy", "both", "in 2025-11-25, where tasks are declared for tools: to three read-only tools at most, a plain call of a task-only one, a call as a task, tasks/get, tasks/result, tasks/list, tasks/cancel of the ended task, and tasks/get of " + inventedTask},
		{"unknown-tool", "both", "both", "tools/call of " + inventedTool},
		{"wrong-arguments", "both", "both", "calls with arguments that the inputSchema forbids (left out, of a wrong type, none of an enum, beyond a bound, unknown to a closed schema), to three read-only tools at most"},
		{"unknown-value", "both", "both", "a call with the text " + inventedValue + " as an argument, to three read-only tools at most"},
		{"unknown-revision", "both", "both", "initialize, or a modern request, of the revision " + inventedRevision},
		{"metadata", "modern", "both", "tools/list without protocolVersion, and without clientCapabilities, in its _meta"},
		{"headers", "modern", "http", "tools/list and a read-only call with each header left out, wrong, in base64 and in lower case"},
		{"version-header", "legacy", "http", "tools/list with MCP-Protocol-Version: " + pastRevision},
		{"origin", "both", "http", "tools/list with Origin: " + foreignOrigin},
		{"get", "both", "http", "GET for an event stream, which is closed at once"},
		{"delete", "modern", "http", "DELETE without a session id"},
		{"notification", "both", "http", "notifications/cancelled for a request that was answered"},
		{"session", "legacy", "http", "tools/list without the session id, DELETE of the probe's own session, and tools/list with the id that ended"},
		{"session-id", "modern", "http", "tools/list with a session id, which the era does not have"},
		{"subscriptions", "modern", "both", "subscriptions/listen for what is declared with listChanged, left after " + probeListen.String()},
		{"stdin-end", "both", "stdio", "stdin is closed, and the process has Timeouts.Stop to end"},
		{"variant", "both", "http", "calls of read-only tools that worked, ten at most, at each --variant of the address"},
		{"second-identity", "modern", "http", "the lists once more with the second identity, when one is given"},
	}
}

// ProbeOptions say how to probe.
type ProbeOptions struct {
	Options
	// Second is the same server under another identity (other headers, another
	// token), nil when there is none.
	Second *Target
	// Variants are the same server at other addresses, e.g. with another query, at
	// which the calls that worked are made again.
	Variants []Target
}

// Probe asks the server of a capture what no client asks, on connections of its
// own, and appends what passed to capture.Probes and what it met to
// capture.Problems. It probes each era in which a session worked, modern first, so
// that a legacy list is read again after modern requests. The error is that of ctx;
// a server that does not answer is no error.
func Probe(ctx context.Context, target Target, options ProbeOptions, capture *recording.Capture) error {
	o := options.Options.withDefaults()
	started := o.Now()
	for _, s := range capture.Sessions {
		for _, m := range s.Messages {
			started = minTime(started, o.Now().Add(-m.At))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeouts.Total)
	defer cancel()
	secrets := target.Secrets()
	if options.Second != nil {
		secrets = append(secrets, options.Second.Secrets()...)
	}
	r := &run{target: target, options: o, ledger: &ledger{start: started, now: o.Now, secrets: newRedactor(secrets),
		limits: o.Limits, trace: o.Trace, shared: newShared(), capture: capture}}
	if o.Authorizer != nil {
		r.auth = &authorization{authorizer: o.Authorizer, limit: o.Timeouts.Authorize, secrets: r.ledger.secrets}
	}
	if s := worked(capture, recording.Modern); s != nil {
		r.probeModern(ctx, s)
		if options.Second != nil {
			again := &run{target: *options.Second, options: o, ledger: r.ledger}
			again.probeIdentity(ctx, s)
		}
	}
	for i, variant := range options.Variants {
		again := &run{target: variant, options: o, ledger: r.ledger, auth: r.auth}
		again.probeVariant(ctx, fmt.Sprintf("variant-%d", i+1), capture)
	}
	if s := unlisted(capture); s != nil {
		r.probeUnlisted(ctx, s)
	}
	if s := worked(capture, recording.Legacy); s != nil {
		r.probeFuture(ctx, r.probeLegacy(ctx, s))
		r.probeBatch(ctx, capture)
		if modern := worked(capture, recording.Modern); modern != nil && target.URL == "" {
			r.probeBothEras(ctx, modern, s)
		}
	}
	return ctx.Err()
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// worked returns the session of the newest revision of an era that listed tools.
func worked(c *recording.Capture, era recording.Era) (best *recording.Session) {
	for _, s := range c.Sessions {
		if s.Era == era && s.InitError == nil && len(s.Pages) > 0 && s.Pages[0].Failed == nil && (best == nil || s.Negotiated > best.Negotiated) {
			best = s
		}
	}
	return best
}

// unlisted returns a session whose server/discover was answered without the
// revision that was asked for, when no modern session worked.
func unlisted(c *recording.Capture) *recording.Session {
	if worked(c, recording.Modern) != nil {
		return nil
	}
	for _, s := range c.Sessions {
		if s.Era == recording.Modern && s.InitError != nil && s.Init.Has("supportedVersions") {
			return s
		}
	}
	return nil
}

// probeUnlisted asks for the tools in a revision that server/discover did not list.
func (r *run) probeUnlisted(ctx context.Context, like *recording.Session) {
	d, _ := r.openProbe("unlisted", Handshake{Mode: Discover, Version: like.Requested}.withDefaults(r.options.ClientVersion, map[string]bool{}), like)
	defer d.journal.seal()
	p, failure := d.open(ctx, recording.Modern, like.Requested)
	if failure != nil {
		return
	}
	d.beginModern(p, like.Requested)
	b := r.newProber(p, like)
	b.fresh = b.http == nil
	defer b.close()
	b.ask(ctx, "tools/list", nil)
}

// prober is one connection on which probes are sent, one after the other.
type prober struct {
	run   *run
	peer  *peer
	http  *streamable        // nil on stdio and on the old transport
	tools *recording.Session // what is known of the tools
	mute  int                // probes that got no answer
	fresh bool               // the process was only started, and has answered nothing yet

	startup time.Duration // what the process took for its first answer

	firstResource string        // address of the first listed resource
	firstTemplate string        // of the first listed template
	firstPrompt   *schema.Value // what gets the first listed prompt
	listed        []string      // methods of the other lists that there are
	undeclared    bool          // completions were asked for that are not declared
}

// openProbe begins a probe session.
func (r *run) openProbe(name string, h Handshake, like *recording.Session) (*dialer, *recording.Session) {
	s := &recording.Session{ID: recording.ProbePrefix + name, Requested: h.Version, Era: recording.EraOf(h.Version), Transport: r.ledger.capture.Target.Transport}
	if like != nil {
		s.Transport = like.Transport
	}
	j := r.ledger.open(s)
	r.ledger.capture.Probes = append(r.ledger.capture.Probes, s)
	r.progress(Event{Session: s.ID, Doing: "start"})
	return &dialer{target: r.target, options: r.options, handshake: h, session: s, journal: j, auth: r.auth, deadline: time.Now().Add(r.options.Timeouts.Start)}, s
}

func (r *run) newProber(p *peer, tools *recording.Session) *prober {
	b := &prober{run: r, peer: p, tools: tools}
	b.http, _ = p.tr.(*streamable)
	return b
}

// prober opens a session of probes in the revision of one that worked; nil when there
// is no connection. The caller ends it in both cases.
func (r *run) prober(ctx context.Context, name string, like *recording.Session) (b *prober, end func()) {
	h := Handshake{Mode: Initialize, Version: like.Negotiated}
	if like.Modern() {
		h.Mode = Discover
	}
	d, _ := r.openProbe(name, h.withDefaults(r.options.ClientVersion, map[string]bool{}), like)
	began := r.options.Now()
	var p *peer
	var failure *Error
	if like.Modern() {
		if p, failure = d.open(ctx, recording.Modern, like.Negotiated); failure == nil {
			d.beginModern(p, like.Negotiated)
			d.settle(p, like.Negotiated)
		}
	} else {
		p, failure = d.legacy(ctx, like.Negotiated)
	}
	if failure != nil {
		return nil, d.journal.seal
	}
	b = r.newProber(p, like)
	if b.fresh = like.Modern() && b.http == nil; !b.fresh {
		b.startup = r.options.Now().Sub(began)
	}
	return b, func() {
		b.close()
		d.journal.seal()
	}
}

// probeModern needs no handshake: the modern era has none.
func (r *run) probeModern(ctx context.Context, like *recording.Session) {
	b, end := r.prober(ctx, "modern", like)
	defer end()
	if b == nil {
		return
	}
	if c := b.goodCall(); c != nil {
		b.call(ctx, c.Tool, c.Arguments, nil)
	}
	b.common(ctx)
	meta := b.peer.agreed.Load().meta
	b.send(ctx, "tools/list", nil, meta.Without(metaVersion), nil)
	b.send(ctx, "tools/list", nil, meta.Without(metaCapabilities), nil)
	b.send(ctx, "tools/list", nil, meta.With(metaVersion, schema.Str(inventedRevision)), func(h http.Header) { h.Set(headerVersion, inventedRevision) })
	if b.http != nil {
		b.headers(ctx)
		b.overHTTP(ctx, "MCP-Protocol-Version", "")
	}
	b.listen(ctx)
}

// probeLegacy opens a second connection in a legacy revision and returns the id of its
// session.
func (r *run) probeLegacy(ctx context.Context, like *recording.Session) (id string) {
	b, end := r.prober(ctx, "legacy", like)
	defer end()
	if b == nil {
		return ""
	}
	id = b.peer.sessionID()
	b.common(ctx)
	b.tasks(ctx)
	if b.http != nil && like.Negotiated >= "2025-06-18" {
		b.overHTTP(ctx, headerVersion, pastRevision)
	} else if b.http != nil {
		b.overHTTP(ctx, "", "")
	}
	if b.http != nil {
		b.endSession(ctx)
	}
	return id
}

// probeBothEras reads the tools as a modern client and then as a legacy one on one
// process: what the first left behind there shows in the second list. Nothing is kept of
// a server that stays in the era in which it began, as it may.
func (r *run) probeBothEras(ctx context.Context, modern, legacy *recording.Session) {
	d, s := r.openProbe("both-eras", Handshake{Mode: Initialize, Version: legacy.Negotiated}.withDefaults(r.options.ClientVersion, map[string]bool{}), legacy)
	changed := false
	defer func() {
		d.journal.seal()
		if c := r.ledger.capture; !changed {
			c.Probes = slices.DeleteFunc(c.Probes, func(other *recording.Session) bool { return other == s })
			c.Problems = slices.DeleteFunc(c.Problems, func(met recording.Problem) bool { return met.Session == s.ID })
		}
	}()
	p, failure := d.open(ctx, recording.Modern, modern.Negotiated)
	if failure != nil {
		return
	}
	defer p.tr.close()
	d.beginModern(p, modern.Negotiated)
	b := r.newProber(p, legacy)
	b.fresh = true
	b.listTools(ctx)
	if b.mute > 0 {
		return
	}
	p.tr.established("", recording.Legacy)
	d.deadline = time.Now().Add(min(probeLimit, r.options.Timeouts.Request))
	if changed = d.initialize(ctx, p, legacy.Negotiated) == nil; changed {
		b.listTools(ctx)
	}
}

// sessionID is the id of a legacy session, "" without one.
func (p *peer) sessionID() string {
	s, ok := p.tr.(*streamable)
	if !ok || p.modern() {
		return ""
	}
	return s.headers(outgoing{}).Get(headerSession)
}

// probeFuture asks initialize for a revision that does not exist. The session that
// comes of it must not have the id of the one before; the recording has no ids, since
// they are secrets. Source: MCP 2025-11-25 basic/transports, Session Management.
func (r *run) probeFuture(ctx context.Context, before string) {
	d, s := r.openProbe("future", Handshake{Mode: Initialize, Version: inventedRevision}.withDefaults(r.options.ClientVersion, map[string]bool{}), nil)
	defer d.journal.seal()
	// What comes back is in the messages. The session is legacy: that is what
	// initialize belongs to.
	if p, _ := d.legacy(ctx, inventedRevision); p != nil {
		p.compareIDs(before)
		p.tr.close()
	}
	s.Era = recording.Legacy
	if s.Negotiated == "" {
		s.Requested = LatestLegacy
	}
}

// probeIdentity reads the lists with the second identity.
func (r *run) probeIdentity(ctx context.Context, like *recording.Session) {
	b, end := r.prober(ctx, "second-identity", like)
	defer end()
	if b == nil {
		return
	}
	b.ask(ctx, "server/discover", nil)
	b.listTools(ctx)
	b.otherLists(ctx)
}

// probeVariant makes the calls that worked again, in the newest session's revision.
func (r *run) probeVariant(ctx context.Context, name string, capture *recording.Capture) {
	like := worked(capture, recording.Modern)
	if like == nil {
		if like = worked(capture, recording.Legacy); like == nil {
			return
		}
	}
	b, end := r.prober(ctx, name, like)
	defer end()
	if b == nil {
		return
	}
	b.listTools(ctx)
	made := 0
	for _, c := range like.Calls {
		if t := b.tool(c.Tool); t != nil && readOnly(t) && c.Result != nil && !c.Result.Get("isError").IsTrue() && made < probeVariantCalls {
			made++
			b.call(ctx, c.Tool, c.Arguments, nil)
		}
	}
}

// goodCall returns a call to a read-only tool that worked, one whose tool has
// headers for its arguments if there is such a one.
func (b *prober) goodCall() (best *recording.Call) {
	for _, c := range b.tools.Calls {
		t := b.tool(c.Tool)
		if t == nil || c.Origin != recording.Real || c.Result == nil || c.Result.Get("isError").IsTrue() || !readOnly(t) {
			continue
		}
		if best == nil || len(ParamHeaders(t.Input, c.Arguments)) > len(ParamHeaders(b.tool(best.Tool).Input, best.Arguments)) {
			best = c
		}
	}
	return best
}

func (b *prober) tool(name string) *recording.Tool {
	for _, t := range b.tools.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func readOnly(t *recording.Tool) bool { return recording.ReadOnly(t) }

// call calls a tool with the headers that its arguments have.
func (b *prober) call(ctx context.Context, tool string, arguments *schema.Value, change func(http.Header)) {
	b.callWith(ctx, tool, arguments, b.peer.agreed.Load().meta, change)
}

func (b *prober) callWith(ctx context.Context, tool string, arguments, meta *schema.Value, change func(http.Header)) {
	params := schema.Obj(member("name", schema.Str(tool)))
	if arguments != nil {
		params = params.With("arguments", arguments)
	}
	b.send(ctx, "tools/call", params, meta, change)
}

// ask sends a request as a client does and returns its result, nil without one.
func (b *prober) ask(ctx context.Context, method string, params *schema.Value) *schema.Value {
	return b.send(ctx, method, params, b.peer.agreed.Load().meta, nil)
}

// send sends one request; over HTTP change may spoil its headers.
func (b *prober) send(ctx context.Context, method string, params, meta *schema.Value, change func(http.Header)) *schema.Value {
	if b.mute >= probeSilences || ctx.Err() != nil {
		return nil
	}
	b.run.progress(Event{Session: b.peer.journal.session.ID, Doing: method})
	limit, began := min(probeLimit, b.run.options.Timeouts.Request), b.run.options.Now()
	if b.fresh { // without a handshake the first answer holds the start of the process
		limit = max(limit, b.run.options.Timeouts.Start)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, w := b.peer.prepare(method, params, meta)
	if t := b.tool(m.name); t != nil && method == "tools/call" && b.peer.modern() {
		m.params = ParamHeaders(t.Input, params.Get("arguments"))
	}
	if b.http != nil {
		defer b.peer.forget(m.id)
		return b.post(ctx, m, w, change)
	}
	go b.peer.transmit(ctx, m, w)
	a, failure := b.peer.wait(ctx, limit, m, w)
	if method == "subscriptions/listen" { // which is answered when the server ends it
		b.peer.abandon(m.id)
	}
	if b.fresh {
		b.fresh, b.startup = false, b.run.options.Now().Sub(began)
	}
	if failure != nil && failure.Kind != KindRPC {
		b.mute++
		b.unanswered(method, failure)
	}
	if a == nil {
		return nil
	}
	return a.result
}

// unanswered keeps that a request got no answer, apart from a stream that has none.
func (b *prober) unanswered(method string, failure *Error) {
	switch {
	case method == "subscriptions/listen":
	case b.peer.batched.Load() && b.tools.Negotiated != "2025-03-26": // a batch that no client may send
	case failure.Kind == KindExited:
		b.peer.journal.problem("probe-ends-server", []byte(failure.Raw), "After %s %s", method, failure.Text)
	case failure.Kind == KindTimeout, failure.Kind == KindClosed:
		b.peer.journal.problem("probe-unanswered", []byte(failure.Raw), "%s was not answered: %s", method, failure.Text)
	}
}

// close ends the connection. A stdio server is first given the chance to end by
// itself when its stdin ends, and as much time for it as it took to start: on a busy
// machine Python needs several seconds for either.
func (b *prober) close() {
	if s, ok := b.peer.tr.(*stdio); ok {
		stop := max(s.stop, min(b.startup, b.run.options.Timeouts.Start))
		go s.server.Stdin.Close()
		select {
		case <-s.server.Exited():
		case <-time.After(stop):
			b.peer.journal.problem("stays-at-eof", nil, "The server still ran %s after its stdin had ended", stop.Round(100*time.Millisecond))
		}
	}
	b.peer.tr.close()
}
