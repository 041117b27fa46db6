package shape

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// zod3Words is zod 3 (@modelcontextprotocol/sdk up to 1.22): as zod 4, with
// other words, absolute paths inside unions, and a union that adopts the first
// softly failing option. Observed with the zod 3.25 that these releases install.
var zod3Words = &words{
	rules: rules{adopt: adoptFirst, javaScript: true, accepts: acceptsZod3},
	issue: zod3Issue,
	text: func(_ *Shape, _ string, issues []Issue) string {
		list := make([]*schema.Value, len(issues))
		for i := range issues {
			list[i] = zod3Object(issues[i].fault)
		}
		return stringified(schema.List(list...))
	},
}

// acceptsZod3 differs from zod 4 in numbers: zod 3 accepts Infinity.
func acceptsZod3(n *node, v *schema.Value) bool {
	if v != nil && v.Kind == schema.Number && n.kind == kindNumber {
		return true
	}
	return acceptsZod(n, v)
}

func zod3Received(f *fault) string {
	if f.node.kind == kindInteger && f.value != nil && f.value.Kind == schema.Number {
		return "float"
	}
	return jsType(f.value)
}

func zod3Expected(f *fault) string {
	switch expected := zod4Type(f.node, f.value); expected {
	case "int":
		return "integer"
	case "record":
		return "object"
	default:
		return expected
	}
}

func zod3Issue(f *fault) Issue {
	code, message := zod3Message(f)
	return Issue{Code: code, Expected: zod3Expected(f), Received: zod3Received(f), Message: message}
}

func zod3Message(f *fault) (code, message string) {
	switch f.kind {
	case faultLiteral:
		switch {
		case !f.node.enum:
			return "invalid_literal", "Invalid literal value, expected " + f.node.values[0].Compact()
		case f.value == nil:
			return "invalid_type", "Required"
		case f.value.Kind != schema.String:
			return "invalid_type", "Expected " + zod3Options(f.node) + ", received " + jsType(f.value)
		}
		return "invalid_enum_value", "Invalid enum value. Expected " + zod3Options(f.node) + ", received '" + f.value.Text + "'"
	case faultUnion:
		return "invalid_union", "Invalid input"
	case faultTag:
		return "invalid_union_discriminator", "Invalid discriminator value. Expected " + zod3Options(f.node)
	case faultUnknownKeys:
		quoted := make([]string, len(f.keys))
		for i, key := range f.keys {
			quoted[i] = "'" + key + "'"
		}
		return "unrecognized_keys", "Unrecognized key(s) in object: " + strings.Join(quoted, ", ")
	case faultCustom:
		return "custom", "Invalid input"
	case faultCheck:
		return zod3Check(f)
	}
	if f.value == nil {
		return "invalid_type", "Required"
	}
	return "invalid_type", "Expected " + zod3Expected(f) + ", received " + zod3Received(f)
}

func zod3Options(n *node) string {
	if n.kind == kindTagged {
		return "'" + strings.Join(n.tags, "' | '") + "'"
	}
	return joinValues(n.values, " | ", func(v *schema.Value) string { return "'" + v.Text + "'" })
}

func zod3Check(f *fault) (code, message string) {
	limit := strconv.FormatFloat(f.check.limit, 'f', -1, 64)
	switch f.check.name {
	case "minimum":
		return "too_small", "Number must be greater than or equal to " + limit
	case "maximum":
		return "too_big", "Number must be less than or equal to " + limit
	case "datetime":
		return "invalid_string", "Invalid datetime"
	case "url":
		return "invalid_string", "Invalid url"
	case "base64-padded":
		return "invalid_string", "Invalid base64"
	}
	return "custom", f.check.message
}

// zod3Object builds the issue as zod 3 writes it, members in its order.
func zod3Object(f *fault) *schema.Value {
	code, message := zod3Message(f)
	var m []schema.Member
	put := func(key string, v *schema.Value) { m = append(m, schema.Member{Key: key, Value: v}) }
	word := schema.Str(code)
	switch {
	case code == "invalid_type" && f.kind == faultLiteral:
		put("expected", schema.Str(zod3Options(f.node)))
		put("received", schema.Str(jsType(f.value)))
		put("code", word)
	case code == "invalid_type":
		put("code", word)
		put("expected", schema.Str(zod3Expected(f)))
		put("received", schema.Str(zod3Received(f)))
	case code == "invalid_literal":
		if f.value != nil {
			put("received", f.value)
		}
		put("code", word)
		put("expected", f.node.values[0])
	case code == "invalid_enum_value":
		put("received", f.value)
		put("code", word)
		put("options", schema.List(f.node.values...))
	case f.kind == faultUnion:
		put("code", word)
		put("unionErrors", zod3Branches(f))
	case f.kind == faultTag:
		put("code", word)
		put("options", tagList(f.node))
	case f.kind == faultUnknownKeys:
		put("code", word)
		put("keys", stringList(f.keys))
	case code == "too_small" || code == "too_big":
		put("code", word)
		bound := "minimum"
		if code == "too_big" {
			bound = "maximum"
		}
		put(bound, schema.MustParse(strconv.FormatFloat(f.check.limit, 'f', -1, 64)))
		put("type", schema.Str("number"))
		put("inclusive", schema.Flag(true))
		put("exact", schema.Flag(false))
		put("message", schema.Str(message))
		put("path", zodPath(f.path))
		return schema.Obj(m...)
	case code == "invalid_string":
		// zod 3 puts code and validation before the message, the path last.
		if f.check.name == "datetime" {
			put("code", word)
			put("validation", schema.Str("datetime"))
		} else {
			put("validation", schema.Str(strings.TrimSuffix(f.check.name, "-padded")))
			put("code", word)
		}
		put("message", schema.Str(message))
		put("path", zodPath(f.path))
		return schema.Obj(m...)
	case f.kind == faultCheck:
		put("code", word)
		put("message", schema.Str(message))
		put("path", zodPath(f.path))
		return schema.Obj(m...)
	default: // z.custom
		put("code", word)
		put("fatal", schema.Flag(true))
	}
	path := zodPath(f.path)
	if f.kind == faultTag {
		path.Items = append(path.Items, schema.Str(f.node.tag))
	}
	put("path", path)
	put("message", schema.Str(message))
	return schema.Obj(m...)
}

func zod3Branches(f *fault) *schema.Value {
	branches := make([]*schema.Value, len(f.branches))
	for i, branch := range f.branches {
		issues := make([]*schema.Value, len(branch))
		for j, sub := range branch {
			issues[j] = zod3Object(sub)
		}
		branches[i] = schema.Obj(
			schema.Member{Key: "issues", Value: schema.List(issues...)},
			schema.Member{Key: "name", Value: schema.Str("ZodError")})
	}
	return schema.List(branches...)
}
