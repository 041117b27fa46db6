package networknt

import (
	"strings"

	"github.com/hostmatrix/conform/validators/internal/metaschemas"
)

// newRef resolves when reached. A plain fragment is an anchor, a pointer walks the
// document and builds what it finds; another address must be known by its id.
func newRef(b *builder, _ location, n *node, parent *schemaNode) check {
	ref := n.asString()
	return func(e *execution, instance *node, at path) {
		e.validate(b.resolve(ref, parent), instance, at)
	}
}

// base is where a reference starts: up to draft-07 an $id beside $ref is not it.
func (s *schemaNode) base() *schemaNode {
	if s.hasID && s.parent != nil && s.dialect.order <= 7 {
		return s.parent
	}
	return s
}

func (b *builder) resolve(ref string, parent *schemaNode) *schemaNode {
	resolved := parent.base().at.resolveText(ref)
	switch {
	case ref == "#":
		return parent.resourceRoot()
	case !strings.HasPrefix(ref, "#"):
		return b.resolveAddress(ref, parent)
	case !strings.HasPrefix(ref, "#/"):
		if s := b.resources[resolved]; s != nil {
			return s
		}
		if s := b.anchors[resolved]; s != nil {
			return s
		}
	}
	return b.cached(resolved, ref, parent)
}

func (b *builder) resolveAddress(ref string, parent *schemaNode) *schemaNode {
	address, fragment, has := ref, "", false
	if i := strings.IndexByte(ref, '#'); i > 0 {
		address, fragment, has = ref[:i], ref[i:], true
	}
	final := parent.base().at.resolveText(address)
	found := b.resources[final]
	if found == nil {
		found = b.load(strings.TrimSuffix(final, "#"))
	}
	if !has {
		return found
	}
	name := strings.TrimSuffix(final, "#") + fragment
	if s := b.resources[name]; s != nil {
		return s
	}
	if s := b.anchors[name]; s != nil {
		return s
	}
	return b.cachedUnder(parent.base().at.resolveText(ref), fragment, found)
}

// load builds a metaschema, which the library finds on its class path. Nothing
// else is ever loaded.
func (b *builder) load(iri string) *schemaNode {
	document := metaschemas.All()[iri]
	if document == nil {
		throw("java.io.FileNotFoundException: %s", iri)
	}
	n := load(document)
	return b.create(dialectFor(n.get("$schema").str), location{iri: iri, hasIRI: true}, n, nil)
}

func (b *builder) cached(resolved, ref string, parent *schemaNode) *schemaNode {
	return b.cachedUnder(resolved, ref, parent)
}

// cachedUnder is RefValidator.getSchema: what a pointer found once is kept.
func (b *builder) cachedUnder(resolved, fragment string, parent *schemaNode) *schemaNode {
	if s := b.references[resolved]; s != nil {
		return s
	}
	s := b.subschema(fragment, parent.resourceRoot())
	b.references[resolved] = s
	return s
}

// subschema is Schema.getSubSchema: ids on the way are entered.
func (b *builder) subschema(fragment string, document *schemaNode) *schemaNode {
	steps, anchor := fragmentSteps(fragment)
	parent, at, n := document, document.at, document.node
	var found *schemaNode
	for i, step := range steps {
		next := n.get(step)
		if n.kind == kindArray {
			if k := indexOf(step); k >= 0 && k < len(n.items) {
				next = n.items[k]
			}
		}
		if next == nil {
			b.elsewhere(document)
			throw("Reference %s cannot be resolved", location{fragment: steps, anchor: anchor}.fragmentText())
		}
		at = at.append(step)
		if _, hasID := text(next, parent.dialect.idKey); hasID || i == len(steps)-1 {
			found = b.create(parent.dialect, at, next, parent)
			parent, at = found, found.at
		}
		n = next
	}
	return found
}

// elsewhere is fetchSubSchemaNode: a draft-04 document with an id is looked for
// under that id, where it is not.
func (b *builder) elsewhere(document *schemaNode) {
	id := document.node.get("id")
	if id == nil {
		return
	}
	if tag := document.node.get("$schema"); tag != nil && equal(id, tag) {
		return
	}
	if id.asString() == "#" {
		throw("Cannot invoke \"com.networknt.schema.AbsoluteIri.toString()\" because the return value of \"com.networknt.schema.SchemaLocation.getAbsoluteIri()\" is null")
	}
	address, _, _ := strings.Cut(id.asString(), "#")
	b.load(address)
}

func indexOf(step string) int {
	n := 0
	for _, c := range step {
		if c < '0' || c > '9' || n > 1<<30 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	if step == "" {
		return -1
	}
	return n
}

// newDynamicRef looks for the anchor in each resource on the way in, outermost
// last; without such an anchor it is a $ref.
func newDynamicRef(b *builder, _ location, n *node, parent *schemaNode) check {
	return func(e *execution, instance *node, at path) {
		ref := n.asString()
		base := parent
		if parent.hasID && parent.parent != nil {
			base = parent.parent
		}
		resolved := base.at.resolveText(ref)
		target := b.anchors[resolved]
		if target == nil {
			e.validate(b.resolve(ref, parent), instance, at)
			return
		}
		address, anchor, _ := strings.Cut(resolved, "#")
		for i := len(e.schemas) - 1; i >= 0; i-- {
			if s := e.schemas[i]; s.at.iri != address {
				address = s.at.iri
				if outer := b.anchors[s.at.resolveText("#"+anchor)]; outer != nil {
					target = outer
				}
			}
		}
		e.validate(target, instance, at)
	}
}

func newRecursiveRef(_ *builder, _ location, n *node, parent *schemaNode) check {
	if ref := n.display(); ref != "#" {
		throw("The value of a $recursiveRef must be '#' but is '{0}'")
	}
	return func(e *execution, instance *node, at path) {
		target := parent.resourceRoot()
		if target.recursiveAnchor {
			base := target.at.iri
			for i := len(e.schemas) - 1; i >= 0; i-- {
				if s := e.schemas[i]; s.at.iri != base {
					base = s.at.iri
					if root := s.resourceRoot(); root.recursiveAnchor {
						target = root
					}
				}
			}
		}
		e.validate(target, instance, at)
	}
}

// isJavaURI says that `new URI(text)` accepts an absolute address.
func isJavaURI(text string) bool {
	i := strings.IndexByte(text, ':')
	if i <= 0 || strings.ContainsAny(text, " \"<>\\^`{|}") {
		return false
	}
	if rest := text[i+1:]; rest == "" {
		return false
	}
	for k := range i {
		c := text[k] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (k == 0 || !strings.ContainsRune("0123456789+-.", rune(text[k]))) {
			return false
		}
	}
	for k := 0; k < len(text); k++ {
		if text[k] < 0x20 || text[k] == 0x7F {
			return false
		}
		if text[k] == '%' && (k+2 >= len(text) || !isHex(text[k+1]) || !isHex(text[k+2])) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
