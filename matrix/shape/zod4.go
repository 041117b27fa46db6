package shape

import (
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// zod4Words is zod 4 (@modelcontextprotocol/sdk from 1.23.0, client 2.x):
// every fault is collected in the order of the schema, an error prints as
// JSON.stringify(issues, null, 2). Observed with zod 4.6.7. Hosts bundle older
// releases, see zod4releases.go.
var zod4Words = zod4(rules{adopt: adoptSole, zod: zod46})

// zod4 is the family of one release.
func zod4(own rules) *words {
	own.javaScript, own.skipProto, own.accepts = true, true, acceptsZod
	return &words{rules: own, issue: zod4Issue, text: func(_ *Shape, _ string, issues []Issue) string {
		list := make([]*schema.Value, len(issues))
		for i := range issues {
			if thrown := thrownIn(issues[i].fault); thrown != "" {
				return thrown
			}
			list[i] = zod4Object(issues[i].fault, 0)
		}
		return stringified(schema.List(list...))
	}}
}

// acceptsZod is zod's reading of types, which is JavaScript's: a number is
// finite, an integer is a safe integer however it is written.
func acceptsZod(n *node, v *schema.Value) bool {
	switch {
	case v == nil:
		return n.kind == kindAny || n.kind == kindNever // z.unknown() accepts undefined
	case n.kind == kindNumber && v.Kind == schema.Number:
		return !math.IsInf(v.Float(), 0)
	case n.kind == kindInteger && v.Kind == schema.Number:
		f := v.Float()
		return f == math.Trunc(f) && math.Abs(f) <= 1<<53-1
	}
	return acceptsJSON(n, v)
}

// jsType names a value as zod does.
func jsType(v *schema.Value) string {
	if v == nil {
		return "undefined"
	}
	return v.Kind.String()
}

// zod4Type is the word for what a node expects of v: z.number().int() asks for a
// number first.
func zod4Type(n *node, v *schema.Value) string {
	switch n.kind {
	case kindRecord:
		return "record"
	case kindInteger:
		if v == nil || v.Kind != schema.Number || math.IsInf(v.Float(), 0) {
			return "number"
		}
		return "int"
	case kindNever:
		return "never"
	}
	return expectation(n)
}

func zod4Issue(f *fault) Issue {
	code, message := zod4Message(f)
	return Issue{Code: code, Expected: zod4Type(f.node, f.value), Received: zod4Received(f.value), Message: message}
}

// zod4Received names a value as zod 4 does: an infinite number by its name, though
// not in the message of releases before 4.6.
func zod4Received(v *schema.Value) string {
	if v != nil && v.Kind == schema.Number && math.IsInf(v.Float(), 0) {
		return schema.JSNumber(v.Float(), false)
	}
	return jsType(v)
}

// unsafeInteger reports whether a fault is an integer beyond ±(2^53-1), which
// zod 4 reports as a bound.
func unsafeInteger(f *fault) bool {
	return f.kind == faultType && f.node.kind == kindInteger && f.value != nil && f.value.Kind == schema.Number &&
		f.value.Float() == math.Trunc(f.value.Float()) && !math.IsInf(f.value.Float(), 0)
}

func zod4Message(f *fault) (code, message string) {
	switch f.kind {
	case faultLiteral:
		if len(f.node.values) == 1 && !f.node.enum {
			return "invalid_value", "Invalid input: expected " + f.node.values[0].Compact()
		}
		return "invalid_value", "Invalid option: expected one of " + joinValues(f.node.values, "|", (*schema.Value).Compact)
	case faultUnion, faultTag:
		return "invalid_union", "Invalid input"
	case faultUnknownKeys:
		word := "Unrecognized key: "
		if len(f.keys) > 1 {
			word = "Unrecognized keys: "
		}
		quoted := make([]string, len(f.keys))
		for i, key := range f.keys {
			quoted[i] = schema.Quote(key)
		}
		return "unrecognized_keys", word + strings.Join(quoted, ", ")
	case faultCustom:
		return "custom", "Invalid input"
	case faultCheck:
		return zod4Check(f)
	}
	if unsafeInteger(f) {
		if f.value.Float() > 0 {
			return "too_big", "Too big: expected int to be <=9007199254740991"
		}
		return "too_small", "Too small: expected int to be >=-9007199254740991"
	}
	received := zod4Received(f.value)
	if f.release.before46 {
		received = jsType(f.value)
	}
	return "invalid_type", "Invalid input: expected " + zod4Type(f.node, f.value) + ", received " + received
}

func zod4Check(f *fault) (code, message string) {
	limit := strconv.FormatFloat(f.check.limit, 'f', -1, 64)
	switch f.check.name {
	case "minimum":
		return "too_small", "Too small: expected number to be >=" + limit
	case "maximum":
		return "too_big", "Too big: expected number to be <=" + limit
	case "datetime", "datetime-minutes":
		return "invalid_format", "Invalid ISO datetime"
	case "url":
		return "invalid_format", "Invalid URL"
	}
	return "custom", f.check.message
}

// zod4Object builds the issue as zod writes it; members stand in the order in
// which zod 4 makes them. base is the length of the path of the union around it.
func zod4Object(f *fault, base int) *schema.Value {
	code, message := zod4Message(f)
	var m []schema.Member
	put := func(key string, v *schema.Value) { m = append(m, schema.Member{Key: key, Value: v}) }
	switch f.kind {
	case faultType:
		m = append(m, zod4TypeMembers(f, code)...)
	case faultLiteral:
		put("code", schema.Str(code))
		put("values", schema.List(f.node.values...))
	case faultUnion:
		put("code", schema.Str(code))
		branches := make([]*schema.Value, len(f.branches))
		for i, branch := range f.branches {
			issues := make([]*schema.Value, len(branch))
			for j, sub := range branch {
				issues[j] = zod4Object(sub, len(f.path))
			}
			branches[i] = schema.List(issues...)
		}
		put("errors", schema.List(branches...))
	case faultTag:
		put("code", schema.Str(code))
		put("errors", schema.List())
		put("note", schema.Str("No matching discriminator"))
		put("discriminator", schema.Str(f.node.tag))
		put("options", tagList(f.node))
	case faultUnknownKeys:
		put("code", schema.Str(code))
		put("keys", stringList(f.keys))
	case faultCheck:
		m = append(m, zod4CheckMembers(f, code)...)
	default:
		put("code", schema.Str(code))
	}
	path := zodPath(f.path[base:])
	if f.kind == faultTag {
		path.Items = append(path.Items, schema.Str(f.node.tag))
	}
	put("path", path)
	put("message", schema.Str(message))
	return schema.Obj(m...)
}

// zod4TypeMembers are the members that a wrong type puts before the path.
func zod4TypeMembers(f *fault, code string) []schema.Member {
	word := schema.Member{Key: "code", Value: schema.Str(code)}
	if unsafeInteger(f) {
		bound, limit := "maximum", int64(1<<53-1)
		if code == "too_small" {
			bound, limit = "minimum", -limit
		}
		return []schema.Member{word, {Key: bound, Value: schema.Num(limit)},
			{Key: "note", Value: schema.Str("Integers must be within the safe integer range.")},
			{Key: "origin", Value: schema.Str("int")}, {Key: "inclusive", Value: schema.Flag(true)}}
	}
	want := zod4Type(f.node, f.value)
	m := []schema.Member{{Key: "expected", Value: schema.Str(want)}}
	if want == "int" {
		m = append(m, schema.Member{Key: "format", Value: schema.Str("safeint")})
	}
	m = append(m, word)
	if got := zod4Received(f.value); want == "number" && got != jsType(f.value) {
		m = append(m, schema.Member{Key: "received", Value: schema.Str(got)})
	}
	return m
}

// zod4CheckMembers are the members that a failed check puts before the path.
func zod4CheckMembers(f *fault, code string) []schema.Member {
	limit := schema.MustParse(strconv.FormatFloat(f.check.limit, 'f', -1, 64))
	origin := schema.Member{Key: "origin", Value: schema.Str(f.value.Kind.String())}
	word := schema.Member{Key: "code", Value: schema.Str(code)}
	switch f.check.name {
	case "minimum":
		return []schema.Member{origin, word, {Key: "minimum", Value: limit}, {Key: "inclusive", Value: schema.Flag(true)}}
	case "maximum":
		return []schema.Member{origin, word, {Key: "maximum", Value: limit}, {Key: "inclusive", Value: schema.Flag(true)}}
	case "datetime":
		return []schema.Member{origin, word, {Key: "format", Value: schema.Str("datetime")},
			{Key: "pattern", Value: schema.Str("/" + f.release.datetime.String() + "/")}}
	case "datetime-minutes":
		return []schema.Member{origin, word, {Key: "format", Value: schema.Str("datetime")},
			{Key: "pattern", Value: schema.Str("/" + zodToTheMinute.String() + "/")}}
	case "url":
		return []schema.Member{word, {Key: "format", Value: schema.Str("url")}}
	}
	return []schema.Member{word}
}

func tagList(n *node) *schema.Value { return stringList(n.tags) }

func stringList(texts []string) *schema.Value {
	items := make([]*schema.Value, len(texts))
	for i, text := range texts {
		items[i] = schema.Str(text)
	}
	return schema.List(items...)
}

// zodPath writes member names as strings and indexes as numbers.
func zodPath(path []step) *schema.Value {
	items := make([]*schema.Value, len(path))
	for i, s := range path {
		if s.array {
			items[i] = schema.Num(int64(s.index))
		} else {
			items[i] = schema.Str(s.key)
		}
	}
	return schema.List(items...)
}
