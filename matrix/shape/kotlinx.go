package shape

import (
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// kotlinxWords is kotlinx.serialization over a JSON tree, lenient, as the Kotlin
// SDK sets it up. Fields are read as the class declares them, what is missing is
// reported last; a path is that inside the innermost class. Observed with
// kotlinx-serialization-json 1.11.0.
var kotlinxWords = &words{
	rules: rules{first: true, missingLast: true, accepts: acceptsKotlinx},
	issue: func(f *fault) Issue {
		return Issue{Code: "serialization", Expected: expectation(f.node), Received: jsType(f.value), Message: kotlinxMessage(f)}
	},
	text: func(_ *Shape, _ string, issues []Issue) string { return issues[0].Message },
}

// acceptsKotlinx reads any literal as a string and quoted literals as what they
// say.
func acceptsKotlinx(n *node, v *schema.Value) bool {
	if v == nil {
		return false
	}
	literal := v.Kind == schema.Bool || v.Kind == schema.Number || v.Kind == schema.String
	text := v.Text
	if v.Kind == schema.Bool {
		text = v.Compact()
	}
	switch n.kind {
	case kindString:
		return literal
	case kindBoolean:
		return literal && (strings.EqualFold(text, "true") || strings.EqualFold(text, "false"))
	case kindNumber:
		f, err := strconv.ParseFloat(text, 64)
		return literal && err == nil && !math.IsInf(f, 0)
	case kindInteger:
		_, err := strconv.ParseInt(text, 10, 64)
		return literal && err == nil
	}
	return acceptsJSON(n, v)
}

// kotlinxElement is the class of a JSON element.
func kotlinxElement(v *schema.Value) string {
	switch {
	case v == nil || v.Kind == schema.Null:
		return "JsonNull"
	case v.Kind == schema.Array:
		return "JsonArray"
	case v.Kind == schema.Object:
		return "JsonObject"
	}
	return "JsonLiteral"
}

var kotlinxKinds = map[kind][3]string{ // element that is expected, serial name, word
	kindObject:  {"JsonObject", "", ""},
	kindRecord:  {"JsonObject", "kotlin.collections.LinkedHashMap", ""},
	kindArray:   {"JsonArray", "kotlin.collections.ArrayList", ""},
	kindString:  {"JsonPrimitive", "string", "string"},
	kindBoolean: {"JsonPrimitive", "boolean", "boolean"},
	kindNumber:  {"JsonPrimitive", "double", "double"},
	kindInteger: {"JsonPrimitive", "long", "long"},
}

func kotlinxMessage(f *fault) string {
	last := step{}
	path, key := "$", ""
	if len(f.path) > 0 {
		last = f.path[len(f.path)-1]
		key = last.key
		if last.array {
			key = strconv.Itoa(last.index)
		}
		path += "." + key
	}
	names := kotlinxKinds[f.node.kind]
	if f.node.name != "" {
		names[1] = f.node.name
	}
	switch {
	case f.kind == faultTag:
		if v := f.value.Get(f.node.tag); v != nil {
			text := v.Text
			if v.Kind != schema.String && v.Kind != schema.Number {
				text = v.Compact()
			}
			return "Unknown content block type: " + text
		}
		return "Missing required 'type' field"
	case f.value == nil && f.parent != nil:
		return kotlinxMissing(f, last)
	case f.node.kind == kindTagged || f.node.kind == kindUnion:
		return "Element class kotlinx.serialization.json." + kotlinxElement(f.value) + " is not a JsonObject"
	case f.kind == faultCheck:
		return "Priority must be between 0.0 and 1.0"
	case f.kind == faultLiteral:
		return f.node.name + " does not contain element with name '" + shown(f) + "'"
	case names[0] == "JsonPrimitive" && f.value.Kind == schema.Null:
		return "Expected " + names[2] + " value for a non-null key '" + key + "', got null literal instead at path: " + path +
			"\nUse 'coerceInputValues = true' in 'Json {}' builder to coerce nulls if property has a default value.\nJSON input: " + f.parent.Compact()
	case f.node.kind == kindNumber && f.value.Kind == schema.Number:
		return "Unexpected special floating-point value " + schema.JSNumber(f.value.Float(), false) + " with key " + key +
			". By default, non-finite floating point values are prohibited because they do not conform JSON specification." +
			"\nIt is possible to deserialize them using 'JsonBuilder.allowSpecialFloatingPointValues = true'\nJSON input: " + f.parent.Compact()
	case names[0] == "JsonPrimitive" && f.value.Kind != schema.Array && f.value.Kind != schema.Object:
		return "Failed to parse literal '" + f.value.Compact() + "' as a " + names[2] + " value at path: " + path + "\nJSON input: " + f.parent.Compact()
	}
	return "Expected " + names[0] + ", but had " + kotlinxElement(f.value) + " as the serialized body of " + names[1] + " at path: " + path + "\nJSON input: " + f.value.Compact()
}

// kotlinxMissing names all fields that the object lacks.
func kotlinxMissing(f *fault, last step) string {
	var missing []string
	for _, field := range last.in.fields {
		if !field.node.optional && f.parent.Get(field.key) == nil {
			missing = append(missing, field.key)
		}
	}
	of := " for type with serial name '" + last.in.name + "', but "
	if len(missing) == 1 {
		return "Field '" + missing[0] + "' is required" + of + "it was missing at path: $"
	}
	return "Fields [" + strings.Join(missing, ", ") + "] are required" + of + "they were missing at path: $"
}
