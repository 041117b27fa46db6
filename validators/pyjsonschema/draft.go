package pyjsonschema

import (
	"strings"

	"github.com/hostmatrix/conform/validators/internal/metaschemas"
)

// keywordFunc checks one keyword and passes each error to emit; it stops, and
// returns false, when emit does. That is a Python generator turned inside out:
// what a caller does not ask for is never computed, and never raises.
type keywordFunc func(v *validator, limit, instance, schema *value, emit func(*failure) bool) bool

// draft is one validator class with its referencing specification.
type draft struct {
	name        string
	metaURI     string
	meta        *value // the metaschema
	keywords    map[string]keywordFunc
	refAlone    bool   // keywords beside $ref are ignored (draft-03 to -07)
	floatInts   bool   // 1.0 is an integer (draft-06 on)
	anyType     bool   // "any" is a type (draft-03)
	legacyID    string // "id" (draft-03, -04), "$id" that may be an anchor (-06, -07), "" from 2019-09 on
	dynamic     bool   // $dynamicAnchor (2020-12)
	inValue     []string
	inArray     []string
	inMap       []string
	oddPlaces   []string // items, dependencies, additional*: walked by their own rules
	pointerOdd  []string // the odd places that a JSON Pointer enters
	pointerOnly []string // places that only a JSON Pointer enters
}

// drafts are the six classes by the normal form of their metaschema's URI.
var drafts = map[string]*draft{}

// latest is the class for a schema without $schema, or with an unknown one.
var latest *draft

func init() {
	applicators := []string{"additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"}
	lists := []string{"allOf", "anyOf", "oneOf"}
	maps := []string{"definitions", "patternProperties", "properties"}
	modern := append([]string{"contentSchema", "unevaluatedItems", "unevaluatedProperties"}, applicators...)
	modernMaps := append([]string{"$defs", "dependentSchemas"}, maps...)
	for _, d := range []*draft{
		{name: "draft3", metaURI: "http://json-schema.org/draft-03/schema", keywords: keywordsDraft3,
			refAlone: true, anyType: true, legacyID: "id", inArray: []string{"extends"}, inMap: maps,
			oddPlaces:   []string{"items", "dependencies", "additionalItems", "additionalProperties"},
			pointerOdd:  []string{"items", "dependencies"},
			pointerOnly: []string{"additionalItems", "additionalProperties"}},
		{name: "draft4", metaURI: "http://json-schema.org/draft-04/schema", keywords: keywordsDraft4,
			refAlone: true, legacyID: "id", inValue: []string{"not"}, inArray: lists, inMap: maps,
			oddPlaces:   []string{"items", "dependencies", "additionalItems", "additionalProperties"},
			pointerOdd:  []string{"items", "dependencies"},
			pointerOnly: []string{"additionalItems", "additionalProperties"}},
		{name: "draft6", metaURI: "http://json-schema.org/draft-06/schema", keywords: keywordsDraft6,
			refAlone: true, floatInts: true, legacyID: "$id",
			inValue: []string{"additionalItems", "additionalProperties", "contains", "not", "propertyNames"},
			inArray: lists, inMap: maps,
			oddPlaces: []string{"items", "dependencies"}, pointerOdd: []string{"items", "dependencies"}},
		{name: "draft7", metaURI: "http://json-schema.org/draft-07/schema", keywords: keywordsDraft7,
			refAlone: true, floatInts: true, legacyID: "$id",
			inValue: append([]string{"additionalItems"}, applicators...), inArray: lists, inMap: maps,
			oddPlaces: []string{"items", "dependencies"}, pointerOdd: []string{"items", "dependencies"}},
		{name: "draft201909", metaURI: "https://json-schema.org/draft/2019-09/schema", keywords: keywords201909,
			floatInts: true, inValue: append([]string{"additionalItems"}, modern...), inArray: lists, inMap: modernMaps,
			oddPlaces: []string{"items"}, pointerOdd: []string{"items"}},
		{name: "draft202012", metaURI: "https://json-schema.org/draft/2020-12/schema", keywords: keywords202012,
			floatInts: true, dynamic: true, inValue: append([]string{"items"}, modern...),
			inArray: append([]string{"prefixItems"}, lists...), inMap: modernMaps},
	} {
		d.meta, _ = load(metaschemas.All()[d.metaURI])
		drafts[d.metaURI] = d
		latest = d
	}
	loadSpecifications()
}

// draftFor is validators.validator_for: the class that $schema names, else
// fallback. It raises what Python raises on a $schema that is no string.
func draftFor(schema *value, fallback *draft) *draft {
	if schema.kind == kindBool || schema.kind == kindDict && schema.dict["$schema"] == nil {
		return fallback
	}
	if !contains(schema, "$schema") {
		return fallback
	}
	if schema.kind != kindDict {
		raise("TypeError", "%s indices must be integers%s", map[kind]string{kindStr: "string", kindList: "list"}[schema.kind],
			map[kind]string{kindStr: ", not 'str'", kindList: " or slices, not str"}[schema.kind])
	}
	tag := schema.dict["$schema"]
	switch {
	case tag.kind == kindStr:
	case tag.kind == kindList || tag.kind == kindDict:
		raise("TypeError", "unhashable type: '%s'", tag.kind)
	case tag.truthy():
		raise("AttributeError", "'%s' object has no attribute 'decode'", tag.kind)
	default:
		return fallback
	}
	if d := drafts[strings.TrimSuffix(tag.str, "#")]; d != nil {
		return d
	}
	if d := drafts[splitURI(tag.str).String()]; d != nil {
		return d
	}
	return fallback
}

// specificationFor is Specification.detect: what referencing makes of a
// subresource with a $schema of its own.
func specificationFor(contents *value, fallback *draft) *draft {
	tag := contents.get("$schema")
	if tag == nil || tag.kind == kindNone {
		return fallback
	}
	if tag.kind != kindStr {
		raise("AttributeError", "'%s' object has no attribute 'rstrip'", tag.kind)
	}
	if d := drafts[strings.TrimRight(tag.str, "#")]; d != nil {
		return d
	}
	return fallback
}

// isType is TypeChecker.is_type. schema is what UnknownType would print.
func (d *draft) isType(instance, name, schema *value) bool {
	if name.kind != kindStr {
		if name.kind == kindList || name.kind == kindDict {
			raise("TypeError", "unhashable type: '%s'", name.kind)
		}
		raiseUnknownType(name, instance, schema)
	}
	switch name.str {
	case "array":
		return instance.kind == kindList
	case "boolean":
		return instance.kind == kindBool
	case "integer":
		return instance.kind == kindInt ||
			d.floatInts && instance.kind == kindFloat && isIntegral(instance.float)
	case "null":
		return instance.kind == kindNone
	case "number":
		return instance.isNumber()
	case "object":
		return instance.kind == kindDict
	case "string":
		return instance.kind == kindStr
	case "any":
		if d.anyType {
			return true
		}
	}
	raiseUnknownType(name, instance, schema)
	return false
}

func raiseUnknownType(name, instance, schema *value) {
	raise("UnknownType", "%s", "Unknown type "+repr(name)+" for validator with schema:\n    "+pretty(schema)+
		"\n\nWhile checking instance:\n    "+pretty(instance))
}
