package networknt

import "strings"

// dialect is one specification with its keywords. newKeyword builds a validator;
// a nil one is a keyword that only holds annotations.
type dialect struct {
	id       string
	order    int // 4, 6, 7, 2019, 2020
	idKey    string
	keywords map[string]newKeyword
}

type newKeyword func(b *builder, at location, n *node, parent *schemaNode) check

var dialects = map[string]*dialect{}

var defaultDialect *dialect

func init() {
	common := map[string]newKeyword{
		"additionalProperties": newAdditionalProperties, "allOf": newAllOf, "anyOf": newAnyOf,
		"dependencies": newDependencies, "definitions": newDefinitions, "enum": newEnum,
		"maxItems": newMaxItems, "maxLength": newMaxLength, "maxProperties": newMaxProperties,
		"maximum": newMaximum, "minItems": newMinItems, "minLength": newMinLength,
		"minProperties": newMinProperties, "minimum": newMinimum, "multipleOf": newMultipleOf,
		"not": newNot, "notAllowed": newNotAllowed, "oneOf": newOneOf, "pattern": newPattern,
		"patternProperties": newPatternProperties, "properties": newProperties, "$ref": newRef,
		"required": newRequired, "type": newType, "uniqueItems": newUniqueItems, "format": newFormat,
		"id": newUnsupportedID, "items": newItemsLegacy,
	}
	with := func(from, changes map[string]newKeyword) map[string]newKeyword {
		out := make(map[string]newKeyword, len(from)+len(changes))
		for k, v := range from {
			out[k] = v
		}
		for k, v := range changes {
			out[k] = v
		}
		return out
	}
	common["$schema"], common["additionalItems"] = newReserved, newReserved
	six := with(common, map[string]newKeyword{
		"const": newConst, "contains": newContains, "exclusiveMaximum": newExclusiveMaximum,
		"exclusiveMinimum": newExclusiveMinimum, "propertyNames": newPropertyNames,
	})
	six["$id"] = newReserved
	seven := with(six, map[string]newKeyword{"if": newIf, "then": newReserved, "else": newReserved, "$comment": newReserved, "contentEncoding": newContentEncoding, "contentMediaType": newContentMediaType})
	modern := with(six, map[string]newKeyword{
		"if": newIf, "then": newReserved, "else": newReserved, "$comment": newReserved, "$anchor": newReserved,
		"$vocabulary": newReserved, "$defs": newDefinitions, "dependentRequired": newDependentRequired,
		"dependentSchemas": newDependentSchemas, "maxContains": newMinMaxContains, "minContains": newMinMaxContains,
		"unevaluatedItems": newUnevaluatedItems, "unevaluatedProperties": newUnevaluatedProperties,
	})
	for _, d := range []*dialect{
		{"http://json-schema.org/draft-04/schema#", 4, "id", with(common, map[string]newKeyword{"id": newIgnored})},
		{"http://json-schema.org/draft-06/schema#", 6, "$id", six},
		{"http://json-schema.org/draft-07/schema#", 7, "$id", seven},
		{"https://json-schema.org/draft/2019-09/schema", 2019, "$id", with(modern, map[string]newKeyword{"$recursiveRef": newRecursiveRef})},
		{"https://json-schema.org/draft/2020-12/schema", 2020, "$id", with(modern, map[string]newKeyword{
			"items": newItems, "prefixItems": newPrefixItems, "$dynamicRef": newDynamicRef,
			"$dynamicAnchor": newReserved, "additionalItems": newIgnored,
		})},
	} {
		dialects[d.id] = d
		defaultDialect = d
	}
}

// dialectFor finds what $schema names; the library takes http for https and an
// empty fragment, and fails to load anything else.
func dialectFor(tag string) *dialect {
	if d := dialects[tag]; d != nil {
		return d
	}
	if strings.Contains(tag, "://json-schema.org/draft") {
		for _, d := range dialects {
			_, name, _ := strings.Cut(d.id, "json-schema.org")
			if strings.Contains(tag, strings.TrimSuffix(strings.TrimSuffix(name, "#"), "schema")) {
				return d
			}
		}
	}
	throw("Failed to load dialect '%s'", tag)
	return nil
}
