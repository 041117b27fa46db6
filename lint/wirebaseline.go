package lint

import (
	"bytes"
	"fmt"

	"github.com/hostmatrix/conform/recording"
)

// WireDifference is the first place at which an answer differs from its golden.
type WireDifference struct {
	Offset int    // bytes from the start, from 0
	Golden string // what stood there, up to 60 bytes
	Now    string // what stands there
}

func (d *WireDifference) Error() string {
	return fmt.Sprintf("differs at byte %d: it was %s, it is %s", d.Offset, quote(d.Golden), quote(d.Now))
}

// CompareWire compares the raw bytes of an answer with those of a golden and returns
// the first difference, nil when there is none. Byte equality is the promise that a
// server makes to its legacy clients (cloudflare/mcp 257); JSON equality is less.
func CompareWire(golden, now []byte) *WireDifference {
	if bytes.Equal(golden, now) {
		return nil
	}
	n := 0
	for n < len(golden) && n < len(now) && golden[n] == now[n] {
		n++
	}
	from := max(0, n-20)
	window := func(b []byte) string { return string(b[min(from, len(b)):min(len(b), n+40)]) }
	return &WireDifference{Offset: n, Golden: window(golden), Now: window(now)}
}

// WireAnswer is the raw result of one request, for a golden of the wire.
type WireAnswer struct {
	Session string // revision
	Request string // method, and the tool or cursor
	Bytes   []byte
}

// WireAnswers returns the bytes of the result member of every answer to tools/list
// and tools/call, as they passed; ids and HTTP headers are no part of it. Sessions
// without messages give none.
func WireAnswers(capture *recording.Capture) (out []WireAnswer) {
	cache := newShared("")
	for _, s := range capture.Sessions {
		raw := map[string][]byte{}
		for _, m := range s.Messages {
			if m.From != "server" || m.Kind != "message" {
				continue
			}
			if v := cache.parse(m.Bytes); v.Get("id") != nil && v.Get("result") != nil {
				r := v.Get("result")
				raw[idKey(v.Get("id"))] = m.Bytes[r.Start:r.End]
			}
		}
		for _, e := range cache.exchangesOf(s) {
			if e.ID == nil || e.Method != "tools/list" && e.Method != "tools/call" || raw[idKey(e.ID)] == nil {
				continue
			}
			name, _ := e.Params.Get("name").IsString()
			cursor, _ := e.Params.Get("cursor").IsString()
			out = append(out, WireAnswer{revisionOf(s), e.Method + " " + name + cursor, raw[idKey(e.ID)]})
		}
	}
	return out
}
