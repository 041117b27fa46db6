package operation

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// blockRules are the templates of the "blocks" step by kind of block.
type blockRules struct {
	Text         *string  `json:"text"`
	Image        *string  `json:"image"`
	Audio        *string  `json:"audio"`
	Resource     *string  `json:"resource"`
	Blob         *string  `json:"blob"`
	ImageBlob    *string  `json:"image_blob"`
	ResourceLink *string  `json:"resource_link"`
	Other        *string  `json:"other"`
	Pictures     []string `json:"pictures"`
	Beside       []string `json:"beside"`
	Separator    *string  `json:"separator"`
	Empty        string   `json:"empty"`
	When         []string `json:"when"`
	Mark         *bool    `json:"mark"`
	SkipEmpty    bool     `json:"skip_empty"`
	Structured   string   `json:"structured"`
}

func init() {
	RegisterRender(Render{
		Name: "blocks",
		Doc: `Shows the content blocks one by one and ends the rendering. Each of text, image, audio, resource (with text), blob (resource with blob), ` +
			`image_blob (the same with an image type), resource_link and other is a template for its kind of block: {text}, {uri}, {name}, {mime}, {data}, {bytes}, ` +
			`{block} (compact JSON), {server}, {tool}; a kind without a template is left out. Kinds listed in "pictures" also reach the model as an image, kinds in "beside" as one in a message of its own. ` +
			`"separator" joins the texts into one part; without it each block is a part. "empty" is shown when nothing is. ` +
			`"structured" is a template shown after the blocks when there is structuredContent. "when" and "mark" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p blockRules
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			for _, c := range p.When {
				if _, ok := conditions[strings.TrimPrefix(c, "not ")]; !ok {
					return nil, fmt.Errorf("blocks: no condition %q", c)
				}
			}
			return p.render, nil
		},
	})
}

func (p blockRules) render(v *View) error {
	if v.done || !holds(v, p.When) {
		return nil
	}
	v.done = true
	var parts []Part
	for _, b := range v.Content {
		kind := blockKind(b)
		if template := p.template(kind); template != nil {
			if text := expandBlock(*template, b, v); text != "" || !p.SkipEmpty {
				parts = append(parts, Part{"text", text})
			}
		}
		if slices.Contains(p.Pictures, kind) {
			parts = append(parts, Part{Kind: "image"})
		}
		if slices.Contains(p.Beside, kind) {
			parts = append(parts, Part{Kind: "image-beside"})
		}
	}
	if p.Structured != "" && v.Structured != nil {
		parts = append(parts, Part{"text", v.expand(p.Structured)})
	}
	v.Parts = append(v.Parts, parts...)
	if !slices.ContainsFunc(v.Parts, func(x Part) bool { return x.Kind == "text" }) && p.Empty != "" {
		v.Parts = append(v.Parts, Part{"text", v.expand(p.Empty)})
	}
	if p.Separator != nil {
		v.joinText(*p.Separator, func(s string) string { return s })
	}
	if p.Mark != nil {
		v.ErrorShown = p.Mark
	}
	return nil
}

func (p blockRules) template(kind string) *string {
	switch kind {
	case "text":
		return p.Text
	case "image":
		return p.Image
	case "audio":
		return p.Audio
	case "resource":
		return p.Resource
	case "blob":
		return p.Blob
	case "image_blob":
		if p.ImageBlob != nil {
			return p.ImageBlob
		}
		return p.Blob
	case "resource_link":
		return p.ResourceLink
	}
	return p.Other
}

func blockKind(b *schema.Value) string {
	kind, _ := b.Get("type").IsString()
	if kind != "resource" {
		return kind
	}
	resource := b.Get("resource")
	if resource.Has("text") || !resource.Has("blob") {
		return "resource"
	}
	if mime, _ := resource.Get("mimeType").IsString(); strings.HasPrefix(mime, "image/") {
		return "image_blob"
	}
	return "blob"
}

// expandBlock fills a template from one block; resources answer for their parts.
func expandBlock(template string, b *schema.Value, v *View) string {
	field := func(name string) string {
		if s, ok := b.Get(name).IsString(); ok {
			return s
		}
		s, _ := b.Get("resource").Get(name).IsString()
		return s
	}
	data := field("data") + field("blob")
	tool, _ := v.Tool.Get("name").IsString()
	return strings.NewReplacer(
		"{text}", field("text"), "{uri}", field("uri"), "{name}", field("name"), "{mime}", field("mimeType"),
		"{title}", field("title"), "{description}", field("description"),
		"{data}", data, "{bytes}", strconv.Itoa(base64Size(data)), "{block}", b.Stringify(""), "{server}", v.Server, "{tool}", tool,
	).Replace(template)
}

func base64Size(data string) int {
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return len(data) * 3 / 4
	}
	return len(decoded)
}
