package wire

import (
	"bytes"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// line takes one line of a stdio server's stdout, which should be a message.
func (p *peer) line(raw []byte) *Error {
	trimmed := bytes.TrimRight(raw, "\r")
	if len(bytes.TrimSpace(trimmed)) == 0 {
		return nil
	}
	if looksLikeMessage(trimmed) {
		if drop, failure := p.surplusMessage(trimmed); drop {
			return failure
		}
		clean, failure := p.journal.received(kindMessage, raw)
		if failure != nil {
			return failure
		}
		v, err := p.decode(clean)
		if err != nil {
			p.garbled(clean, source{}, err)
			return nil
		}
		if p.dispatch(v, len(raw), source{}) {
			return nil
		}
		p.journal.relabelNoise()
		p.noise(clean)
		p.hollow(v, clean)
		return nil
	}
	clean, failure := p.journal.received(kindNoise, raw)
	if failure != nil {
		return failure
	}
	p.noise(clean)
	return nil
}

// hollow fails the request whose answer has neither a result nor an error, so that it
// does not wait for its limit.
func (p *peer) hollow(v *schema.Value, raw []byte) {
	if n, ours := ourID(v.Get("id")); ours && !v.Has("method") {
		p.failRequest(n, &Error{Kind: KindMalformed, Text: "the answer has neither a result nor an error", Raw: Printable(raw, rawMax),
			Hint: "Answer every request with one of the two; clients wait for it"})
	}
}

// byteOrderMark at the beginning of a message makes it none for every client.
var byteOrderMark = []byte("\ufeff")

// cutLine takes what stands after the last line break when stdout ends. A whole
// message that only lacks its line break counts; of a cut one, how the process
// ended says more than its syntax.
func (p *peer) cutLine(raw []byte) *Error {
	if !looksLikeMessage(raw) {
		return p.line(raw)
	}
	if _, err := schema.Parse(raw, schema.Limits{Depth: p.journal.limits.Depth}); err == nil {
		return p.line(raw)
	}
	clean, failure := p.journal.received(kindNoise, raw)
	p.journal.problem("cut-message", clean, "stdout ended in the middle of a message")
	return failure
}

// looksLikeMessage tells a line that is meant as a message, perhaps a broken
// one, from noise: it begins like JSON and speaks of JSON-RPC.
func looksLikeMessage(line []byte) bool {
	line = bytes.TrimPrefix(line, byteOrderMark)
	i := firstByte(line)
	if i == len(line) || (line[i] != '{' && line[i] != '[') {
		return false
	}
	has := func(key string) bool { return bytes.Contains(line, []byte(key)) }
	return has(`"jsonrpc"`) || (has(`"id"`) && (has(`"result"`) || has(`"error"`)))
}

// noise reports a line that is no message, and recognises a message that is
// written over several lines, which no client can read.
func (p *peer) noise(raw []byte) {
	p.journal.problem("stdout-noise", raw, "A line on stdout is no JSON-RPC message")
	text := strings.TrimSpace(string(raw))
	switch {
	case text == "{":
		p.partial = append([]byte(nil), raw...)
		return
	case p.partial == nil:
		return
	case len(p.partial)+len(raw) > sideBytes:
		p.partial = nil
		return
	}
	p.partial = append(append(p.partial, '\n'), raw...)
	if text != "}" {
		return
	}
	if v, err := schema.Parse(p.partial, schema.Limits{Depth: p.journal.limits.Depth}); err == nil && shapeOf(v) == shapeAnswer {
		if id, ok := ourID(v.Get("id")); ok {
			p.failRequest(id, &Error{Kind: KindMalformed, Text: "the answer is spread over several lines", Raw: Printable(p.partial, rawMax),
				Hint: "On stdio a message is one line without line breaks; do not pretty-print"})
		}
		p.partial = nil
	}
}
