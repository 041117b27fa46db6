package shape

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// builder turns node texts into nodes. A node text is a string ("string?",
// "@Tool[]") or an object with exactly one of the kind keys; see
// shape.schema.json for the grammar.
type builder struct {
	types map[string]located
	done  map[string]*node
}

// kindKeys are the keys of which a node object has exactly one.
var kindKeys = []string{"is", "object", "array", "record", "literal", "enum", "union", "tagged", "custom"}

// modifierKeys may stand beside any kind key.
var modifierKeys = []string{"optional", "nullable", "catch", "default", "name", "note", "label", "restart", "inner", "kept"}

// kindsWith lists the further keys of a kind.
var kindsWith = map[string][]string{
	"is":     {"minimum", "maximum", "base64", "base64-padded", "datetime", "datetime-minutes", "url", "nonempty", "base64-go", "well-formed", "utf8", "omitzero", "float"},
	"object": {"unknown", "written", "as"},
	"tagged": {"tag", "else"},
}

var simpleKinds = map[string]kind{
	"any": kindAny, "never": kindNever, "null": kindNull, "string": kindString, "number": kindNumber,
	"integer": kindInteger, "boolean": kindBoolean,
}

func (b *builder) node(at located) (*node, error) {
	if text, ok := at.v.IsString(); ok {
		return b.shorthand(at, text)
	}
	if at.v == nil || at.v.Kind != schema.Object {
		return nil, at.fail("a node is a string or an object")
	}
	key := ""
	for _, m := range at.v.Unique() {
		if contains(kindKeys, m.Key) {
			if key != "" {
				return nil, at.fail("has both %q and %q; a node has one kind", key, m.Key)
			}
			key = m.Key
		}
	}
	if key == "" {
		return nil, at.fail("has none of the kind keys %s", strings.Join(kindKeys, ", "))
	}
	allowed := append(append([]string{key}, modifierKeys...), kindsWith[key]...)
	if err := onlyKeys(at, allowed); err != nil {
		return nil, err
	}
	n, err := b.kinded(at, key)
	if err != nil {
		return nil, err
	}
	n.optional = n.optional || at.v.Get("optional").IsTrue()
	n.nullable = n.nullable || at.v.Get("nullable").IsTrue()
	n.caught = at.v.Get("catch").IsTrue()
	n.restart, n.inner = at.v.Get("restart").IsTrue(), at.v.Get("inner").IsTrue()
	n.omitzero, n.float = at.v.Get("omitzero").IsTrue(), at.v.Get("float").IsTrue()
	n.kept = at.v.Get("kept").IsTrue()
	n.label, _ = at.v.Get("label").IsString()
	if n.fallback = at.v.Get("default"); n.fallback != nil {
		n.optional = true
	}
	if name, ok := at.v.Get("name").IsString(); ok {
		n.name = name
	}
	return n, nil
}

// shorthand reads "base" with the suffixes [] (array of), {} (record of), |null
// and ?, applied from left to right.
func (b *builder) shorthand(at located, text string) (*node, error) {
	switch {
	case strings.HasSuffix(text, "?"):
		return b.modified(at, strings.TrimSuffix(text, "?"), func(n *node) { n.optional = true })
	case strings.HasSuffix(text, "|null"):
		return b.modified(at, strings.TrimSuffix(text, "|null"), func(n *node) { n.nullable = true })
	case strings.HasSuffix(text, "[]"):
		item, err := b.shorthand(at, strings.TrimSuffix(text, "[]"))
		return &node{kind: kindArray, item: item}, err
	case strings.HasSuffix(text, "{}"):
		item, err := b.shorthand(at, strings.TrimSuffix(text, "{}"))
		return &node{kind: kindRecord, item: item}, err
	case strings.HasPrefix(text, "@"):
		target, err := b.named(at, text[1:])
		return &node{kind: kindRef, target: target}, err
	}
	k, ok := simpleKinds[text]
	if !ok {
		return nil, at.fail("unknown node %q; nearest: %q", text, nearest(text, keysOf(simpleKinds)))
	}
	return &node{kind: k}, nil
}

// modified sets a modifier on a node that only this place uses.
func (b *builder) modified(at located, text string, set func(*node)) (*node, error) {
	n, err := b.shorthand(at, text)
	if err == nil {
		set(n)
	}
	return n, err
}

// named resolves a type once; the node exists before it is filled, so that
// types may refer to each other.
func (b *builder) named(at located, name string) (*node, error) {
	if n, ok := b.done[name]; ok {
		return n, nil
	}
	l, ok := b.types[name]
	if !ok {
		return nil, at.fail("no type %q; nearest: %q", name, nearest(name, keysOf(b.types)))
	}
	n := &node{}
	b.done[name] = n
	built, err := b.node(l)
	if err != nil {
		return nil, err
	}
	*n = *built
	for at := n; at.kind == kindRef; at = at.target {
		if at.target == n {
			return nil, l.fail("type %q is only a name for itself", name)
		}
	}
	if n.name == "" {
		n.name = name
	}
	return n, nil
}

func (b *builder) kinded(at located, key string) (*node, error) {
	sub := at.child(key, at.v.Get(key))
	n := &node{}
	var err error
	switch key {
	case "is":
		return b.checked(at, sub)
	case "array", "record":
		n.kind = kindArray
		if key == "record" {
			n.kind = kindRecord
		}
		n.item, err = b.node(sub)
	case "object":
		return b.object(at, sub)
	case "literal":
		n.kind, n.values = kindLiteral, []*schema.Value{sub.v}
	case "enum":
		if sub.v.Kind != schema.Array || len(sub.v.Items) == 0 {
			return nil, sub.fail("must be an array of values")
		}
		n.kind, n.enum, n.values = kindLiteral, true, sub.v.Items
	case "union":
		n.kind = kindUnion
		for i, item := range sub.v.Items {
			option, err := b.node(sub.child(schema.Num(int64(i)).Text, item))
			if err != nil {
				return nil, err
			}
			n.options = append(n.options, option)
		}
		if len(n.options) == 0 {
			return nil, sub.fail("must be an array of nodes")
		}
	case "tagged":
		n.kind = kindTagged
		if n.tag, _ = at.v.Get("tag").IsString(); n.tag == "" {
			return nil, at.fail("tagged needs tag, the member that names the option")
		}
		for _, m := range sub.v.Unique() {
			option, err := b.node(sub.child(m.Key, m.Value))
			if err != nil {
				return nil, err
			}
			n.tags, n.options = append(n.tags, m.Key), append(n.options, option)
		}
		if other := at.v.Get("else"); other != nil {
			n.other, err = b.node(at.child("else", other))
		}
	case "custom":
		n.kind = kindCustom
		for _, item := range sub.v.Items {
			k, ok := typeNamed(item)
			if !ok {
				return nil, sub.fail("%s is no JSON type", item.Compact())
			}
			n.types = append(n.types, k)
		}
	}
	return n, err
}

// checked reads {"is": simple kind, checks…}.
func (b *builder) checked(at, sub located) (*node, error) {
	text, ok := sub.v.IsString()
	if !ok {
		return nil, sub.fail("must be a string")
	}
	n, err := b.shorthand(sub, text)
	if err != nil {
		return nil, err
	}
	for _, m := range at.v.Unique() {
		if _, ok := checkNames[m.Key]; !ok {
			continue
		}
		k := check{name: m.Key}
		switch m.Value.Kind {
		case schema.Number:
			k.limit = m.Value.Float()
		case schema.String:
			k.message = m.Value.Text
		case schema.Bool:
		default:
			return nil, at.child(m.Key, m.Value).fail("must be a limit, a message or true")
		}
		n.checks = append(n.checks, k)
	}
	return n, nil
}

func (b *builder) object(at, sub located) (*node, error) {
	if sub.v.Kind != schema.Object {
		return nil, sub.fail("must be an object of nodes")
	}
	n := &node{kind: kindObject}
	for _, m := range sub.v.Unique() {
		child, err := b.node(sub.child(m.Key, m.Value))
		if err != nil {
			return nil, err
		}
		n.fields = append(n.fields, field{m.Key, child})
	}
	if list := at.v.Get("written"); list != nil {
		n.written = []string{}
		for _, item := range list.Items {
			name, ok := item.IsString()
			if !ok || n.get(name) == nil {
				return nil, at.child("written", list).fail("%s names no field", item.Compact())
			}
			n.written = append(n.written, name)
		}
	}
	if as := at.v.Get("as"); as != nil {
		n.as = map[string]*node{}
		for _, m := range as.Unique() {
			written, err := b.node(at.child("as", as).child(m.Key, m.Value))
			if err != nil {
				return nil, err
			}
			n.as[m.Key] = written
		}
	}
	if u := at.v.Get("unknown"); u != nil {
		switch text, _ := u.IsString(); text {
		case "strip":
		case "keep":
			n.unknown = unknownKeep
		case "reject":
			n.unknown = unknownReject
		default:
			return nil, at.child("unknown", u).fail("must be strip, keep or reject")
		}
	}
	return n, nil
}

// elements returns the elements of an array, none of anything else.
func elements(v *schema.Value) []*schema.Value {
	if v == nil {
		return nil
	}
	return v.Items
}

func typeNamed(v *schema.Value) (schema.Kind, bool) {
	for k := schema.Null; k <= schema.Object; k++ {
		if v.Kind == schema.String && k.String() == v.Text {
			return k, true
		}
	}
	return 0, false
}
