package lint

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// mediaRules are about what data says of itself.
func mediaRules() []*Rule {
	return []*Rule{
		{ID: "result-media", Title: "An image is of another type than its mimeType says", Covers: []string{"TC2"}, Stage: verdict.Result, Level: Quality,
			Why:    "The APIs of models refuse a picture whose first bytes belong to another type, and with it the whole conversation.",
			Source: "schema.json, ImageContent.mimeType; observed: HTTP 400 of a model API (\"image does not match the provided media type\")", Wrong: `{"type":"image","mimeType":"image/jpeg","data":"iVBORw0KGgo…"}`, Right: `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo…"}`, Run: runMedia},
		{ID: "resource-size", Title: "A resource has another size than it is listed with", Covers: []string{"R28", "RES"}, Stage: verdict.Result, Level: Quality,
			Why:    "Hosts show the size and guess by it whether the resource fits into the model's context. What grows, as logs do, is let pass up to twice its size.",
			Source: "schema.json, Resource.size", Wrong: `"size":999999 for 17 bytes`, Right: `"size":17`, Run: runResourceSize},
	}
}

// signatures are the first bytes of the types that model APIs take, by type. Source:
// the PNG, JFIF and GIF specifications.
var signatures = []struct {
	kind  string
	begin []byte
}{{"image/png", []byte("\x89PNG\r\n\x1a\n")}, {"image/jpeg", []byte("\xff\xd8\xff")}, {"image/gif", []byte("GIF8")}}

// signatureBytes is how much of the base64 text is decoded: enough for the longest
// signature, a multiple of four.
const signatureBytes = 16

func runMedia(p *Pass) ([]Finding, error) {
	return eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		eachBlock(result, func(at string, block *schema.Value) {
			data, _ := block.Get("data").IsString()
			said, typed := block.Get("mimeType").IsString()
			if kind, _ := block.Get("type").IsString(); kind != "image" || !typed || len(data) < signatureBytes {
				return
			}
			head, err := base64.StdEncoding.DecodeString(data[:signatureBytes])
			if err != nil {
				return // result-block looks at that
			}
			for _, s := range signatures {
				if bytes.HasPrefix(head, s.begin) && media(said) != s.kind && strings.Replace(media(said), "jpg", "jpeg", 1) != s.kind {
					report(at+"/mimeType", "The data is %s, mimeType says %s", s.kind, quote(said))
				}
			}
		})
	})(p)
}

func runResourceSize(p *Pass) (out []Finding, err error) {
	listed := p.listedAs()
	p.EachExchange(func(e *Exchange) {
		uri, _ := e.Params.Get("uri").IsString()
		contents := items(e.Result.Get("contents"))
		r, ok := listed[revisionOf(e.Session)+"\x00"+uri].Get("size").Exact()
		if e.Method != "resources/read" || !ok || !r.IsInt() || !r.Num().IsInt64() || len(contents) != 1 {
			return
		}
		said, have := r.Num().Int64(), int64(0)
		if text, ok := contents[0].Get("text").IsString(); ok {
			have = int64(len(text))
		} else if blob, ok := contents[0].Get("blob").IsString(); ok {
			have = int64(base64.StdEncoding.DecodedLen(len(blob)))
		}
		if said > 2*have+2 || have > 2*said+2 {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s is listed with %d bytes and reads as %d", quote(uri), said, have)})
		}
	})
	return out, nil
}
