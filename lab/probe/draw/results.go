package main

import (
	"fmt"
	"math"
	"strings"
)

// Small true files of each type.
const (
	png  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	gif  = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	wave = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
	text = "aGVsbG8="
)

// result draws a result that the specification allows.
func (d drawer) result() string {
	var blocks []string
	for range d.IntN(4) {
		blocks = append(blocks, d.block())
	}
	structured := "{" + strings.TrimPrefix(d.object(func() string { return d.value(2) }), "{")
	return fmt.Sprintf(`{"content": [%s]%s%s}`, strings.Join(blocks, ", "),
		d.optional(35, `"structuredContent": `+structured, `"isError": `+d.one("true", "false")), d.optional(15, `"_meta": `+d.one(`{}`, `{"x.y/z": 1}`), `"more": 1`))
}

// block draws a content block.
func (d drawer) block() string {
	about := func() string {
		return d.optional(15, `"_meta": `+d.one(`{}`, `{"a": [1]}`), `"annotations": `+d.one(`{}`, `{"audience": ["user"]}`, `{"audience": ["assistant"], "priority": 0.5}`, `{"lastModified": "2026-01-02T03:04:05Z"}`))
	}
	uri := func() string {
		return quote(d.one("file:///a.txt", "https://e.com/a?b=c#d", "mem://x/1", "ui://app/page.html", "urn:x:1", "data:text/plain,hi"))
	}
	switch d.IntN(8) {
	case 0:
		return fmt.Sprintf(`{"type": "image", "mimeType": %s, "data": %s%s}`, quote(d.one("image/png", "image/gif", "image/png", "image/svg+xml", "image/bmp")), quote(d.one(png, png, gif)), about())
	case 1:
		return fmt.Sprintf(`{"type": "audio", "mimeType": %s, "data": %s%s}`, quote(d.one("audio/wav", "audio/mpeg", "audio/ogg")), quote(wave), about())
	case 2:
		return fmt.Sprintf(`{"type": "resource", "resource": {"uri": %s, "text": %s%s}%s}`, uri(), quote(d.words()), d.optional(60, `"mimeType": `+quote(d.one("text/plain", "text/html", "application/json", "text/html;profile=mcp-app"))), about())
	case 3:
		return fmt.Sprintf(`{"type": "resource", "resource": {"uri": %s, "blob": %s%s}%s}`, uri(), quote(d.one(png, text, wave, "")), d.optional(70, `"mimeType": `+quote(d.one("image/png", "application/octet-stream", "audio/wav", "application/pdf", "text/plain"))), about())
	case 4:
		return fmt.Sprintf(`{"type": "resource_link", "uri": %s, "name": %s%s%s}`, uri(), quote(d.one("link", "a b.txt", "温度")), d.optional(35, `"description": `+quote(d.one("d", "", "two\nlines")), `"mimeType": `+quote(d.one("text/plain", "image/png")), `"title": "T"`, `"size": `+d.one("0", "12")), about())
	case 5:
		return fmt.Sprintf(`{"type": "text", "text": %s%s}`, quote(d.value(2)), about())
	default:
		return fmt.Sprintf(`{"type": "text", "text": %s%s}`, quote(d.words()), about())
	}
}

// long draws a text, in one block or two or as structuredContent, whose size is as
// likely to be between one and two thousand units as between 100 and 200 thousand.
func (d drawer) long() string {
	size := int(1000 * math.Exp(d.Float64()*math.Log(300)))
	piece := d.one("y", "ab c ", "é", "温", "🚢", `"q" `)
	body := fmt.Sprintf(`{"$text": {"head": "H ", "repeat": %s, "times": %d, "tail": " T"}}`, quote(piece), size/len([]rune(piece)))
	if d.chance(40) {
		width := 5 + d.IntN(200)
		body = fmt.Sprintf(`{"$text": {"line": %s, "count": %d}}`, quote(strings.Repeat("z", width)+" {i}\n"), max(1, size/(width+4)))
	}
	switch d.IntN(6) {
	case 0:
		return fmt.Sprintf(`{"content": [], "structuredContent": {"v": %s}}`, body)
	case 1:
		return fmt.Sprintf(`{"content": [{"type": "text", "text": %s}, {"type": "text", "text": %s}]}`, body, quote(d.words()))
	case 2:
		return fmt.Sprintf(`{"content": [{"type": "text", "text": %s}], "isError": true}`, body)
	}
	return fmt.Sprintf(`{"content": [{"type": "text", "text": %s}]}`, body)
}
