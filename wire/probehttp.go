package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire/eventstream"
)

const (
	probeBody   = 4 << 20         // bytes of one answer to a probe
	probeLinger = 1 * time.Second // how long a stream is read after its answer
)

// post sends one request with headers that may be wrong on purpose, and keeps all
// that comes back, what follows the answer in a stream included.
func (b *prober) post(ctx context.Context, m outgoing, w *waiting, change func(http.Header)) *schema.Value {
	h := b.http.headers(m)
	if change != nil {
		change(h)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	response, failure := b.http.do(ctx, http.MethodPost, b.http.base, h, m.raw)
	if failure != nil {
		b.mute++
		return nil
	}
	defer response.Body.Close()
	body, failure := b.http.open(response)
	if failure != nil {
		return nil
	}
	from := source{m.id, response.StatusCode}
	if mediaType(response) == "text/event-stream" {
		go func() {
			select {
			case <-w.answered:
				select {
				case <-time.After(probeLinger):
					b.peer.journal.problem("stream-stays-open", nil, "The event stream of %s was still open %s after its answer", m.method, probeLinger)
					cancel()
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
		}()
		if ended := b.readStream(body, from); ended && m.id != 0 && m.method != "subscriptions/listen" {
			select {
			case <-w.answered:
			default:
				b.peer.journal.problem("stream-unanswered", nil, "The event stream of %s ended without its answer", m.method)
			}
		}
	} else if raw, _ := io.ReadAll(io.LimitReader(body, probeBody)); len(bytes.TrimSpace(raw)) > 0 {
		if _, err := schema.Parse(raw, schema.Limits{}); err == nil && m.id != 0 {
			_, _ = b.peer.receive(raw, from)
		} else {
			if m.id == 0 && response.StatusCode == http.StatusAccepted {
				b.peer.journal.problem("notification-body", raw, "A notification was answered with 202 and a body")
			}
			_, _ = b.peer.journal.received(kindNoise, raw)
		}
	}
	select {
	case a := <-w.got:
		return a.result
	default:
		return nil
	}
}

// readStream takes the messages of a stream; ended is true when the server ended it.
func (b *prober) readStream(body io.Reader, from source) (ended bool) {
	reader := eventstream.NewReader(io.LimitReader(body, probeBody), b.peer.journal.limits.MessageBytes, "")
	for {
		e, err := reader.Next()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if e.Name == "message" && len(bytes.TrimSpace(e.Data)) > 0 {
			_, _ = b.peer.receive(e.Data, from)
		}
	}
}

// headers sends modern requests whose headers say something else than their bodies,
// and some whose headers say the same in another form.
// Source: MCP 2026-07-28 basic/transports/streamable-http, Server Validation.
func (b *prober) headers(ctx context.Context) {
	without := func(name string) func(http.Header) { return func(h http.Header) { h.Del(name) } }
	with := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	meta := b.peer.agreed.Load().meta
	for _, change := range []func(http.Header){
		with(headerSession, inventedSession), without(headerVersion), with(headerVersion, LatestLegacy), without(headerMethod), with(headerMethod, "prompts/list"),
		with(headerMethod, "TOOLS/LIST"), lowerCase,
	} {
		b.send(ctx, "tools/list", nil, meta, change)
	}
	for method, params := range b.named() {
		for _, change := range []func(http.Header){without(headerName), with(headerName, inventedTool), with(headerMethod, "tools/list")} {
			b.send(ctx, method, params, meta, change)
		}
	}
	c := b.goodCall()
	if c == nil {
		return
	}
	for _, change := range []func(http.Header){without(headerName), with(headerName, inventedTool), with(headerName, "=?base64?!!!?="), with(headerName, base64Form(c.Tool))} {
		b.call(ctx, c.Tool, c.Arguments, change)
	}
	tool, arguments := b.mirrored()
	if tool == nil {
		return
	}
	if rest := withoutOptionalHeader(tool.Input, arguments); rest != nil {
		b.call(ctx, tool.Name, rest, nil)
	}
	for name, value := range ParamHeaders(tool.Input, arguments) {
		for _, change := range []func(http.Header){without(name), with(name, value+"x"), with(name, base64Form(value))} {
			b.call(ctx, tool.Name, arguments, change)
		}
		break // one argument shows it
	}
}

func base64Form(value string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

// mirrored returns a read-only tool that worked and arguments for it of which one is
// repeated as a header, nil where there is no such tool.
func (b *prober) mirrored() (*recording.Tool, *schema.Value) {
	for _, c := range b.tools.Calls {
		t := b.tool(c.Tool)
		if t == nil || c.Origin != recording.Real || c.Result == nil || c.Result.Get("isError").IsTrue() || !readOnly(t) {
			continue
		}
		if arguments := withHeader(t.Input, orEmpty(c.Arguments)); len(ParamHeaders(t.Input, arguments)) > 0 {
			return t, arguments
		}
	}
	return nil, nil
}

// withHeader adds to arguments that have none a text that is repeated as a header,
// where the schema takes any text.
func withHeader(input, arguments *schema.Value) *schema.Value {
	if len(ParamHeaders(input, arguments)) > 0 {
		return arguments
	}
	for _, m := range input.Get("properties").Unique() {
		name, ok := m.Value.Get("x-mcp-header").IsString()
		kind, _ := m.Value.Get("type").IsString()
		if !ok || !isToken(name) || kind != "string" || arguments.Has(m.Key) {
			continue
		}
		value := schema.Str("example")
		if allowed := m.Value.Get("enum"); allowed != nil && len(allowed.Items) > 0 {
			value = allowed.Items[0]
		}
		return arguments.With(m.Key, value)
	}
	return arguments
}

// named yields the requests besides tools/call whose params have a name that a header
// repeats, in a fixed order.
func (b *prober) named() iter.Seq2[string, *schema.Value] {
	return func(yield func(string, *schema.Value) bool) {
		if b.firstResource != "" && !yield("resources/read", schema.Obj(member("uri", schema.Str(b.firstResource)))) {
			return
		}
		if b.firstPrompt != nil {
			yield("prompts/get", b.firstPrompt)
		}
	}
}

// withoutOptionalHeader returns arguments without one that is a header and that the
// tool does not require, nil where there is no such.
func withoutOptionalHeader(input, arguments *schema.Value) *schema.Value {
	for _, m := range arguments.Unique() {
		rest := arguments.Without(m.Key)
		if len(ParamHeaders(input, rest)) < len(ParamHeaders(input, arguments)) && !requires(input, m.Key) {
			return rest
		}
	}
	return nil
}

func requires(input *schema.Value, name string) bool {
	required := input.Get("required")
	return required != nil && slices.ContainsFunc(required.Items, func(v *schema.Value) bool { text, ok := v.IsString(); return ok && text == name })
}

// lowerCase writes the protocol's header names in lower case, which HTTP/1.1 lets
// anyone do (RFC 9110, section 5.1).
func lowerCase(h http.Header) {
	for name, values := range h {
		if strings.HasPrefix(name, "Mcp-") {
			delete(h, name)
			h[strings.ToLower(name)] = values
		}
	}
}

// overHTTP are the probes of the transport as such; header and value spoil one
// request of a legacy revision.
func (b *prober) overHTTP(ctx context.Context, header, value string) {
	meta := b.peer.agreed.Load().meta
	if value != "" {
		b.send(ctx, "tools/list", nil, meta, func(h http.Header) { h.Set(header, value) })
	}
	b.send(ctx, "tools/list", nil, meta, func(h http.Header) { h.Set("Origin", foreignOrigin) })
	b.notifyDone(ctx)
	b.bare(ctx, http.MethodGet)
	if b.peer.modern() { // a legacy DELETE would end the session
		b.bare(ctx, http.MethodDelete)
	}
}

// endSession shows what a server with sessions does without an id and with one that
// ended. The session is the probe's own.
// Source: MCP 2025-11-25 basic/transports, Session Management.
func (b *prober) endSession(ctx context.Context) {
	if b.http.headers(outgoing{}).Get(headerSession) == "" {
		return
	}
	b.send(ctx, "tools/list", nil, nil, func(h http.Header) { h.Del(headerSession) })
	b.bare(ctx, http.MethodDelete)
	b.send(ctx, "tools/list", nil, nil, nil)
}

// notifyDone sends a notification that changes nothing: the cancellation of a
// request that has its answer.
func (b *prober) notifyDone(ctx context.Context) {
	params := schema.Obj(member("requestId", schema.Num(1)), member("reason", schema.Str("probe")))
	if meta := b.peer.agreed.Load().meta; meta != nil {
		params = params.With("_meta", meta)
	}
	const method = "notifications/cancelled"
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	never := &waiting{got: make(chan answer), answered: make(chan struct{})}
	b.post(ctx, outgoing{method: method, raw: encodeNotification(method, params)}, never, nil)
}

// bare sends a request without a message: GET asks for the stream that a legacy
// server may have, which is left at once.
func (b *prober) bare(ctx context.Context, verb string) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	h := b.http.headers(outgoing{})
	h.Del("Content-Type")
	h.Set("Accept", "text/event-stream")
	if response, failure := b.http.do(ctx, verb, b.http.base, h, nil); failure == nil {
		response.Body.Close()
	}
}
