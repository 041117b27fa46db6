package wire

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// outsideFile is what a server that joins addresses to paths gives out when it is
// asked for it: a file that has no secrets and stands on most machines.
const outsideFile = "etc/hosts"

// outside asks for a file above whatever directory the resources are in, by the first
// resource and by the first template. Only servers on this machine are asked: to
// others, and to what guards them, it would look like an attack.
// Source: server/resources, Security Considerations.
func (b *prober) outside(ctx context.Context) {
	if address := b.run.target.URL; address != "" && !onThisMachine(address) {
		return
	}
	const up = "../../../../../../../../" + outsideFile
	if b.firstResource != "" {
		if base := beforePath(b.firstResource); base != "" {
			b.read(ctx, base+up)
		}
	}
	if before, rest, found := strings.Cut(b.firstTemplate, "{"); found {
		if _, after, closed := strings.Cut(rest, "}"); closed && !strings.ContainsAny(after, "{}") {
			b.read(ctx, before+up+after)
		}
	}
}

// beforePath returns an address up to where its path begins, with a slash; "" where
// nothing can be hung on it.
func beforePath(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	authority, _, _ = strings.Cut(authority, "?")
	return scheme + "://" + authority + "/"
}

func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// batchWait is how long the answer to a batch may take once a later request has its own.
const batchWait = 1 * time.Second

// probeBatch sends two pings as one batch, where the server speaks the one revision
// that has batches, and in its newest legacy revision after that one, which has none.
// Source: MCP 2025-03-26 basic/index, Batching; 2025-06-18 changelog, 1.
func (r *run) probeBatch(ctx context.Context, capture *recording.Capture) {
	var with, without *recording.Session
	for _, s := range capture.Sessions {
		if s.Modern() || s.InitError != nil || len(s.Pages) == 0 || s.Pages[0].Failed != nil {
			continue
		}
		switch {
		case s.Negotiated == "2025-03-26":
			with = s
		case s.Negotiated > "2025-03-26" && (without == nil || s.Negotiated > without.Negotiated):
			without = s
		}
	}
	if with != nil {
		r.sendBatch(ctx, "batch", with)
	}
	if without != nil {
		r.sendBatch(ctx, "no-batch", without)
	}
}

// sendBatch sends two pings as one batch. The ping after it shows whether silence means
// that the server is slow.
func (r *run) sendBatch(ctx context.Context, name string, like *recording.Session) {
	b, end := r.prober(ctx, name, like)
	defer end()
	if b == nil || b.peer.agreed.Load().version != like.Negotiated {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, min(probeLimit, r.options.Timeouts.Request))
	defer cancel()
	b.peer.batched.Store(true)
	first, w := b.peer.prepare("ping", nil, nil)
	second, other := b.peer.prepare("ping", nil, nil)
	whole := first
	whole.raw = append(append(append([]byte("["), trimmed(first.raw)...), ','), append(trimmed(second.raw), ']')...)
	defer b.peer.abandon(second.id)
	if b.http != nil {
		defer b.peer.abandon(first.id)
		b.post(ctx, whole, w, nil)
		return
	}
	go b.peer.transmit(ctx, whole, w)
	b.ask(ctx, "ping", nil)
	late := time.After(batchWait)
	for _, one := range []*waiting{w, other} {
		select {
		case <-one.answered:
		case <-late:
			b.peer.abandon(first.id)
			return
		case <-ctx.Done():
			return
		}
	}
}

func trimmed(raw []byte) []byte { return []byte(strings.TrimSpace(string(raw))) }

// guessable is how many characters must differ between the ids of two sessions that
// are made by chance: fewer are a counter, or the time. Source: MCP 2025-11-25
// basic/transports, Session Management ("globally unique and cryptographically secure").
const guessable = 8

// compareIDs reports ids of two sessions that are the same, or of which the second can
// be made from the first. The ids themselves are secrets and stay out of the report.
func (p *peer) compareIDs(before string) {
	id := p.sessionID()
	switch {
	case id == "" || before == "":
	case id == before:
		p.journal.problem("session-shared", nil, "Two sessions were given the same Mcp-Session-Id")
	case differing(id, before) < guessable:
		p.journal.problem("session-guessable", nil, "The ids of two sessions differ in %d characters only: who has one can guess others", differing(id, before))
	}
}

// differing is the length of what is left of two texts without what both begin and
// end with, of the longer one.
func differing(a, b string) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}

// closed returns arguments with one that a closed schema does not have, nil where the
// schema is open.
func closed(input, good *schema.Value) *schema.Value {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if v := input.Get(keyword); v != nil && v.Kind == schema.Bool && !v.IsTrue() {
			return orEmpty(good).With(inventedArgument, schema.Str(inventedValue))
		}
	}
	return nil
}
