package operation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// conditions are what "when" may ask of a view.
var conditions = map[string]func(*View) bool{
	"always":    func(*View) bool { return true },
	"rejected":  func(v *View) bool { return v.Rejected != "" },
	"malformed": func(v *View) bool { return v.Malformed },
	"meta":      func(v *View) bool { return v.Result.Has("_meta") },
	"lone-text": func(v *View) bool {
		blocks := slices.DeleteFunc(slices.Clone(v.Content), func(b *schema.Value) bool { kind, _ := b.Get("type").IsString(); return kind == "resource" })
		return len(blocks) == 1 && blockKind(blocks[0]) == "text"
	},
	"rpc-error":  func(v *View) bool { return v.RPCError != nil },
	"failed":     func(v *View) bool { return v.Rejected != "" || v.RPCError != nil },
	"refused":    func(v *View) bool { return v.Refused },
	"error":      func(v *View) bool { return v.IsError },
	"cut":        func(v *View) bool { return len(v.Cuts) > 0 },
	"omitted":    func(v *View) bool { return v.omitted > 0 },
	"blank-text": func(v *View) bool { return strings.TrimSpace(v.textBlocks("")) == "" },
	"stripped":   func(v *View) bool { return len(v.stripped) > 0 },
	"one-part":   func(v *View) bool { return len(v.Parts) == 1 },
	"audio":      func(v *View) bool { return v.hasBlock("audio") },
	"image":      func(v *View) bool { return v.hasBlock("image") },
	"structured": func(v *View) bool {
		return v.Structured != nil && v.Structured.Kind != schema.Null
	},
	"structured-or-null": func(v *View) bool { return v.Structured != nil },
	"no-words": func(v *View) bool {
		return !slices.ContainsFunc(v.Parts, func(p Part) bool { return strings.TrimSpace(p.Text) != "" })
	},
	"structured-in-text": func(v *View) bool {
		return v.Structured != nil && v.textBlocks("") == v.Structured.Compact()
	},
	"structured-scalar": func(v *View) bool {
		return v.Structured != nil && v.Structured.Kind != schema.Object && v.Structured.Kind != schema.Array
	},
	"structured-string": func(v *View) bool { return v.Structured != nil && v.Structured.Kind == schema.String },
	"structured-object": func(v *View) bool { return v.Structured != nil && v.Structured.Kind == schema.Object },
	"output-schema":     func(v *View) bool { return v.Tool.Has("outputSchema") },
	"no-content":        func(v *View) bool { return len(v.Content) == 0 },
	"one-text": func(v *View) bool {
		return len(v.Content) == 1 && blockKind(v.Content[0]) == "text"
	},
	"text-first": func(v *View) bool { return len(v.Content) > 0 && blockKind(v.Content[0]) == "text" },
	"one-block":  func(v *View) bool { return len(v.Content) == 1 },
	"only-text-images": func(v *View) bool {
		return !slices.ContainsFunc(v.Content, func(b *schema.Value) bool { return blockKind(b) != "text" && blockKind(b) != "image" })
	},
	"only-text": func(v *View) bool {
		return !slices.ContainsFunc(v.Content, func(b *schema.Value) bool { return blockKind(b) != "text" })
	},
}

// hasBlock asks the result itself: steps may have mapped Content.
func (v *View) hasBlock(kind string) bool {
	return slices.ContainsFunc(v.sent(), func(b *schema.Value) bool { return blockKind(b) == kind })
}

func holds(v *View, when []string) bool {
	for _, c := range when {
		name, negated := strings.CutPrefix(c, "not ")
		if conditions[name](v) == negated {
			return false
		}
	}
	return true
}

// expand replaces the template's names. Only names that occur are computed: a
// result may be large.
func (v *View) expand(template string) string {
	return fillTemplate(template, v.variable)
}

func (v *View) variable(name string) (string, bool) {
	base, form, _ := strings.Cut(name, ":")
	js := func(value *schema.Value) (string, bool) {
		switch form {
		case "2":
			return value.Stringify("  "), true
		case "raw":
			return value.Compact(), true
		}
		return value.Stringify(""), true
	}
	lines := func(text string) (string, bool) {
		if form == "4" {
			text = strings.ReplaceAll(text, "\n", "\n    ")
		}
		return text, true
	}
	switch base {
	case "tool":
		s, _ := v.Tool.Get("name").IsString()
		return s, true
	case "offered":
		return v.Name, true
	case "server":
		return v.Server, true
	case "words":
		return lines(v.Rejected)
	case "code", "data":
		if value := v.RPCError.Get(base); value != nil && value.Kind != schema.Null {
			return js(value)
		}
		return "", true
	case "message":
		s, _ := v.RPCError.Get("message").IsString()
		return lines(s)
	case "arguments":
		return js(v.Arguments)
	case "result":
		return js(v.Result)
	case "body":
		return js(v.Result.Without("_meta"))
	case "typed":
		return js(v.typed())
	case "content":
		return js(schema.List(v.Content...))
	case "structured":
		return js(v.Structured)
	case "audio_mime":
		for _, b := range v.Content {
			if blockKind(b) == "audio" {
				mime, _ := b.Get("mimeType").IsString()
				return mime, true
			}
		}
		return "", true
	case "text":
		text := v.textBlocks("\n")
		if form == "trim" {
			text = strings.TrimSpace(text)
		}
		return text, true
	case "first_text":
		for _, b := range v.Content {
			if blockKind(b) == "text" {
				text, _ := b.Get("text").IsString()
				return text, true
			}
		}
		return "", true
	case "structured_text":
		text, _ := v.Structured.IsString()
		return text, true
	case "meta":
		return js(v.Result.Get("_meta"))
	case "unwrapped":
		return js(v.Result.Without("resultType"))
	case "code_name":
		code := v.RPCError.Get("code")
		if code == nil {
			return "", true
		}
		return rpcCodes[code.Text], true
	case "named_message":
		name, message := v.expand("{code_name}"), v.expand("{message}")
		if name == "" || message == "" || name == message {
			return cmp.Or(name, message), true
		}
		return name + ": " + message, true
	case "stripped":
		return strings.Join(v.stripped, ", "), true
	case "mcp_error":
		return v.expand("MCP error {code}: {message}"), true
	case "omitted":
		return strconv.Itoa(v.omitted), true
	case "s":
		return map[bool]string{true: "s"}[v.omitted != 1], true
	}
	return "", false
}

// typed is the result as a program gets it that keeps the members it knows.
func (v *View) typed() *schema.Value {
	members := []schema.Member{{Key: "content", Value: schema.List(v.Content...)}}
	if v.Structured != nil {
		members = append(members, schema.Member{Key: "structuredContent", Value: v.Structured})
	}
	if mark := v.Result.Get("isError"); mark != nil && mark.Kind != schema.Null {
		members = append(members, schema.Member{Key: "isError", Value: mark})
	}
	return schema.Obj(members...)
}

// textBlocks joins the texts of the text blocks.
func (v *View) textBlocks(separator string) string {
	var texts []string
	for _, b := range v.Content {
		if kind, _ := b.Get("type").IsString(); kind == "text" {
			text, _ := b.Get("text").IsString()
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, separator)
}

// rpcCodes are the names that JSON-RPC 2.0, section 5.1, gives its codes, and two
// that MCP clients know besides (mcp-go 1.2.1).
var rpcCodes = map[string]string{
	"-32700": "parse error", "-32600": "invalid request", "-32601": "method not found",
	"-32602": "invalid params", "-32603": "internal error",
	"-32002": "resource not found", "-32800": "request interrupted",
}
