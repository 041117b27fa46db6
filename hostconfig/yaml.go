package hostconfig

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/schema"
)

// maxDepth bounds the nesting of a file.
const maxDepth = 1000

// parseYAML reads a YAML file as one document whose values know the offset of the
// line on which they stand. Anchors are followed within maxNodes values, so that
// aliases of aliases exhaust nothing; merge keys fill in what a mapping lacks.
func parseYAML(name string, data []byte) (*schema.Value, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		// The library says "yaml: line 3: …"; a file and its line stand first here.
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			return nil, fmt.Errorf("%s:%s: %s", name, m[1], m[2])
		}
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(root.Content) == 0 {
		return schema.Obj(), nil // hosts take an empty file for no servers
	}
	r := yamlReader{name: name, lines: []int{0}}
	for i, c := range data {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	v, err := r.value(root.Content[0], 0)
	if err != nil {
		return nil, err
	}
	if v.Kind != schema.Object {
		return nil, fmt.Errorf("%s: is %s, not an object", name, v.Kind)
	}
	return v, nil
}

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): (.*)$`)

type yamlReader struct {
	name  string
	lines []int // offset of each line
	nodes int
}

func (r *yamlReader) value(n *yaml.Node, depth int) (*schema.Value, error) {
	if r.nodes++; r.nodes > maxNodes || depth > maxDepth {
		return nil, fmt.Errorf("%s:%d: holds more than %d values or nests deeper than %d; a configuration of servers does not", r.name, n.Line, maxNodes, maxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return r.value(n.Alias, depth+1)
	}
	out := schema.Str(n.Value)
	switch n.Kind {
	case yaml.SequenceNode:
		out = schema.List()
		for _, item := range n.Content {
			v, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, v)
		}
	case yaml.MappingNode:
		var err error
		if out, err = r.mapping(n, depth); err != nil {
			return nil, err
		}
	default:
		switch n.ShortTag() {
		case "!!null":
			out = &schema.Value{}
		case "!!bool":
			var yes bool
			if n.Decode(&yes) == nil {
				out = schema.Flag(yes)
			}
		}
		// Numbers stay as they are written: 0755 in an env is a text.
	}
	out.Start = r.lines[min(max(n.Line-1, 0), len(r.lines)-1)]
	return out, nil
}

func (r *yamlReader) mapping(n *yaml.Node, depth int) (*schema.Value, error) {
	out := schema.Obj()
	var merged []schema.Member
	for i := 0; i+1 < len(n.Content); i += 2 {
		v, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if n.Content[i].ShortTag() == "!!merge" {
			merged = append(merged, v.Members...)
			for _, item := range v.Items {
				merged = append(merged, item.Members...)
			}
			continue
		}
		out.Members = append(out.Members, schema.Member{Key: n.Content[i].Value, Value: v})
	}
	for _, m := range merged {
		if !out.Has(m.Key) {
			out.Members = append(out.Members, m)
		}
	}
	return out, nil
}
