package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// item is one schema with the results that were recorded for it.
type item struct {
	id      string
	schema  *schema.Value
	samples []*schema.Value
}

func readConstructs(name string) ([]item, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []item
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row struct {
			ID, Schema string
			Content    *string `json:"structured_content"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		document, err := schema.Parse([]byte(row.Schema), schema.Limits{})
		if err != nil || row.Content == nil {
			continue
		}
		sample, err := schema.Parse([]byte(*row.Content), schema.Limits{})
		if err != nil {
			continue
		}
		out = append(out, item{row.ID, document, []*schema.Value{sample}})
	}
	return out, lines.Err()
}

func readCatalogs(dir string) ([]item, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []item
	for _, name := range files {
		opened, err := recording.Open(recording.Limits{}, name)
		if err != nil {
			return nil, err
		}
		for _, o := range opened {
			for _, s := range o.Capture.Sessions {
				for _, tool := range s.Tools {
					if tool.Output == nil {
						continue
					}
					it := item{id: filepath.Base(name) + "/" + tool.Name, schema: tool.Output}
					for _, call := range s.CallsOf(tool.Name) {
						if sc := call.Result.Get("structuredContent"); sc != nil {
							it.samples = append(it.samples, sc)
						}
					}
					out = append(out, it)
				}
			}
		}
	}
	return out, nil
}
