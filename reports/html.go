package reports

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "html", Doc: "one page without network: the matrix to filter, open and share", Write: writeHTML})
}

//go:embed page
var pageFiles embed.FS

// scripts of the page in the order in which they are joined.
var pageScripts = []string{"data.js", "json.js", "filter.js", "grid.js", "place.js", "detail.js", "lists.js", "print.js", "main.js"}

// packFrom is the size in bytes from which the data is compressed: a small page
// stays readable in an editor, a large one stays small enough to send.
const packFrom = 512 << 10

// writeHTML writes one self-contained file. What a server said only ever stands in
// a data block, as JSON with every <, > and & escaped, and reaches the document as
// text; a content security policy allows the page's own script and style by digest
// and nothing else.
func writeHTML(w io.Writer, r *verdict.Report, _ Options) error {
	data, err := json.Marshal(pageData(r))
	if err != nil {
		return fmt.Errorf("encoding the page's data: %w", err)
	}
	encoding := "json"
	if len(data) > packFrom {
		encoding = "gzip"
		if data, err = pack(data); err != nil {
			return err
		}
	}
	a := pageAssets()
	return a.shell.Execute(w, map[string]any{
		"Policy":   a.policy,
		"Title":    pageTitle(r),
		"Style":    template.CSS(a.style),
		"Script":   template.JS(a.script),
		"Data":     template.JS(data),
		"Encoding": encoding,
	})
}

func pageTitle(r *verdict.Report) string {
	name := inline(r.Target.Name)
	if name == "" {
		name = "server"
	}
	return fmt.Sprintf("%s in %s", name, plural(len(r.Hosts), "host"))
}

// pack compresses data and writes it in base64 as a JSON string.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	out := make([]byte, 0, base64.StdEncoding.EncodedLen(b.Len())+2)
	out = append(out, '"')
	out = base64.StdEncoding.AppendEncode(out, b.Bytes())
	return append(out, '"'), nil
}

type assets struct {
	shell                 *template.Template
	style, script, policy string
}

// pageAssets reads the embedded files once. They are part of the program: a fault
// in them is a build fault.
var pageAssets = sync.OnceValue(func() assets {
	read := func(name string) string {
		text, err := fs.ReadFile(pageFiles, "page/"+name)
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range pageScripts {
		script.WriteString(read(name))
	}
	script.WriteString("})();\n")
	a := assets{
		shell:  template.Must(template.New("page").Parse(read("page.html"))),
		style:  read("page.css"),
		script: script.String(),
	}
	a.policy = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src " +
		digestSource(a.style) + "; script-src " + digestSource(a.script)
	return a
})

// digestSource names a text in a content security policy.
func digestSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
