package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

func init() {
	Register(Format{Name: "json", Doc: "the canonical report, conform-report/1", Write: writeJSON})
}

// writeJSON writes one member per line and the elements of lists one per line, so
// that two reports compare well with line tools and a large one stays small.
func writeJSON(w io.Writer, r *verdict.Report, _ Options) error {
	b := bufio.NewWriter(w)
	b.WriteString("{\n")
	member(b, "format", r.Format)
	member(b, "conform", r.Conform)
	member(b, "target", r.Target)
	if len(r.Servers) > 0 {
		list(b, "servers", r.Servers)
	}
	list(b, "hosts", r.Hosts)
	list(b, "tools", r.Tools)
	list(b, "cells", r.Cells)
	list(b, "advice", r.Advice)
	if len(r.NotChecked) > 0 {
		list(b, "not_checked", r.NotChecked)
	}
	if len(r.Evidence) > 0 {
		member(b, "evidence", r.Evidence)
	}
	if r.Shard != nil {
		member(b, "shard", r.Shard)
	}
	fmt.Fprintf(b, "%q: %s\n}\n", "summary", compact(r.Summary))
	return b.Flush()
}

func member(b *bufio.Writer, key string, value any) { fmt.Fprintf(b, "%q: %s,\n", key, compact(value)) }

func list[T any](b *bufio.Writer, key string, items []T) {
	fmt.Fprintf(b, "%q: [", key)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(compact(item))
	}
	if len(items) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("],\n")
}

// compact is JSON without HTML escapes: host texts hold < and > and must be found
// as they are. What moves a cursor, hides or reorders is written as an escape, which is
// the same value: a report may be looked at in a terminal. Report values always encode.
func compact(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Sprintf("reports: a report value does not encode: %v", err))
	}
	return escapeUnsafe(bytes.TrimRight(b.Bytes(), "\n"))
}

// escapeUnsafe writes the characters of JSON that are not safe to print as \u escapes;
// the controls of ASCII but DEL are escaped already.
func escapeUnsafe(text []byte) []byte {
	unsafe := func(r rune) bool { return r >= 0x7f && recording.UnsafeRune(r) }
	at := bytes.IndexFunc(text, unsafe)
	if at < 0 {
		return text
	}
	out := bytes.Clone(text[:at])
	for _, r := range string(text[at:]) {
		switch {
		case !unsafe(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
