package operation

import (
	"cmp"
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
	ImageOther   *string  `json:"image_other"`
	Pictures     []string `json:"pictures"`
	PictureTypes []string `json:"picture_types"`
	Decoded      bool     `json:"decoded"`
	Signed       bool     `json:"signed"`
	AsDeclared   bool     `json:"as_declared"`
	Sniffed      []string `json:"sniffed"`
	Loosely      bool     `json:"loosely"`
	BlobPictures bool     `json:"blob_pictures"`
	ImageEmpty   *string  `json:"image_empty"`
	ImageBroken  *string  `json:"image_broken"`
	Trim         bool     `json:"trim"`
	Attached     []string `json:"attached"`
	Stripped     []string `json:"stripped"`
	Escape       []string `json:"escape"`
	Beside       []string `json:"beside"`
	Separator    *string  `json:"separator"`
	Empty        string   `json:"empty"`
	Blank        bool     `json:"blank"`
	When         []string `json:"when"`
	Mark         *bool    `json:"mark"`
	SkipEmpty    bool     `json:"skip_empty"`
	SkipBlank    bool     `json:"skip_blank"`
	SkipResource bool     `json:"skip_empty_resource"`
	SkipBlob     bool     `json:"skip_empty_blob"`
	Structured   string   `json:"structured"`
}

func init() {
	RegisterRender(Render{
		Name: "blocks",
		Doc: `Shows the content blocks one by one and ends the rendering. Each of text, image, audio, resource (with text), blob (resource with blob), ` +
			`image_blob (the same with an image type), resource_link and other is a template for its kind of block: {text}, {uri}, {name}, {title}, {label} (title, else name), {description}, {mime}, {image_mime} (as the data starts, else {mime}), {data}, {bytes}, {link_size}, ` +
			`{size} (bytes as 44 bytes, 1.5KB, 2MB), {whole_size} (as 44 B, 2 KB, 2 MB, rounded up), {block} (compact JSON; {block:raw} with numbers and members as the server wrote them), {json:NAME} (its member NAME as JSON, null without), {block_meta} and {resource_meta} (their _meta), {python_annotations} (annotations as the Python SDK dumps them), {server}, {tool}; {x|other} stands for other where x is empty, {{ … {x} … }} is left out then, {"x"} is a JSON string; ` +
			`a kind without a template is left out. "picture_types" are the MIME types of images that the host takes for such; other images are "image_other", other image blobs "blob"; "decoded": true takes no image for one that is not a whole PNG, JPEG, GIF or WebP, "signed": true none whose data does not start as one of them, "as_declared": true none whose data starts otherwise than its MIME type says; blobs of the MIME types "sniffed" are image_blob where their data starts as a picture; "loosely": true reads MIME types of images in any case, without parameters, and image/jpg as image/jpeg; "blob_pictures": true counts an image blob that is no picture as image_other; "image_empty" is for images without data, "image_broken" for those whose data starts as no picture; images of the MIME types "sniffed" are taken for such where their data is; later steps know how many are left out as {omitted}, with {s} for the plural. "stripped" are prefixes of MIME types whose data is taken out; later steps know the types as {stripped}. "escape" lists pairs that are replaced in {text}. Blobs of the MIME types "attached" go along as files, which is kind "attached". "skip_empty", "skip_empty_resource", "skip_empty_blob" and "skip_blank" leave out empty texts, empty resources, resources with an empty blob and white space. Kinds listed in "pictures" also reach the model as an image ("image_link" is a resource_link to one), kinds in "beside" as one in a message of its own. ` +
			`"separator" joins the texts into one part, "trim": true then without white space at its ends; without it each block is a part. "empty" is shown when no text is; with "blank": true when there is no picture and nothing but white space, and in its place. ` +
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
		kind := p.kind(b)
		if p.SkipBlob && emptyBlob(b) {
			continue
		}
		if kind == "image_other" {
			v.omitted++
		}
		stripped := p.strips(kind, b, v)
		if template := p.template(kind); template != nil {
			if text := p.expand(*template, b, v); !p.skip(kind, text, b) {
				parts = append(parts, Part{"text", text})
			}
		}
		if slices.Contains(p.Pictures, kind) && !stripped {
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
	if p.Empty != "" && p.nothing(v.Parts) {
		if p.Blank {
			v.Parts = nil
		}
		v.Parts = append(v.Parts, Part{"text", v.expand(p.Empty)})
	}
	if p.Separator != nil && slices.ContainsFunc(v.Parts, func(x Part) bool { return x.Kind == "text" }) {
		v.joinText(*p.Separator, func(s string) string {
			if p.Trim {
				return strings.TrimSpace(s)
			}
			return s
		})
	}
	if p.Mark != nil {
		v.ErrorShown = p.Mark
	}
	return nil
}

// skip reports whether a text is left out because there is nothing in it.
func (p blockRules) skip(kind, text string, b *schema.Value) bool {
	if own, _ := blockVariable(b, nil, "text"); p.SkipResource && kind == "resource" && own == "" {
		return true
	}
	return p.SkipEmpty && text == "" || p.SkipBlank && strings.TrimSpace(text) == ""
}

// expand fills a template, the block's own text escaped as the host does.
func (p blockRules) expand(template string, b *schema.Value, v *View) string {
	if len(p.Escape) == 0 || len(p.Escape)%2 != 0 {
		return expandBlock(template, b, v)
	}
	escape := strings.NewReplacer(p.Escape...)
	return fillTemplate(template, func(name string) (string, bool) {
		text, ok := blockVariable(b, v, name)
		if name == "text" {
			text = escape.Replace(text)
		}
		return text, ok
	})
}

// strips notes the MIME type of data that the host takes out of the result.
func (p blockRules) strips(kind string, b *schema.Value, v *View) bool {
	mime, _ := blockVariable(b, v, "mime")
	if kind == "text" || kind == "resource" || kind == "resource_link" ||
		!slices.ContainsFunc(p.Stripped, func(prefix string) bool { return strings.HasPrefix(mime, prefix) }) {
		return false
	}
	if !slices.Contains(v.stripped, mime) {
		v.stripped = append(v.stripped, mime)
	}
	return true
}

// nothing reports whether what is shown counts as empty.
func (p blockRules) nothing(parts []Part) bool {
	return !slices.ContainsFunc(parts, func(x Part) bool {
		if p.Blank {
			return x.Kind != "text" || strings.TrimSpace(x.Text) != ""
		}
		return x.Kind == "text"
	})
}

// kind is the kind of a block as this host tells them apart.
func (p blockRules) kind(b *schema.Value) string {
	kind := blockKind(b)
	mime, _ := blockVariable(b, nil, "mime")
	if p.Loosely {
		mime = plainMIME(mime)
	}
	data, _ := blockVariable(b, nil, "data")
	if (kind == "blob" || kind == "image_blob") && slices.Contains(p.Attached, mime) {
		if kind == "image_blob" && p.Decoded && !decodes(data) {
			return "image_other"
		}
		return "attached"
	}
	if kind == "blob" && slices.Contains(p.Sniffed, mime) && isPicture(data) {
		return "image_blob"
	}
	if kind == "resource_link" && strings.HasPrefix(mime, "image/") && slices.Contains(p.Pictures, "image_link") {
		return "image_link"
	}
	if kind != "image" && kind != "image_blob" {
		return kind
	}
	switch {
	case data == "" && p.ImageEmpty != nil:
		return "image_empty"
	case slices.Contains(p.Sniffed, mime) && isPicture(data):
		return kind
	case p.ImageBroken != nil && slices.Contains(p.PictureTypes, mime) && !isPicture(data):
		return "image_broken"
	}
	if (len(p.PictureTypes) == 0 || slices.Contains(p.PictureTypes, mime)) && (!p.Decoded || decodes(data)) && (!p.Signed || isPicture(data)) && (!p.AsDeclared || imageType(data) == mime) {
		return kind
	}
	if kind == "image" || p.BlobPictures {
		return "image_other"
	}
	return "blob"
}

func (p blockRules) template(kind string) *string {
	switch kind {
	case "text":
		return p.Text
	case "image":
		return p.Image
	case "image_other":
		return p.ImageOther
	case "image_empty":
		return p.ImageEmpty
	case "image_broken":
		return p.ImageBroken
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
	case "resource_link", "image_link":
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
	return fillTemplate(template, func(name string) (string, bool) { return blockVariable(b, v, name) })
}

func blockVariable(b *schema.Value, v *View, name string) (string, bool) {
	field := func(name string) string {
		if s, ok := b.Get(name).IsString(); ok {
			return s
		}
		s, _ := b.Get("resource").Get(name).IsString()
		return s
	}
	if member, ok := strings.CutPrefix(name, "json:"); ok {
		return cmp.Or(rawText(b.Get(member)), "null"), true
	}
	switch name {
	case "text", "uri", "name", "title", "description":
		return field(name), true
	case "label": // what a person reads
		if title := field("title"); title != "" {
			return title, true
		}
		return field("name"), true
	case "mime":
		return field("mimeType"), true
	case "data":
		return field("data") + field("blob"), true
	case "image_mime":
		return cmp.Or(imageType(field("data")+field("blob")), field("mimeType")), true
	case "bytes":
		return strconv.Itoa(base64Size(field("data") + field("blob"))), true
	case "size":
		return fileSize(base64Size(field("data") + field("blob"))), true
	case "link_size":
		if size := b.Get("size"); size != nil && size.Kind == schema.Number {
			return size.Text, true
		}
		return "", true
	case "whole_size":
		return wholeSize(base64Size(field("data") + field("blob"))), true
	case "block":
		return b.Stringify(""), true
	case "block:raw":
		return b.Compact(), true
	case "block_meta":
		return rawText(b.Get("_meta")), true
	case "resource_meta":
		return rawText(b.Get("resource").Get("_meta")), true
	case "python_annotations":
		return pythonAnnotations(b.Get("annotations")), true
	case "server":
		return v.Server, true
	case "tool":
		tool, _ := v.Tool.Get("name").IsString()
		return tool, true
	}
	return "", false
}

// emptyBlob reports whether a block is a resource whose blob has no data.
func emptyBlob(b *schema.Value) bool {
	blob, ok := b.Get("resource").Get("blob").IsString()
	return ok && blob == "" && blockKind(b) != "resource"
}

// rawText is the compact JSON of a member, "" without one.
func rawText(v *schema.Value) string {
	if v == nil {
		return ""
	}
	return v.Compact()
}

// pythonAnnotations are annotations as the Python SDK's model dumps them: its names,
// null for what is not there. Source: mcp 2.3.0 under openai-agents 0.24.0, observed.
func pythonAnnotations(annotations *schema.Value) string {
	if annotations == nil || annotations.Kind != schema.Object {
		return ""
	}
	var members []schema.Member
	for _, name := range [][2]string{{"audience", "audience"}, {"priority", "priority"}, {"lastModified", "last_modified"}} {
		value := annotations.Get(name[0])
		if value == nil {
			value = &schema.Value{Kind: schema.Null}
		}
		members = append(members, schema.Member{Key: name[1], Value: value})
	}
	return schema.Obj(members...).Compact()
}

// fileSize words a number of bytes as JavaScript programs do: 44 bytes, 59.3KB, 1MB.
func fileSize(n int) string {
	size := float64(n) / 1024
	if size < 1 {
		return strconv.Itoa(n) + " bytes"
	}
	for _, unit := range []string{"KB", "MB"} {
		if size < 1024 {
			return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + unit
		}
		size /= 1024
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + "GB"
}

func base64Size(data string) int {
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return len(data) * 3 / 4
	}
	return len(decoded)
}
