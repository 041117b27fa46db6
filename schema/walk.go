package schema

import "strconv"

// Place says what stands under a keyword.
type Place uint8

const (
	placeNone    Place = iota
	OneSchema          // the value is a schema: not, if, additionalProperties
	SchemaList         // an array of schemas: allOf, prefixItems
	SchemaMap          // an object whose values are schemas: properties, $defs
	SchemaOrMany       // one schema or an array of schemas: items
	MapOrLists         // values are schemas or string arrays: dependencies
)

// keywordPlaces lists every applicator of draft-04 to 2020-12, once.
// Source: the vocabularies of the 2020-12 and 2019-09 metaschemas, the draft-07
// and draft-04 metaschemas.
var keywordPlaces = map[string]Place{
	"additionalItems": OneSchema, "additionalProperties": OneSchema, "contains": OneSchema,
	"contentSchema": OneSchema, "else": OneSchema, "if": OneSchema, "not": OneSchema,
	"propertyNames": OneSchema, "then": OneSchema, "unevaluatedItems": OneSchema,
	"unevaluatedProperties": OneSchema,
	"allOf":                 SchemaList, "anyOf": SchemaList, "oneOf": SchemaList, "prefixItems": SchemaList,
	"$defs": SchemaMap, "definitions": SchemaMap, "dependentSchemas": SchemaMap,
	"patternProperties": SchemaMap, "properties": SchemaMap,
	"items":        SchemaOrMany,
	"dependencies": MapOrLists,
}

// PlaceOf returns what stands under keyword; ok is false for a keyword that
// holds no schema.
func PlaceOf(keyword string) (place Place, ok bool) {
	place, ok = keywordPlaces[keyword]
	return place, ok
}

// Node is one subschema met by [Walk].
type Node struct {
	Schema  *Value
	Pointer Pointer // from the document root; shared while walking, copy to keep
	Keyword string  // applicator that holds it, "" at the root
	Parent  *Value  // the schema that holds it, nil at the root
	Depth   int     // number of schemas above it
}

// Walk visits root and every subschema in source order, parents first. It
// follows no reference, so it always ends. visit returns false to leave out what
// is below the node. Values that are neither object nor boolean are visited too
// (a schema written as null or 5), so that the caller sees what is malformed.
func Walk(root *Value, visit func(Node) bool) {
	walk(Node{Schema: root}, make(Pointer, 0, 16), visit)
}

func walk(n Node, at Pointer, visit func(Node) bool) {
	n.Pointer = at
	if !visit(n) || n.Schema == nil || n.Schema.Kind != Object {
		return
	}
	for _, m := range n.Schema.Unique() {
		place, ok := keywordPlaces[m.Key]
		if !ok {
			continue
		}
		eachSubschema(place, m.Value, append(at, m.Key), func(sub *Value, at Pointer) {
			walk(Node{Schema: sub, Keyword: m.Key, Parent: n.Schema, Depth: n.Depth + 1}, at, visit)
		})
	}
}

// eachSubschema calls f for the schemas that stand under one keyword.
func eachSubschema(place Place, v *Value, at Pointer, f func(*Value, Pointer)) {
	switch {
	case place == OneSchema, place == SchemaOrMany && v.Kind != Array:
		f(v, at)
	case place == SchemaList || place == SchemaOrMany:
		for i, item := range v.Items {
			f(item, append(at, strconv.Itoa(i)))
		}
	case place == SchemaMap || place == MapOrLists:
		for _, m := range v.Unique() {
			if place == MapOrLists && m.Value.Kind == Array {
				continue
			}
			f(m.Value, append(at, m.Key))
		}
	}
}

// Map returns a copy of the schema in which every subschema was replaced by what
// change returns for it, children before parents; returning the argument keeps
// it, returning nil removes it (the member or array element that held it goes).
// Unchanged parts are shared with the original.
func Map(root *Value, change func(Node) *Value) *Value {
	return mapNode(Node{Schema: root}, make(Pointer, 0, 16), change)
}

func mapNode(n Node, at Pointer, change func(Node) *Value) *Value {
	n.Pointer = at
	if n.Schema == nil || n.Schema.Kind != Object {
		return change(n)
	}
	changed := false
	members := make([]Member, 0, len(n.Schema.Members))
	for _, m := range n.Schema.Unique() {
		place, ok := keywordPlaces[m.Key]
		if !ok {
			members = append(members, m)
			continue
		}
		value := mapUnder(place, m, n, append(at, m.Key), change)
		if value != m.Value {
			changed = true
		}
		if value != nil {
			members = append(members, Member{m.Key, value})
		}
	}
	if changed {
		n.Schema = Obj(members...)
	}
	return change(n)
}

func mapUnder(place Place, m Member, parent Node, at Pointer, change func(Node) *Value) *Value {
	sub := func(v *Value, at Pointer) *Value {
		return mapNode(Node{Schema: v, Keyword: m.Key, Parent: parent.Schema, Depth: parent.Depth + 1}, at, change)
	}
	switch {
	case place == OneSchema, place == SchemaOrMany && m.Value.Kind != Array:
		return sub(m.Value, at)
	case (place == SchemaList || place == SchemaOrMany) && m.Value.Kind == Array:
		changed := false
		items := make([]*Value, 0, len(m.Value.Items))
		for i, item := range m.Value.Items {
			v := sub(item, append(at, strconv.Itoa(i)))
			changed = changed || v != item
			if v != nil {
				items = append(items, v)
			}
		}
		if changed {
			return List(items...)
		}
	case (place == SchemaMap || place == MapOrLists) && m.Value.Kind == Object:
		changed := false
		members := make([]Member, 0, len(m.Value.Members))
		for _, e := range m.Value.Unique() {
			v := e.Value
			if place == SchemaMap || e.Value.Kind != Array {
				v = sub(e.Value, append(at, e.Key))
			}
			changed = changed || v != e.Value
			if v != nil {
				members = append(members, Member{e.Key, v})
			}
		}
		if changed {
			return Obj(members...)
		}
	}
	return m.Value
}
