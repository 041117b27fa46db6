// Command loadserver is a stdio server with very many tools. It serves the pages
// and results of a folder (tools-list-pages.jsonl.gz, results.jsonl.gz), or makes
// as many tools as its argument says: loadserver FOLDER | loadserver N.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor          string `json:"cursor"`
		Name            string `json:"name"`
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"params"`
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("needs a folder or a number"))
	}
	pages, results := generated(os.Args[1])
	if pages == nil {
		pages, results = read(os.Args[1])
	}
	out := bufio.NewWriter(os.Stdout)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if json.Unmarshal(line, &r) != nil || r.ID == nil {
			continue
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", r.ID, answer(r, pages, results))
		_ = out.Flush()
	}
}

func answer(r request, pages, results map[string]json.RawMessage) string {
	switch r.Method {
	case "initialize":
		return fmt.Sprintf(`"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"load","version":"1"}}`, r.Params.ProtocolVersion)
	case "tools/list":
		return `"result":` + string(pages[r.Params.Cursor])
	case "tools/call":
		if result, ok := results[r.Params.Name]; ok {
			return `"result":` + string(result)
		}
	}
	return `"error":{"code":-32601,"message":"not found"}`
}

// read returns the pages by cursor and the results by tool of a folder.
func read(folder string) (pages, results map[string]json.RawMessage) {
	pages, results = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	cursor := ""
	each(filepath.Join(folder, "tools-list-pages.jsonl.gz"), func(d *json.Decoder) error {
		var page struct{ Result json.RawMessage }
		if err := d.Decode(&page); err != nil {
			return err
		}
		pages[cursor] = page.Result
		var next struct{ NextCursor string }
		_ = json.Unmarshal(page.Result, &next)
		cursor = next.NextCursor
		return nil
	})
	each(filepath.Join(folder, "results.jsonl.gz"), func(d *json.Decoder) error {
		var r struct {
			Tool   string
			Result json.RawMessage
		}
		if err := d.Decode(&r); err != nil {
			return err
		}
		results[r.Tool] = r.Result
		return nil
	})
	return pages, results
}

func each(name string, take func(*json.Decoder) error) {
	f, err := os.Open(name)
	fail(err)
	z, err := gzip.NewReader(f)
	fail(err)
	for d := json.NewDecoder(z); d.More(); {
		fail(take(d))
	}
}

// generated makes n tools, 200 on a page, each with an outputSchema of its own.
func generated(n string) (pages, results map[string]json.RawMessage) {
	count, err := strconv.Atoi(n)
	if err != nil {
		return nil, nil
	}
	pages, results = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for from := 0; from < count; from += 200 {
		page, cursor := "", ""
		for i := from; i < min(from+200, count); i++ {
			if page != "" {
				page += ","
			}
			page += fmt.Sprintf(`{"name":"tool_%04d","description":"Reports on stock %d","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"stock_%d":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string","minLength":1},"count":{"type":"integer","minimum":0},"place":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["sku","count"],"additionalProperties":false}}},"required":["stock_%d"]}}`, i, i, i, i)
			results[fmt.Sprintf("tool_%04d", i)] = json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":"{\"stock_%d\":[]}"}],"structuredContent":{"stock_%d":[{"sku":"a","count":1,"place":null}]}}`, i, i))
		}
		if from > 0 {
			cursor = strconv.Itoa(from)
		}
		pages[cursor] = json.RawMessage(`{"tools":[` + page + `],"nextCursor":"` + strconv.Itoa(from+200) + `"}`)
		if from+200 >= count {
			pages[cursor] = json.RawMessage(`{"tools":[` + page + `]}`)
		}
	}
	return pages, results
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadserver:", err)
		os.Exit(1)
	}
}
