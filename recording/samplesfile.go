package recording

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/schema"
)

// SamplesFormat is the value of a samples file's "format".
const SamplesFormat = "conform-samples/1"

// SamplesFile is conform.samples.yaml: the calls that a person allows. nil is a
// file that says nothing.
type SamplesFile struct {
	Samples []Sample
	Skip    []SkippedTool
}

// Sample is one call. A tool may have several.
type Sample struct {
	Tool      string
	Arguments *schema.Value // numbers as they are written; {} when the file gives none
	IsError   *bool         // whether the result is expected to say isError; nil: either
}

// SkippedTool is a tool that is never called.
type SkippedTool struct{ Tool, Reason string }

var (
	samplesKeys = []string{"format", "samples", "skip"}
	sampleKeys  = []string{"tool", "arguments", "is_error"}
	skipKeys    = []string{"tool", "reason"}
)

// maxSampleNodes bounds what the aliases of a YAML file may unfold to.
const maxSampleNodes = 200_000

// ReadSamples reads a samples file. name is used in errors only; they are
// *[FormatError], or wrap the YAML parser's.
func ReadSamples(name string, data []byte) (*SamplesFile, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: not YAML: %w", name, err)
	}
	root := schema.Obj()
	if len(document.Content) > 0 && document.Content[0].Tag != "!!null" {
		budget := maxSampleNodes
		var err error
		if root, err = fromYAML(document.Content[0], &budget, 0); err != nil {
			return nil, &FormatError{name, "", err.Error()}
		}
	}
	for _, m := range root.Unique() {
		if m.Value.Kind == schema.Null { // "samples:" with everything below it commented out
			root = root.Without(m.Key)
		}
	}
	var err error
	o := newObject(name, "", root, &err, samplesKeys...)
	if format := o.text("format"); format != "" && format != SamplesFormat {
		o.fail("/format", "is %q, this version of conform reads %q", format, SamplesFormat)
	}
	file := &SamplesFile{}
	for i, item := range o.list("samples") {
		s := o.child("/samples/"+strconv.Itoa(i), item, sampleKeys...)
		sample := Sample{Tool: s.need("tool"), Arguments: item.Get("arguments"), IsError: s.flag("is_error")}
		if sample.Arguments == nil || sample.Arguments.Kind == schema.Null {
			sample.Arguments = schema.Obj()
		}
		if sample.Arguments.Kind != schema.Object {
			s.fail("/arguments", "must be a mapping, is %s", kindOf(sample.Arguments))
		}
		file.Samples = append(file.Samples, sample)
	}
	for i, item := range o.list("skip") {
		s := o.child("/skip/"+strconv.Itoa(i), item, skipKeys...)
		file.Skip = append(file.Skip, SkippedTool{s.need("tool"), s.text("reason")})
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Unknown returns the tools that the file names and the session does not have,
// each with the nearest name that it has: misspelled samples would else be lost
// in silence.
func (f *SamplesFile) Unknown(session *Session) []string {
	if f == nil {
		return nil
	}
	var names []string
	known := map[string]bool{}
	for _, t := range session.Tools {
		names = append(names, t.Name)
		known[t.Name] = true
	}
	var out []string
	complain := func(tool string) {
		if known[tool] {
			return
		}
		known[tool] = true // once
		text := fmt.Sprintf("the samples file names the tool %q, which the server does not have", tool)
		if near := nearest(tool, names); near != "" {
			text += fmt.Sprintf(" (did you mean %q?)", near)
		}
		out = append(out, text)
	}
	for _, s := range f.Samples {
		complain(s.Tool)
	}
	for _, s := range f.Skip {
		complain(s.Tool)
	}
	return out
}

func (f *SamplesFile) samplesOf(tool string) (out []Sample) {
	if f == nil {
		return nil
	}
	for _, s := range f.Samples {
		if s.Tool == tool {
			out = append(out, s)
		}
	}
	return out
}

func (f *SamplesFile) skips(tool string) (why string, ok bool) {
	if f == nil {
		return "", false
	}
	for _, s := range f.Skip {
		if s.Tool == tool {
			if s.Reason != "" {
				why = ": " + s.Reason
			}
			return why, true
		}
	}
	return "", false
}

// fromYAML turns a YAML node into JSON. Number literals that JSON knows stay as
// they are written.
func fromYAML(n *yaml.Node, budget *int, depth int) (*schema.Value, error) {
	*budget--
	if *budget < 0 || depth > 100 {
		return nil, fmt.Errorf("is too large once its aliases are unfolded, or nests deeper than 100 levels")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return fromYAML(n.Alias, budget, depth+1)
	case yaml.SequenceNode:
		var items []*schema.Value
		for _, c := range n.Content {
			v, err := fromYAML(c, budget, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		return schema.List(items...), nil
	case yaml.MappingNode:
		return mappingFromYAML(n, budget, depth)
	}
	return scalarFromYAML(n)
}

func mappingFromYAML(n *yaml.Node, budget *int, depth int) (*schema.Value, error) {
	var members []schema.Member
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return nil, fmt.Errorf("line %d: a key must be a plain text", key.Line)
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("line %d: the key %q appears twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		v, err := fromYAML(n.Content[i+1], budget, depth+1)
		if err != nil {
			return nil, err
		}
		members = append(members, schema.Member{Key: key.Value, Value: v})
	}
	return schema.Obj(members...), nil
}

func scalarFromYAML(n *yaml.Node) (*schema.Value, error) {
	switch n.Tag {
	case "!!str", "!!timestamp", "!!binary":
		return schema.Str(n.Value), nil
	}
	if v, err := schema.ParseString(n.Value); err == nil && v.Kind != schema.String {
		return v, nil
	}
	switch strings.ToLower(n.Value) { // YAML's own spellings
	case "", "~", "null":
		return &schema.Value{}, nil
	case "true":
		return schema.Flag(true), nil
	case "false":
		return schema.Flag(false), nil
	}
	var number int64
	if err := n.Decode(&number); err == nil { // 0x10, 1_000
		return schema.Num(number), nil
	}
	return nil, fmt.Errorf("line %d: %q has no place in JSON; write it in quotes if it is a text", n.Line, n.Value)
}
