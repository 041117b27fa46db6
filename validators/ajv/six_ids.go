package ajv

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// sixWalkMaps: json-schema-traverse 0.4.1 doesn't know $defs and takes it, and then
// each of its members, for a schema.
var sixWalkMaps = map[string]bool{"definitions": true, "properties": true, "patternProperties": true, "dependencies": true}

type sixIDWalk struct {
	c     *sixInstance
	local map[string]*schema.Value
	depth int
}

// collectIDs registers the ids below the root.
func (c *sixInstance) collectIDs(root *schema.Value) map[string]*schema.Value {
	if root.Kind != schema.Object {
		return nil
	}
	id := normalizeIDValue(root.Get("$id"))
	w := &sixIDWalk{c: c}
	w.members(root, sixURI.base(id), id)
	return w.local
}

func (w *sixIDWalk) visit(s *schema.Value, fullPath, baseID string) {
	if !js.IsObject(s) {
		return
	}
	if id, ok := s.Get("$id").IsString(); ok {
		if baseID != "" {
			id = sixURI.resolveRaw(baseID, id)
		}
		id = normalizeID(id)
		baseID = id
		w.add(s, id, fullPath)
	}
	w.members(s, fullPath, baseID)
}

func (w *sixIDWalk) members(s *schema.Value, fullPath, baseID string) {
	if w.depth++; w.depth > maxWalkDepth {
		stackOverflow()
	}
	for _, m := range js.Members(s) {
		inherited, path := js.Inherited(m.Key), fullPath+"/"+m.Key
		switch {
		case m.Value.Kind == schema.Array:
			if walkArrays[m.Key] || inherited {
				for i, item := range m.Value.Items {
					w.visit(item, path+"/"+strconv.Itoa(i), baseID)
				}
			}
		case m.Value.Kind != schema.Object:
		case sixWalkMaps[m.Key] || inherited:
			for _, p := range js.Members(m.Value) {
				w.visit(p.Value, path+"/"+encodeURIComponent(schema.EscapeToken(p.Key)), baseID)
			}
		case !walkNot[m.Key]:
			w.visit(m.Value, path, baseID)
		}
	}
	w.depth--
}

func (w *sixIDWalk) add(s *schema.Value, id, fullPath string) {
	known := w.c.envs[id]
	if alias, ok := w.c.aliases[id]; ok {
		known = w.c.envs[alias]
	}
	same := func(other *schema.Value) {
		cmp := js.Comparer{Steps: maxNodes}
		if other != nil && !cmp.Deep(s, other) {
			throw(`id "`, id, `" resolves to more than one schema`)
		}
	}
	switch {
	case known != nil:
		same(known.schema)
	case id == normalizeID(fullPath):
	case strings.HasPrefix(id, "#"):
		same(w.local[id])
		if w.local == nil {
			w.local = map[string]*schema.Value{}
		}
		w.local[id] = s
	default:
		w.c.aliases[id] = fullPath
	}
}
