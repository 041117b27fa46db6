package describe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

// The documentation of an operation is written for those who compose capability
// files. Here is what the same operation means to the author of a server.

// params are an operation's parameters.
type params map[string]any

func paramsOf(op capabilities.Op) params {
	var p params
	if json.Unmarshal(op.Params, &p) != nil {
		return params{}
	}
	return p
}

func (p params) text(key string) string {
	s, _ := p[key].(string)
	return s
}

func (p params) flag(key string) bool {
	b, _ := p[key].(bool)
	return b
}

func (p params) number(key string) string { return fmt.Sprintf("%.0f", p[key]) }

func (p params) list(key string) string { return words(p[key]) }

func (p params) json(key string) string {
	data, err := json.Marshal(p[key])
	if err != nil || len(data) > 80 {
		return "a schema of its own"
	}
	return string(data)
}

// refusals say what a check does not take, to stand behind "it refuses".
var refusals = map[string]func(params) string{
	"array-without-items": func(params) string { return "an array parameter that does not say what its items are" },
	"combined-name-length": func(p params) string {
		return "a tool whose server name and tool name together have more than " + p.number("max") + " characters"
	},
	"empty-description": func(params) string { return "a tool without a description" },
	"schema-tag":        func(p params) string { return "an inputSchema whose $schema is none of " + p.list("known") },
	"called-as-task":    func(params) string { return "a tool that can only be called as a task (execution.taskSupport)" },
	"for-apps-only":     func(params) string { return "a tool that its server keeps from the model (_meta.ui.visibility)" },
	"items-array":       func(params) string { return "a tuple in the draft-07 way (items as a list of schemas)" },
	"metaschema":        func(p params) string { return "an inputSchema that is no valid JSON Schema " + p.text("dialect") },
	"property-keys": func(p params) string {
		return "a parameter name" + map[string]string{"root": "", "below": " below the first level"}[p.text("scope")] + " that does not match " + p.text("pattern")
	},
	"refuse-keywords": func(p params) string {
		where := map[string]string{"root": " at the root of an inputSchema", "below": " below the root of an inputSchema"}[p.text("scope")]
		if where == "" {
			where = " in an inputSchema"
		}
		if p["only"] != nil {
			return "keywords" + where + " other than " + p.list("only")
		}
		return p.list("keywords") + where
	},
	"refuse-formats":  func(p params) string { return "a format other than " + p.list("known") },
	"refuse-patterns": func(p params) string { return "a pattern that contains one of " + p.list("containing") },
	"refuse-references": func(p params) string {
		var kinds []string
		for _, k := range []struct{ key, words string }{{"any", "any $ref"}, {"dangling", "a $ref to something that is not in the schema"},
			{"external", "a $ref to another document"}, {"recursive", "a schema that refers back to itself"}} {
			if p.flag(k.key) {
				kinds = append(kinds, k.words)
			}
		}
		if to := p.text("to"); to != "" {
			under := map[bool]string{true: " below " + p.text("under")}[p.text("under") != ""]
			kinds = append(kinds, "a $ref to a schema of type "+to+under)
		}
		if p.text("outside") != "" {
			kinds = append(kinds, "a $ref that does not begin with "+p.text("outside"))
		}
		in := map[string]string{"output": "an outputSchema", "both": "an inputSchema or an outputSchema"}[p.text("of")]
		return strings.Join(kinds, " or ") + " in " + cmp.Or(in, "an inputSchema")
	},
	"root-combinators": func(p params) string {
		if p["keywords"] == nil {
			return "oneOf, anyOf or allOf at the root of an inputSchema"
		}
		return p.list("keywords") + " at the root of an inputSchema"
	},
	"root-type-object": func(params) string { return `an inputSchema whose root does not say "type": "object"` },
	"type-rules":       typeRules,
}

func typeRules(p params) string {
	var out []string
	say := func(key, text string) {
		if v, set := p[key]; set && v != false {
			out = append(out, text)
		}
	}
	say("single", "a type that is a list")
	if p["names"] != nil {
		out = append(out, "types other than "+p.list("names"))
	}
	say("required", "a parameter without a type")
	say("property_types", "a property without a type")
	say("no_null", "the type null")
	if p["list_with"] != nil {
		out = append(out, "a list of types with "+p.text("list_with")+" in it")
	}
	say("not_with_any_of", "type and anyOf beside each other")
	say("enum_strings", "an enum of anything but strings")
	if p["string_formats"] != nil {
		out = append(out, "formats of strings other than "+p.list("string_formats"))
	}
	switch p.text("object_properties") {
	case "root":
		out = append(out, "an inputSchema without properties")
	case "all":
		out = append(out, "an object without properties")
	}
	say("required_defined", "a required name that is no property")
	say("properties_only_on_object", "properties or required beside another type than object")
	say("items_only_on_array", "items beside another type than array")
	say("closed", "an object without additionalProperties: false")
	say("all_required", "a property that is not required")
	if p["integers"] != nil {
		out = append(out, "a fraction in "+p.list("integers"))
	}
	if p["depth"] != nil {
		out = append(out, "objects nested more than "+p.number("depth")+" deep")
	}
	say("no_boolean_schemas", "a schema that is true or false")
	return strings.Join(out, ", ")
}

// changes say what a rewrite does, to stand behind "before the model gets the
// inputSchema, the host".
var changes = map[string]func(params) string{
	"add-property": func(p params) string { return "adds a parameter of its own, " + p.text("name") },
	"array-items-default": func(p params) string {
		return "gives arrays without items the items " + p.json("items")
	},
	"boolean-schemas": func(p params) string {
		var out []string
		for _, b := range []string{"true", "false"} {
			if p[b] != nil {
				out = append(out, "a schema "+b+" with "+p.json(b))
			}
		}
		return "replaces " + strings.Join(out, " and ")
	},
	"close-objects": func(params) string {
		return "adds additionalProperties: false to objects that say nothing of further properties"
	},
	"type-typeless": func(p params) string { return "gives a parameter without a type the types " + p.list("types") },
	"coerce-to-subset": func(p params) string {
		return "keeps only the keywords " + p.list("keep") + " and fills in types that are missing"
	},
	"compact-over-bytes": func(p params) string {
		return "shrinks what has more than " + p.number("max") + " bytes: descriptions go first, then definitions and what lies deepest"
	},
	"default-type": func(p params) string {
		return "gives parameters that have a description and no type the type " + p.text("type")
	},
	"drop-patterns": func(p params) string {
		return "takes out patterns in which " + quote(p.text("matching")) + " is found"
	},
	"filter-required": func(params) string { return "takes names out of required that are no properties" },
	"first-root-branch": func(params) string {
		return "replaces a union at the root by its first branch that is an object"
	},
	"flatten-root-combinators": func(params) string {
		return "merges a union at the root into one object with all its properties, none required, and says in the description how they belong together"
	},
	"inline-refs": func(params) string { return "puts what references name in their place" },
	"items-array-to-any-of": func(params) string {
		return "makes a list of any of its schemas out of a draft-07 tuple, whose order is lost"
	},
	"keep-formats": func(p params) string { return "takes out formats other than " + p.list("formats") },
	"keep-keywords-by-level": func(p params) string {
		return "keeps only " + p.list("root") + " at the root and " + p.list("below") + " below"
	},
	"keep-root-keywords": func(p params) string { return "keeps only " + p.list("keywords") + " at the root" },
	"merge-root-all-of":  func(params) string { return "merges an allOf at the root into it" },
	"move-to-description": func(p params) string {
		return "moves " + p.list("keywords") + " into the descriptions, as text"
	},
	"null-default-to-nullable":  func(params) string { return "takes defaults out; a default of null becomes nullable" },
	"null-type-to-nullable":     func(params) string { return "makes nullable of a type list of one type and null" },
	"prune-definitions":         func(params) string { return "drops definitions that nothing refers to" },
	"rename-keyword":            func(p params) string { return "writes " + p.text("to") + " for " + p.text("from") },
	"root-type-object-or-empty": func(params) string { return "replaces a schema that is no object by one without parameters" },
	"root-unions-to-description": func(params) string {
		return "moves anyOf and oneOf at the root into the description; of their properties only the names stay"
	},
	"seal-objects": func(params) string {
		return "closes every object (additionalProperties: false), so that maps with keys of the caller's own take none"
	},
	"set-root": setRoot,
	"simplify-applicators": func(params) string {
		return "merges allOf, drops unions unless all branches are objects, drops not, and merges then in place of if"
	},
	"strip-keywords": func(p params) string {
		return "takes out " + p.list("keywords") + map[string]string{"root": " at the root", "below": " below the root"}[p.text("scope")]
	},
	"type-list-to-any-of": func(params) string { return "writes a type list as an anyOf" },
}

func setRoot(p params) string {
	var out []string
	say := func(key, format string) {
		members, _ := p[key].(map[string]any)
		var names []string
		for name := range members {
			names = append(names, name)
		}
		sort.Strings(names)
		for i, name := range names {
			data, _ := json.Marshal(members[name])
			names[i] = name + ": " + string(data)
		}
		if len(names) > 0 {
			out = append(out, fmt.Sprintf(format, strings.Join(names, ", ")))
		}
	}
	say("always", "sets %s at the root")
	say("missing", "adds %s at the root where it is missing")
	if p.flag("create") {
		out = append(out, "makes an empty object of a missing inputSchema")
	}
	return strings.Join(out, " and ")
}
