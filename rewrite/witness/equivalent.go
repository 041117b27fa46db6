package witness

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// Assumption is what a proof takes for granted about instances: beyond it every
// pair of libraries differs, whatever the schema says.
const Assumption = "for objects with numbers of at most 15 digits written without an exponent, without lone surrogates and duplicate keys, nested less than 100 deep"

// Assumed reports whether an instance is one that a proof speaks about.
func Assumed(v *schema.Value) bool { return v.Kind == schema.Object && assumed(v, 0) }

func assumed(v *schema.Value, depth int) bool {
	if depth >= 100 {
		return false
	}
	switch v.Kind {
	case schema.String:
		return utf8.ValidString(v.Text)
	case schema.Number:
		digits := 0
		for _, c := range v.Text {
			if c >= '0' && c <= '9' {
				digits++
			}
		}
		return digits <= 15 && !strings.ContainsAny(v.Text, "eE")
	}
	if len(v.Unique()) != len(v.Members) {
		return false
	}
	for _, m := range v.Members {
		if !utf8.ValidString(m.Key) || !assumed(m.Value, depth+1) {
			return false
		}
	}
	for _, item := range v.Items {
		if !assumed(item, depth+1) {
			return false
		}
	}
	return true
}

// Equivalent reports whether a profile must give the same verdict as the dialect
// on every instance, under [Assumption], because the schema holds nothing on
// which the two differ: every keyword is one that both read alike in the form in
// which it stands there. It is only meaningful for a schema that both compile.
// why names the ground. The rule is tested against the validators themselves, in
// process and, where they are installed, against the real libraries.
func Equivalent(document *schema.Value, dialect, profile string) (why string, ok bool) {
	if dialect == profile || dialect == dispatch && profile == "2020-12" && !document.Has("$schema") {
		return "the host reads the schema as its own dialect does", true
	}
	if profile == "jsonschema-go" { // fills defaults in before it counts members
		return "", false
	}
	p := prover{root: document, rules: rulesOf(profile), open: map[*schema.Value]bool{}, known: map[*schema.Value]bool{}}
	if !p.plain(document) {
		return "", false
	}
	return "every keyword of the schema is one that the host reads as the dialect does, " + Assumption, true
}

// plainEverywhere reports whether no profile can differ about s.
func plainEverywhere(root, s *schema.Value) bool {
	p := prover{root: root, rules: strictest, open: map[*schema.Value]bool{}, known: map[*schema.Value]bool{}}
	return p.plain(s)
}

// reading says where a profile leaves the common ground.
type reading struct {
	formats   bool // format is asserted
	looseEnd  bool // $ in a pattern also matches before a final newline
	fractions bool // 1.0 is no integer
}

var strictest = reading{formats: true, looseEnd: true, fractions: true}

// rulesOf returns the reading of a profile; an unknown profile gets the strictest.
// Sources: the validators' own packages and their goldens.
func rulesOf(profile string) reading {
	switch profile {
	case "2020-12", "draft-07", dispatch, "ajv8-draft07-noformats":
		return reading{}
	case "2020-12-formats", "draft-07-formats", "ajv6", "ajv8-draft07-lax", "ajv8-2020-only", "ajv8-dispatch", "cfworker-2020", "cfworker-dispatch", "ajv8-strict":
		return reading{formats: true}
	case "python-jsonschema":
		return reading{looseEnd: true}
	}
	return strictest
}

// maxProofNodes bounds the subschemas of one proof.
const maxProofNodes = 20_000

type prover struct {
	root  *schema.Value
	rules reading
	open  map[*schema.Value]bool // on the way to here: a cycle is not proven
	known map[*schema.Value]bool
	nodes int
}

// plain reports whether s and everything below it is common ground.
func (p *prover) plain(s *schema.Value) bool {
	if s == nil {
		return false
	}
	if s.Kind == schema.Bool {
		return true
	}
	if s.Kind != schema.Object || p.open[s] {
		return false
	}
	if result, ok := p.known[s]; ok {
		return result
	}
	if p.nodes++; p.nodes > maxProofNodes || len(p.open) > maxDepth*8 {
		return false
	}
	p.open[s] = true
	result := p.object(s)
	delete(p.open, s)
	p.known[s] = result
	return result
}

func (p *prover) object(s *schema.Value) bool {
	if len(s.Unique()) != len(s.Members) {
		return false
	}
	for _, m := range s.Members {
		if !p.keyword(s, m.Key, m.Value) {
			return false
		}
	}
	return true
}

var simpleRef = regexp.MustCompile(`^#/(\$defs|definitions)/[A-Za-z0-9_.-]+$`)

// inert are the annotations that every library knows and ignores.
var inert = map[string]bool{"title": true, "description": true, "default": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "$comment": true}

func (p *prover) keyword(s *schema.Value, key string, v *schema.Value) bool {
	switch key {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment":
		return true
	case "$defs", "definitions":
		return s == p.root && v.Kind == schema.Object // judged where they are referred to
	case "$schema":
		return s == p.root
	case "$ref":
		return p.reference(s, v)
	case "type":
		return p.typeWords(v)
	case "properties":
		return p.named(v)
	case "required":
		return plainNames(v)
	case "additionalProperties", "not", "if", "then", "else":
		return p.plain(v) && (key != "then" && key != "else" || s.Has("if"))
	case "items":
		return v.Kind != schema.Array && !s.Has("prefixItems") && p.plain(v)
	case "anyOf", "oneOf", "allOf":
		return p.list(v)
	case "enum":
		return v.Kind == schema.Array && len(v.Items) > 0 && plainConstants(v.Items)
	case "const":
		return plainConstants([]*schema.Value{v})
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		n, ok := whole(v)
		return ok && n < 1_000_000 && !v.HasFraction()
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.Kind == schema.Number && (shortNumber.MatchString(v.Text) || v.Text == safe || v.Text == "-"+safe)
	case "multipleOf":
		n, ok := whole(v)
		return ok && n > 0 && !v.HasFraction()
	case "uniqueItems":
		text, _ := s.Get("items").Get("type").IsString()
		return v.Kind == schema.Bool && (!v.Bool || text == "string")
	case "format":
		_, ok := v.IsString()
		return ok && !p.rules.formats
	case "pattern":
		text, ok := v.IsString()
		return ok && simplePattern.MatchString(text) && (!p.rules.looseEnd || text[len(text)-1] != '$')
	}
	return false
}

// safe is Number.MAX_SAFE_INTEGER, which zod writes as the bound of every integer.
const safe = "9007199254740991"

// shortNumber is a number whose order among others of at most 15 digits a double
// keeps.
var shortNumber = regexp.MustCompile(`^-?[0-9]{1,12}(\.[0-9]{1,3})?$`)

// simplePattern is the syntax that every engine compiles and reads alike: ASCII
// letters, digits, - and _, classes of them, and quantifiers after one atom.
var simplePattern = regexp.MustCompile(`^\^?(?:(?:[A-Za-z0-9_]|\[[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)?-?\]|\[(?:a-z|A-Z|0-9|_)+-?\])(?:[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})?)+\$?$`)

func (p *prover) typeWords(v *schema.Value) bool {
	words := []*schema.Value{v}
	if v.Kind == schema.Array {
		words = v.Items
	}
	seen := map[string]bool{}
	for _, w := range words {
		text, _ := w.IsString()
		switch text {
		case "integer":
			if p.rules.fractions {
				return false
			}
		case "object", "array", "string", "number", "boolean", "null":
		default:
			return false
		}
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return len(words) > 0
}

// reference: a plain name of a definition of the root, with nothing beside it that
// some library would read and another not.
func (p *prover) reference(s, v *schema.Value) bool {
	text, _ := v.IsString()
	if !simpleRef.MatchString(text) {
		return false
	}
	for _, m := range s.Members {
		if m.Key != "$ref" && !inert[m.Key] {
			return false
		}
	}
	target := resolve(p.root, s)
	return target != nil && p.plain(target)
}

func (p *prover) named(v *schema.Value) bool {
	if v.Kind != schema.Object || len(v.Unique()) != len(v.Members) {
		return false
	}
	for _, m := range v.Members {
		if prototypeNames[m.Key] || !p.plain(m.Value) {
			return false
		}
	}
	return true
}

func (p *prover) list(v *schema.Value) bool {
	if v.Kind != schema.Array || len(v.Items) == 0 {
		return false
	}
	for _, item := range v.Items {
		if !p.plain(item) {
			return false
		}
	}
	return true
}

func plainNames(v *schema.Value) bool {
	seen := map[string]bool{}
	for _, item := range v.Items {
		name, ok := item.IsString()
		if !ok || prototypeNames[name] || seen[name] {
			return false
		}
		seen[name] = true
	}
	return v.Kind == schema.Array
}

// plainConstants: texts, null, booleans and small whole numbers, each once.
func plainConstants(values []*schema.Value) bool {
	seen := map[string]bool{}
	for _, v := range values {
		if v.Kind == schema.Array || v.Kind == schema.Object || v.Kind == schema.Number && !smallWhole.MatchString(v.Text) || seen[v.Compact()] {
			return false
		}
		seen[v.Compact()] = true
	}
	return true
}

var smallWhole = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,11})$`)
