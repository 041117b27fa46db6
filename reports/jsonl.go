package reports

import (
	"bufio"
	"io"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "jsonl", Doc: "one JSON object a line: header, hosts, tools, cells, advice, evidence, summary", Write: writeJSONL})
}

// writeJSONL writes the canonical report as lines with a "type" each, for tools
// that read streams. The header's members are those of the report without its
// lists.
func writeJSONL(w io.Writer, r *verdict.Report, _ Options) error {
	b := bufio.NewWriter(w)
	line := func(kind string, value any) {
		text := compact(value)
		b.WriteString(`{"type":"` + kind + `"`)
		if len(text) > 2 {
			b.WriteByte(',')
		}
		b.Write(text[1:])
		b.WriteByte('\n')
	}
	line("report", struct {
		Format  string          `json:"format"`
		Conform verdict.Program `json:"conform"`
		Target  verdict.Target  `json:"target"`
		Shard   *verdict.Shard  `json:"shard,omitempty"`
	}{r.Format, r.Conform, r.Target, r.Shard})
	for _, h := range r.Hosts {
		line("host", h)
	}
	for _, t := range r.Tools {
		line("tool", t)
	}
	for _, c := range r.Cells {
		line("cell", c)
	}
	for _, a := range r.Advice {
		line("advice", a)
	}
	for _, ref := range sortedKeys(r.Evidence) {
		line("evidence", struct {
			ID string `json:"id"`
			verdict.Evidence
		}{ref, r.Evidence[ref]})
	}
	line("summary", r.Summary)
	return b.Flush()
}
