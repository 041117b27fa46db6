package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"

	"github.com/hostmatrix/conform/schema"
)

// maxNodes bounds the objects and arrays of a file, so that no nesting exhausts
// the parser's stack; real files hold some thousands.
const maxNodes = 200_000

// syntaxOf is the syntax of a file by its name.
func syntaxOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".toml":
		return "toml"
	case ".yaml", ".yml":
		return "yaml"
	}
	return "jsonc"
}

// parse reads a file of any syntax as one document whose values know their
// offset in data.
func parse(name, syntax string, data []byte) (*schema.Value, error) {
	if n := bytes.Count(data, []byte("[")) + bytes.Count(data, []byte("{")); n > maxNodes {
		return nil, fmt.Errorf("%s: holds %d brackets; a configuration of servers has fewer than %d", name, n, maxNodes)
	}
	switch syntax {
	case "toml":
		return parseTOML(name, data)
	case "yaml":
		return parseYAML(name, data)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return schema.Obj(), nil // hosts take an empty file for no servers
	}
	// Standardize keeps every offset: comments and commas become spaces.
	standard, err := hujson.Standardize(data)
	if err != nil {
		return nil, fmt.Errorf("%s: is no JSON with comments: %w", name, err)
	}
	v, err := schema.Parse(standard, schema.Limits{Depth: maxDepth})
	if err != nil {
		var syntax *schema.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s:%d: %s", name, line(data, syntax.Offset), syntax.Msg)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if v.Kind != schema.Object {
		return nil, fmt.Errorf("%s: is %s, not an object", name, v.Kind)
	}
	return v, nil
}

// line is the line of an offset, from 1.
func line(data []byte, offset int) int {
	return bytes.Count(data[:min(offset, len(data))], []byte("\n")) + 1
}

func parseTOML(name string, data []byte) (*schema.Value, error) {
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		var where *toml.DecodeError
		if errors.As(err, &where) {
			row, _ := where.Position()
			return nil, fmt.Errorf("%s:%d: %s", name, row, strings.TrimPrefix(where.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return value(tree, "", offsets(data)), nil
}

// offsets maps the path of each key of a TOML document, tokens joined by NUL, to
// where it is written.
func offsets(data []byte) map[string]int {
	out := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		path := ""
		if e.Kind == unstable.KeyValue {
			path = table
		}
		for keys := e.Key(); keys.Next(); {
			k := keys.Node()
			path += "\x00" + string(k.Data)
			if _, known := out[path]; !known {
				out[path] = int(k.Raw.Offset)
			}
		}
		if e.Kind != unstable.KeyValue {
			table = path
		}
	}
	return out
}

// value turns a decoded TOML tree into the form that JSON files have.
func value(v any, path string, at map[string]int) *schema.Value {
	out := schema.Str(fmt.Sprint(v))
	switch v := v.(type) {
	case bool:
		out = schema.Flag(v)
	case int64:
		out = schema.Num(v)
	case []any:
		out = schema.List()
		for _, item := range v {
			out.Items = append(out.Items, value(item, path, at))
		}
	case map[string]any:
		out = schema.Obj()
		for key, item := range v {
			out.Members = append(out.Members, schema.Member{Key: key, Value: value(item, path+"\x00"+key, at)})
		}
		slices.SortFunc(out.Members, func(a, b schema.Member) int {
			if a.Value.Start != b.Value.Start {
				return a.Value.Start - b.Value.Start
			}
			return strings.Compare(a.Key, b.Key)
		})
	}
	out.Start = at[path]
	return out
}
