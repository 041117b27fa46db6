package ground

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

const (
	// maxSchemas and maxDepth keep a document far below the limits of every engine
	// and the stack of every library.
	maxSchemas = 5_000
	maxDepth   = 40
	// maxListed bounds required, enum and the members of one object together.
	maxListed = 20_000
)

// Schema is a document that stands on common ground. It is safe for concurrent use.
type Schema struct {
	// Features are those that the document uses.
	Features Features

	root     *schema.Value
	targets  map[*schema.Value]*schema.Value // schema with a $ref to what it refers to
	patterns map[*schema.Value]*expression   // by the value of the keyword

	mu     sync.Mutex
	recent []judged
}

// Survey returns nil unless the whole document is on common ground.
func Survey(document *schema.Value) *Schema {
	if document == nil || document.Kind != schema.Object {
		return nil
	}
	s := newSurveyor(document)
	if !s.schema(document, 0) || !s.resolve() || !s.consumes() {
		return nil
	}
	return s.Schema
}

// SurveyPart returns the features of one schema of a document and of those to which it
// refers; ok is false when they are not on common ground.
func SurveyPart(document, part *schema.Value) (used Features, ok bool) {
	s := newSurveyor(document)
	s.visited = map[*schema.Value]bool{}
	ok = part != nil && s.schema(part, 1) && s.resolve() && s.consumes()
	return s.Features, ok
}

type surveyor struct {
	*Schema
	schemas, listed int
	sizes           int                    // of patterns
	refs            []*schema.Value        // the schemas that have one
	visited         map[*schema.Value]bool // nil when all of the document is
	older           string                 // $schema, when it names draft-07
}

func newSurveyor(document *schema.Value) *surveyor {
	s := &surveyor{Schema: &Schema{root: document}}
	if tag := document.Get("$schema"); tag != nil && tag.Text == draft07 {
		s.older = tag.Text
	}
	return s
}

func (s *surveyor) schema(v *schema.Value, depth int) bool {
	if v.Kind == schema.Bool || s.visited[v] {
		return true
	}
	if s.visited != nil {
		s.visited[v] = true
	}
	if s.schemas++; v.Kind != schema.Object || s.schemas > maxSchemas || depth > maxDepth || !s.distinct(v.Members) {
		return false
	}
	for _, m := range v.Members {
		if !s.keyword(v, m.Key, m.Value, depth) {
			return false
		}
	}
	return true
}

// keyword says whether the member is one that every library knows, in a form that
// none refuses and all read alike.
func (s *surveyor) keyword(parent *schema.Value, name string, v *schema.Value, depth int) bool {
	switch name {
	case "title", "description", "$comment":
		return isText(v)
	case "default":
		s.Features |= Default
		return isExample(v)
	case "examples":
		return v.Kind == schema.Array && isExample(v)
	case "deprecated", "readOnly", "writeOnly":
		return v.Kind == schema.Bool
	case "$schema":
		return depth == 0 && s.tag(v)
	case "$ref":
		s.refs = append(s.refs, parent)
		return v.Kind == schema.String && isLocal(v.Text)
	case "type":
		return s.types(v)
	case "properties":
		return s.named(v, depth)
	case "$defs", "definitions":
		for _, m := range v.Members {
			if isKeyword(m.Key) { // to a library that does not know $defs
				return false
			}
		}
		return s.named(v, depth)
	case "required":
		return s.names(v)
	case "items":
		return s.items(v, depth)
	case "prefixItems":
		s.Features |= TuplePrefix
		return s.older == "" && s.list(v, depth)
	case "additionalItems":
		return parent.Get("items") != nil && parent.Get("items").Kind == schema.Array && s.schema(v, depth+1)
	case "additionalProperties", "not":
		return s.schema(v, depth+1)
	case "propertyNames":
		s.Features |= Names
		return s.schema(v, depth+1)
	case "if":
		return (parent.Has("then") || parent.Has("else")) && s.schema(v, depth+1)
	case "then", "else":
		return parent.Has("if") && s.schema(v, depth+1)
	case "anyOf", "oneOf", "allOf":
		return s.list(v, depth)
	case "enum":
		return v.Kind == schema.Array && len(v.Items) > 0 && s.constants(v.Items)
	case "const":
		return s.constants([]*schema.Value{v})
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return isCount(v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return isBound(v)
	case "multipleOf":
		return isCount(v) && v.Text != "0"
	case "uniqueItems":
		if text, _ := parent.Get("items").Get("type").IsString(); v.IsTrue() && text != "string" {
			s.Features |= Unique
		}
		return v.Kind == schema.Bool
	case "format":
		return s.format(v)
	case "pattern":
		return s.pattern(v)
	}
	if strings.HasPrefix(name, "x-") && v.Kind != schema.Object && v.Kind != schema.Array {
		s.Features |= Extension
		return utf8.ValidString(name)
	}
	return false
}

// items is a schema for every element, or the tuple of draft-07.
func (s *surveyor) items(v *schema.Value, depth int) bool {
	if v.Kind != schema.Array {
		return s.schema(v, depth+1)
	}
	if s.older != "" {
		s.Features |= TupleTagged
	} else {
		s.Features |= TupleUntagged
	}
	return s.list(v, depth)
}

const draft07 = "http://json-schema.org/draft-07/schema#"

// tag takes the two spellings that generators write.
func (s *surveyor) tag(v *schema.Value) bool {
	switch v.Text {
	case draft07:
		s.Features |= Tagged07
	case "https://json-schema.org/draft/2020-12/schema":
		s.Features |= Tagged2020
	default:
		return false
	}
	return v.Kind == schema.String
}

func (s *surveyor) types(v *schema.Value) bool {
	words := v.Items
	if v.Kind == schema.String {
		words = []*schema.Value{v}
	}
	for i, w := range words {
		kind, ok := kinds[w.Text]
		if !ok || w.Kind != schema.String || holds(words[:i], w.Text) {
			return false
		}
		if kind == integer {
			s.Features |= Integer
		}
	}
	return len(words) > 0
}

func holds(words []*schema.Value, text string) bool {
	for _, w := range words {
		if w.Text == text {
			return true
		}
	}
	return false
}

func (s *surveyor) named(v *schema.Value, depth int) bool {
	if v.Kind != schema.Object || !s.distinct(v.Members) {
		return false
	}
	for _, m := range v.Members {
		if m.Key == "" || Inherited[m.Key] || !s.schema(m.Value, depth+1) {
			return false
		}
	}
	return true
}

func (s *surveyor) list(v *schema.Value, depth int) bool {
	if v.Kind != schema.Array || len(v.Items) == 0 {
		return false
	}
	for _, item := range v.Items {
		if !s.schema(item, depth+1) {
			return false
		}
	}
	return true
}

// names are those of required. Ajv that stops at the first error takes "" for no name
// at all, and so for nothing that is missing.
func (s *surveyor) names(v *schema.Value) bool {
	if s.listed += len(v.Items); s.listed > maxListed || v.Kind != schema.Array {
		return false
	}
	for i, item := range v.Items {
		if !isText(item) || item.Text == "" || Inherited[item.Text] || len(v.Items) <= few && holds(v.Items[:i], item.Text) {
			return false
		}
	}
	return len(v.Items) <= few || allDifferent(v.Items)
}

// constants: texts, null, booleans and small whole numbers, each once.
func (s *surveyor) constants(values []*schema.Value) bool {
	if s.listed += len(values); s.listed > maxListed {
		return false
	}
	for _, v := range values {
		switch v.Kind {
		case schema.Array, schema.Object:
			return false
		case schema.Number:
			if !isSmallWhole(v.Text) {
				return false
			}
		case schema.String:
			if !isText(v) {
				return false
			}
		}
	}
	return allDifferent(values)
}

func (s *surveyor) format(v *schema.Value) bool {
	switch {
	case v.Kind != schema.String || !formatName.MatchString(v.Text):
		return false
	case formats[v.Text] != nil:
		s.Features |= Format
	default:
		s.Features |= OtherFormat
	}
	return true
}

var formatName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (s *surveyor) pattern(v *schema.Value) bool {
	if v.Kind != schema.String {
		return false
	}
	e, ok := readPattern(v.Text)
	if !ok {
		return false
	}
	if s.sizes += e.size; s.sizes > maxSizes {
		return false
	}
	if e.line {
		s.Features |= Line
	}
	if e.classes {
		s.Features |= Classes
	}
	if s.patterns == nil {
		s.patterns = map[*schema.Value]*expression{}
	}
	s.patterns[v] = e
	return true
}

var local = regexp.MustCompile(`^#(/[A-Za-z0-9_$.-]+)*$`)

func isLocal(ref string) bool { return local.MatchString(ref) }

var definition = regexp.MustCompile(`^#/(\$defs|definitions)/[^/]+$`)

// resolve finds what each reference means, which must be a place where a schema stands.
func (s *surveyor) resolve() bool {
	if len(s.refs) == 0 {
		return true
	}
	places := map[*schema.Value]bool{}
	schema.Walk(s.root, func(n schema.Node) bool { places[n.Schema] = true; return true })
	s.targets = make(map[*schema.Value]*schema.Value, len(s.refs))
	for i := 0; i < len(s.refs); i++ { // of a part, there may be more on the way
		from := s.refs[i]
		ref := from.Get("$ref").Text
		pointer, ok := schema.ParsePointer(ref[1:])
		target := s.root.Lookup(pointer)
		if !ok || target == nil || target.Kind != schema.Object || !places[target] || s.visited != nil && !s.schema(target, 1) {
			return false
		}
		if !definition.MatchString(ref) {
			s.Features |= Deep
		}
		for _, m := range from.Members {
			if m.Key != "$ref" && !inert[m.Key] {
				s.Features |= Siblings
			}
		}
		s.targets[from] = target
	}
	return true
}

// inert are the keywords that no library asserts.
var inert = map[string]bool{
	"title": true, "description": true, "$comment": true, "default": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "$defs": true, "definitions": true, "$schema": true,
}
