package shape

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// kind is what a node accepts before its checks run.
type kind uint8

const (
	kindAny     kind = iota // anything; absent only when optional
	kindNever               // nothing but absence
	kindNull                // null
	kindString              // a JSON string
	kindNumber              // a JSON number
	kindInteger             // a number without fraction, see words for 1.0
	kindBoolean             // true or false
	kindObject              // an object with named fields
	kindRecord              // an object whose members all follow one node
	kindArray               // an array whose elements all follow one node
	kindLiteral             // one of a fixed list of values
	kindUnion               // the first option that accepts
	kindTagged              // the option that a member names (discriminated union)
	kindCustom              // one of a list of JSON types, reported as a failed predicate
	kindRef                 // what a named type says
)

// unknown says what happens to members that an object node does not name.
type unknown uint8

const (
	unknownStrip  unknown = iota // accepted, then dropped
	unknownKeep                  // accepted and kept
	unknownReject                // an issue
)

// node is one element of a shape. References are resolved, so nodes may form
// cycles (a JSON value holds JSON values).
type node struct {
	kind     kind
	optional bool          // may be absent
	nullable bool          // may be null
	caught   bool          // a value that fails is replaced, never reported (zod .catch)
	fallback *schema.Value // what stands for an absent value (zod .default); implies optional

	target   *node            // kindRef
	label    string           // what encoding/json calls the field on the way: "Embedded.key"; "-" is nothing
	restart  bool             // decoded apart, so that a path begins here (Go)
	inner    bool             // decoded inside UnmarshalJSON of the holder, whose name stays (Go)
	name     string           // type name that some dialects print: a Go struct, a pydantic model
	fields   []field          // kindObject, in the order in which the parser checks
	unknown  unknown          // kindObject
	written  []string         // kindObject: written back whatever they hold; nil: as they came
	as       map[string]*node // kindObject: what is written back of it, by its member type
	kept     bool             // written back though it is empty, as what stands behind a pointer
	omitzero bool             // kindNumber, kindInteger: left out of what is written back when it is 0
	float    bool             // kindNumber: written back with a fraction, 0.0
	item     *node            // kindRecord, kindArray
	values   []*schema.Value  // kindLiteral
	enum     bool             // kindLiteral: written as an enumeration
	options  []*node          // kindUnion, kindTagged
	tags     []string         // kindTagged: the value of tag for each option
	tag      string           // kindTagged: member that names the option
	other    *node            // kindTagged: what an unknown name must be, nil: refused
	types    []schema.Kind    // kindCustom
	checks   []check
}

// field is one named member of an object node.
type field struct {
	key  string
	node *node
}

// follow returns the node behind references.
func (n *node) follow() *node {
	for n != nil && n.kind == kindRef {
		n = n.target
	}
	return n
}

// hasZero reports whether a Go type stands behind a node, which absence and null
// leave as it is; the other kinds are conditions of the shape's own.
func (n *node) hasZero() bool {
	switch n.kind {
	case kindRef, kindTagged, kindUnion, kindLiteral, kindCustom:
		return false
	}
	return true
}

// simple reports whether a type is all that a node asks of a value that is there.
func (n *node) simple() bool {
	switch n.kind {
	case kindNull, kindString, kindNumber, kindInteger, kindBoolean:
		return len(n.checks) == 0 && !n.optional && !n.nullable && !n.caught
	}
	return false
}

// get returns the field key of an object node, or nil.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.fields {
		if n.fields[i].key == key {
			return n.fields[i].node
		}
	}
	return nil
}

// field returns the field that a member key fills, by its exact name or, when
// fold is set and there is none, without regard to case.
func (n *node) field(key string, fold bool) *field {
	for i := range n.fields {
		if n.fields[i].key == key {
			return &n.fields[i]
		}
	}
	for i := range n.fields {
		if fold && strings.EqualFold(n.fields[i].key, key) {
			return &n.fields[i]
		}
	}
	return nil
}

// anyArray and anyObject stand for the containers inside an untyped value.
var (
	anyArray  = &node{kind: kindArray, name: "[]interface {}"}
	anyObject = &node{kind: kindRecord, name: "map[string]interface {}"}
)

// check is a condition on a value of the right type.
type check struct {
	name    string  // see checkNames
	limit   float64 // minimum, maximum
	message string  // the parser's own message for a predicate
}

// checkNames lists the checks and what each asks of a value.
var checkNames = map[string]string{
	"minimum":          "number is at least the limit",
	"maximum":          "number is at most the limit",
	"base64":           "string is accepted by JavaScript's atob",
	"base64-padded":    "string is base64 with padding, as zod 3's base64() reads it",
	"base64-go":        "string is standard base64 with padding, line breaks aside (Go)",
	"datetime":         "string is an ISO 8601 date and time with zone, as zod's datetime({offset:true}) reads it",
	"datetime-minutes": "string is an ISO 8601 date and time with zone and without seconds, as zod's datetime({offset:true,precision:-1}) reads it",
	"well-formed":      "no number beyond a double and no lone surrogate inside",
	"utf8":             "no lone surrogate inside",
	"nonempty":         "object has a member",
	"url":              "string is accepted by JavaScript's new URL",
}
