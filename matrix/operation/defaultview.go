package operation

import (
	"strings"
	"unicode/utf16"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/schema"
)

// DefaultView renders a result by the coarse claims (view.surface, view.blocks,
// view.limit) of hosts whose exact text nobody recorded.
func DefaultView(v *View, surface *capabilities.Surface, blocks *capabilities.Blocks, limit *capabilities.Cut) {
	if v.Rejected != "" {
		v.Parts = []Part{{"text", v.Rejected}}
		return
	}
	if v.RPCError != nil {
		message, _ := v.RPCError.Get("message").IsString()
		v.Parts = []Part{{"text", message}}
		return
	}
	prefers := surface.Prefers
	if v.IsError && surface.OnError != "" {
		prefers = surface.OnError
	}
	structured := v.Structured != nil && (surface.Needs != "output-schema" || v.Tool.Has("outputSchema"))
	switch {
	case prefers == "raw":
		v.Parts = []Part{{"text", v.Result.Stringify("")}}
	case !structured:
		v.showContent(blocks)
	case prefers == "structured":
		v.showStructured()
		if blocks != nil && blocks.WithStructured == "shown" {
			v.showNonText(blocks)
		}
	case prefers == "structured+content":
		v.showStructured()
		v.showContent(blocks)
	case prefers == "content+structured":
		v.showContent(blocks)
		v.showStructured()
	default: // content
		if len(v.Content) == 0 {
			v.structuredOnly(surface.StructuredOnly)
		} else {
			v.showContent(blocks)
		}
	}
	v.markUnknown = surface.ErrorMark == nil
	if surface.ErrorMark != nil && *surface.ErrorMark {
		mark := v.IsError
		v.ErrorShown = &mark
	}
	if limit != nil {
		v.cut(limit)
	}
}

func (v *View) showStructured() {
	v.Parts = append(v.Parts, Part{"text", v.Structured.Stringify("")})
}

func (v *View) structuredOnly(rule string) {
	switch literal, ok := strings.CutPrefix(rule, "text:"); {
	case ok:
		v.Parts = append(v.Parts, Part{"text", literal})
	case rule == "structured":
		v.showStructured()
	}
}

func (v *View) showContent(blocks *capabilities.Blocks) {
	for _, b := range v.Content {
		if p, ok := blockPart(b, blocks); ok {
			v.Parts = append(v.Parts, p)
		}
	}
}

func (v *View) showNonText(blocks *capabilities.Blocks) {
	for _, b := range v.Content {
		if kind, _ := b.Get("type").IsString(); kind == "text" {
			continue
		}
		if p, ok := blockPart(b, blocks); ok {
			v.Parts = append(v.Parts, p)
		}
	}
}

// blockPart shows one content block as the claims say; unclaimed types are shown.
func blockPart(b *schema.Value, blocks *capabilities.Blocks) (Part, bool) {
	kind, _ := b.Get("type").IsString()
	rule := ""
	if blocks != nil {
		rule = map[string]string{"text": blocks.Text, "image": blocks.Image, "audio": blocks.Audio,
			"resource": blocks.Resource, "resource_link": blocks.ResourceLink}[kind]
		if kind == "resource" && b.Get("resource").Has("blob") && blocks.Blob != "" {
			rule = blocks.Blob
		}
	}
	switch rule {
	case "lost":
		return Part{}, false
	case "placeholder":
		return Part{"text", "<" + kind + ">"}, true
	}
	switch kind {
	case "text":
		text, _ := b.Get("text").IsString()
		return Part{"text", text}, true
	case "image", "audio":
		return Part{kind, ""}, true
	case "resource":
		if text, ok := b.Get("resource").Get("text").IsString(); ok {
			return Part{"text", text}, true
		}
	}
	return Part{"text", b.Stringify("")}, true
}

// cut applies a length limit to the text parts together.
func (v *View) cut(limit *capabilities.Cut) {
	for i, p := range v.Parts {
		if p.Kind != "text" {
			continue
		}
		units := utf16.Encode([]rune(p.Text))
		length := len(units)
		if limit.Unit == "bytes" {
			length = len(p.Text)
		}
		if length <= limit.Max {
			continue
		}
		head, tail := limit.Head, limit.Tail
		if head == 0 && tail == 0 {
			head = limit.Max
		}
		head, tail = min(head, len(units)), min(tail, len(units))
		v.Cuts = append(v.Cuts, CutMark{Kept: head + tail, Of: len(units), Marker: limit.Marker})
		v.Parts[i].Text = string(utf16.Decode(units[:head])) + limit.Marker + string(utf16.Decode(units[len(units)-tail:]))
	}
}

// SayFailed replaces what is shown of a JSON-RPC error by a template as in say.
func (v *View) SayFailed(template string) { v.Parts = []Part{{"text", v.expand(template)}} }
