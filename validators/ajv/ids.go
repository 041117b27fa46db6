package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// Where the library's walk for ids looks (json-schema-traverse 1.0): arrays of
// schemas, objects of schemas, and what holds no schema. Every other member that
// is an object is taken for a schema.
var (
	walkArrays = map[string]bool{"items": true, "allOf": true, "anyOf": true, "oneOf": true}
	walkMaps   = map[string]bool{"$defs": true, "definitions": true, "properties": true,
		"patternProperties": true, "dependencies": true}
	walkNot = map[string]bool{"default": true, "enum": true, "const": true, "required": true,
		"maximum": true, "minimum": true, "exclusiveMaximum": true, "exclusiveMinimum": true,
		"multipleOf": true, "maxLength": true, "minLength": true, "pattern": true, "format": true,
		"maxItems": true, "minItems": true, "uniqueItems": true, "maxProperties": true, "minProperties": true}
)

// idWalk collects the ids and anchors of a document.
type idWalk struct {
	c     *instance
	path  string // full path of the document
	local map[string]*schema.Value
	seen  map[string]bool
	depth int
}

// collectIDs registers every id and anchor below the root. Those that start with
// "#" are returned; the others become aliases of their full path.
func (c *instance) collectIDs(root *schema.Value, baseID string) map[string]*schema.Value {
	if root.Kind == schema.Bool {
		return nil
	}
	id := normalizeID(baseID)
	if own := root.Get("$id"); js.Truthy(own) {
		id = normalizeIDValue(own)
	}
	w := &idWalk{c: c, path: c.uri.base(id)}
	w.members(root, "", id)
	return w.local
}

func (w *idWalk) visit(s *schema.Value, pointer, baseID string) {
	if !js.IsObject(s) {
		return
	}
	if id, ok := s.Get("$id").IsString(); ok {
		baseID = w.add(s, id, pointer, baseID)
	}
	for _, keyword := range [...]string{"$anchor", "$dynamicAnchor"} {
		if anchor, ok := s.Get(keyword).IsString(); ok {
			if !isAnchor(anchor) {
				throw(`invalid anchor "`, anchor, `"`)
			}
			w.add(s, "#"+anchor, pointer, baseID)
		}
	}
	w.members(s, pointer, baseID)
}

func (w *idWalk) members(s *schema.Value, pointer, baseID string) {
	if w.depth++; w.depth > maxWalkDepth {
		stackOverflow()
	}
	for _, m := range js.Members(s) {
		inherited := js.Inherited(m.Key)
		switch {
		case m.Value.Kind == schema.Array:
			if walkArrays[m.Key] || inherited {
				for i, item := range m.Value.Items {
					w.visit(item, pointer+"/"+m.Key+"/"+strconv.Itoa(i), baseID)
				}
			}
		case m.Value.Kind != schema.Object:
		case walkMaps[m.Key] || inherited:
			for _, p := range js.Members(m.Value) {
				w.visit(p.Value, pointer+"/"+m.Key+"/"+schema.EscapeToken(p.Key), baseID)
			}
		case !walkNot[m.Key]:
			w.visit(m.Value, pointer+"/"+m.Key, baseID)
		}
	}
	w.depth--
}

// add registers one id and returns it in full.
func (w *idWalk) add(s *schema.Value, ref, pointer, baseID string) string {
	if baseID != "" {
		ref = w.c.uri.resolveRaw(baseID, ref)
	}
	ref = normalizeID(ref)
	if w.seen[ref] {
		ambiguous(ref)
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[ref] = true
	known := w.c.env(ref)
	if alias, ok := w.c.alias(ref); ok {
		known = w.c.env(alias)
	}
	switch {
	case known != nil:
		w.same(s, known.schema, ref)
	case ref == normalizeID(w.path+pointer):
	case len(ref) > 0 && ref[0] == '#':
		w.same(s, w.local[ref], ref)
		if w.local == nil {
			w.local = map[string]*schema.Value{}
		}
		w.local[ref] = s
	default:
		w.c.setAlias(ref, w.path+pointer)
	}
	return ref
}

func (w *idWalk) same(a, b *schema.Value, ref string) {
	if b == nil {
		return
	}
	cmp := js.Comparer{Steps: maxNodes}
	if !cmp.Deep(a, b) {
		ambiguous(ref)
	}
}

func ambiguous(ref string) { throw(`reference "`, ref, `" resolves to more than one schema`) }

// isAnchor: a letter or underscore, then letters, digits and - . _
func isAnchor(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z' || s[i] == '_':
		case i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '-' || s[i] == '.'):
		default:
			return false
		}
	}
	return s != ""
}
