package shape

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// jacksonWords is Jackson 3 as the Java SDK sets it up: the message is read into
// maps (of duplicate keys the last wins) and converted member by member; absent
// and null are null, scalars turn into each other, the first error ends it.
// Observed with jackson-databind 3.1.4.
var jacksonWords = &words{
	rules: rules{first: true, documentOrder: true, lastWins: true, zero: true, accepts: acceptsJackson},
	issue: func(f *fault) Issue {
		return Issue{Code: "databind", Expected: jacksonType(f.node), Received: jsType(f.value), Message: jacksonMessage(f)}
	},
	text: func(_ *Shape, _ string, issues []Issue) string {
		return issues[0].Message + "\n at [No location information]" + jacksonChain(issues[0].fault)
	},
}

// acceptsJackson is the default scalar coercion: any scalar is a string, a number
// or the words true and false are a boolean, numeric strings are numbers.
func acceptsJackson(n *node, v *schema.Value) bool {
	scalar := v.Kind == schema.Bool || v.Kind == schema.Number
	switch n.kind {
	case kindString:
		return v.Kind == schema.String || scalar
	case kindBoolean:
		text := strings.ToLower(strings.TrimSpace(v.Text))
		return scalar && !(v.Kind == schema.Number && v.HasFraction()) || v.Kind == schema.String && (text == "true" || text == "false" || text == "")
	case kindNumber, kindInteger:
		_, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
		return v.Kind == schema.Number || v.Kind == schema.String && (err == nil || v.Text == "")
	}
	return acceptsJSON(n, v)
}

func jacksonType(n *node) string {
	switch {
	case n.name != "":
		return n.name
	case n.kind == kindString:
		return "java.lang.String"
	case n.kind == kindBoolean:
		return "java.lang.Boolean"
	case n.kind == kindNumber:
		return "java.lang.Double"
	case n.kind == kindInteger:
		return "java.lang.Long"
	}
	return "java.util.LinkedHashMap<java.lang.String,java.lang.Object>"
}

// jacksonTokens names values as "from Boolean value (token …)".
func jacksonToken(v *schema.Value) string {
	name, token := "", ""
	switch v.Kind {
	case schema.Bool:
		name, token = "Boolean", "VALUE_"+strings.ToUpper(v.Compact())
	case schema.Number:
		name, token = "Integer", "VALUE_NUMBER_INT"
		if v.HasFraction() {
			name, token = "Floating-point", "VALUE_NUMBER_FLOAT"
		}
	case schema.String:
		name, token = "String", "VALUE_STRING"
	case schema.Array:
		name, token = "Array", "START_ARRAY"
	default:
		name, token = "Object", "START_OBJECT"
	}
	return name + " value (token `JsonToken." + token + "`)"
}

func jacksonMessage(f *fault) string {
	typ := jacksonType(f.node)
	switch {
	case f.kind == faultTag:
		if v := f.value.Get(f.node.tag); v != nil && v.Kind != schema.Null {
			tags := append([]string(nil), f.node.tags...)
			return "Could not resolve type id '" + shown(&fault{value: v}) + "' as a subtype of `" + typ + "`: known type ids = [" +
				strings.Join(sorted(tags), ", ") + "] (for POJO property 'content')"
		}
		fallthrough
	case f.node.kind == kindTagged:
		return "Could not resolve subtype of [simple type, class " + typ + "]: missing type id property '" + f.node.tag + "' (for POJO property 'content')"
	case f.kind == faultUnion || f.kind == faultCustom:
		return "Could not resolve subtype of [simple type, class " + typ + "]: Cannot deduce unique subtype of `" + typ + "` (" +
			strconv.Itoa(len(f.node.options)) + " candidates match)"
	case f.kind == faultLiteral:
		return "Cannot deserialize value of type `" + typ + "` from String " + f.value.Compact() + ": not one of the values accepted for Enum class: [" +
			joinValues(f.node.values, ", ", func(v *schema.Value) string { return v.Text }) + "]"
	case f.value == nil:
		return "missing"
	case f.node.kind == kindObject && f.value.Kind == schema.String:
		return "Cannot construct instance of `" + typ + "` (although at least one Creator exists): no String-argument constructor/factory method to deserialize from String value ('" + f.value.Text + "')"
	case f.node.kind == kindObject && f.value.Kind == schema.Bool:
		return "Cannot construct instance of `" + typ + "` (although at least one Creator exists): no boolean/Boolean-argument constructor/factory method to deserialize from boolean value (" + f.value.Compact() + ")"
	case f.node.kind == kindBoolean && f.value.Kind == schema.String:
		return "Cannot deserialize value of type `" + typ + "` from String " + f.value.Compact() + `: only "true" or "false" recognized`
	case f.node.kind == kindNumber && f.value.Kind == schema.String:
		return "Cannot deserialize value of type `" + typ + "` from String " + f.value.Compact() + ": not a valid `Double` value"
	}
	return "Cannot deserialize value of type `" + typ + "` from " + jacksonToken(f.value)
}

// jacksonChain is the way to the value, each step with the type that holds it.
func jacksonChain(f *fault) string {
	if len(f.path) == 0 {
		return ""
	}
	steps := make([]string, len(f.path))
	for i, s := range f.path {
		switch {
		case s.array:
			steps[i] = "java.util.ArrayList[" + strconv.Itoa(s.index) + "]"
		case s.in.kind == kindRecord:
			steps[i] = `java.util.LinkedHashMap["` + s.key + `"]`
		default:
			steps[i] = s.in.name + `["` + s.key + `"]`
		}
	}
	return " (through reference chain: " + strings.Join(steps, "->") + ")"
}

func sorted(texts []string) []string {
	for i := 1; i < len(texts); i++ {
		for j := i; j > 0 && texts[j-1] > texts[j]; j-- {
			texts[j-1], texts[j] = texts[j], texts[j-1]
		}
	}
	return texts
}
