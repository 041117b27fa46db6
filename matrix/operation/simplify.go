package operation

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "simplify-applicators",
		Doc: `Rewrites what small models don't read: allOf is merged into its schema; of anyOf (or oneOf) the object branches' properties join and what all of them require is required; ` +
			`the properties of then and else join; not, if, $schema and unevaluatedProperties go. Properties, items and additionalProperties are simplified in turn.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(simplify), nil
		},
	})
}

// applicators are what simplify takes out of a schema.
var applicators = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$schema", "unevaluatedProperties"}

// simplify is what langchain-mcp-adapters 1.1.4 does to a schema (its tools.ts).
func simplify(v *schema.Value) *schema.Value {
	if v == nil || v.Kind != schema.Object {
		return v
	}
	result := v.Without(applicators...)
	result = mergeSchemas(result, conditional(v))
	if all := v.Get("allOf"); all != nil && all.Kind == schema.Array {
		for _, b := range all.Items {
			if b.Kind == schema.Object {
				result = mergeSchemas(mergeSchemas(result, conditional(b)), simplify(b))
			}
		}
	}
	union := v.Get("anyOf")
	if union == nil {
		union = v.Get("oneOf")
	}
	if union != nil && union.Kind == schema.Array {
		result = joinBranches(result, union.Items)
	}
	if result.Has("properties") && !result.Has("type") {
		result = result.With("type", schema.Str("object"))
	}
	return simplifyParts(result)
}

// conditional is what then and else say of properties.
func conditional(v *schema.Value) *schema.Value {
	out := schema.Obj()
	for _, keyword := range []string{"then", "else"} {
		for _, key := range []string{"properties", "required"} {
			if part := v.Get(keyword).Get(key); part != nil {
				out = mergeSchemas(out, schema.Obj(schema.Member{Key: key, Value: part}))
			}
		}
	}
	return out
}

// joinBranches merges the branches of a union that are objects.
func joinBranches(result *schema.Value, branches []*schema.Value) *schema.Value {
	properties := result.Get("properties")
	joined := false
	var common []string
	sets := 0
	for _, b := range branches {
		kind, _ := b.Get("type").IsString()
		if b.Kind != schema.Object || kind != "object" && !b.Has("properties") {
			continue
		}
		simple := simplify(b)
		for _, m := range simple.Get("properties").Unique() {
			if properties == nil || properties.Kind != schema.Object {
				properties = schema.Obj()
			}
			properties, joined = properties.With(m.Key, m.Value), true
		}
		if required := simple.Get("required"); required != nil && required.Kind == schema.Array {
			names := requiredNames(simple)
			if sets == 0 {
				common = names
			}
			common = slices.DeleteFunc(slices.Clone(common), func(name string) bool { return !slices.Contains(names, name) })
			sets++
		}
		if t := simple.Get("type"); t != nil && !result.Has("type") {
			result = result.With("type", t)
		}
	}
	if joined {
		result = result.With("properties", properties)
	}
	if len(common) > 0 {
		names := make([]*schema.Value, len(common))
		for i, name := range common {
			names[i] = schema.Str(name)
		}
		required := []*schema.Value{}
		if own := result.Get("required"); own != nil {
			required = own.Items
		}
		result = result.With("required", schema.List(distinct(slices.Concat(required, names))...))
	}
	return result
}

func simplifyParts(v *schema.Value) *schema.Value {
	if properties := v.Get("properties"); properties != nil {
		members := properties.Unique()
		for i, item := range properties.Items { // JavaScript takes a list for an object of its indexes
			members = append(members, schema.Member{Key: strconv.Itoa(i), Value: item})
		}
		for i, m := range members {
			members[i].Value = simplify(m.Value)
		}
		if properties.Kind == schema.Object || properties.Kind == schema.Array {
			v = v.With("properties", schema.Obj(members...))
		}
	}
	switch items := v.Get("items"); {
	case items == nil:
	case items.Kind == schema.Array:
		list := make([]*schema.Value, len(items.Items))
		for i, item := range items.Items {
			list[i] = simplify(item)
		}
		v = v.With("items", schema.List(list...))
	default:
		v = v.With("items", simplify(items))
	}
	if additional := v.Get("additionalProperties"); additional != nil {
		v = v.With("additionalProperties", simplify(additional))
	}
	return v
}

// mergeSchemas puts the members of source over those of target: lists are joined,
// objects are merged, a const beside another is an enum of both.
func mergeSchemas(target, source *schema.Value) *schema.Value {
	result := target
	for _, m := range source.Unique() {
		old := result.Get(m.Key)
		switch {
		case m.Key == "const" || m.Key == "enum" && m.Value.Kind == schema.Array:
			result = mergeValues(result, m)
		case old == nil:
			result = result.With(m.Key, m.Value)
		case old.Kind == schema.Array && m.Value.Kind == schema.Array:
			list := slices.Concat(old.Items, m.Value.Items)
			if m.Key == "required" {
				list = distinct(list)
			}
			result = result.With(m.Key, schema.List(list...))
		case old.Kind == schema.Object && m.Value.Kind == schema.Object:
			result = result.With(m.Key, mergeSchemas(old, m.Value))
		default:
			result = result.With(m.Key, m.Value)
		}
	}
	return result
}

// mergeValues adds const or enum to what a schema says already: a const becomes an
// enum in any case.
func mergeValues(target *schema.Value, m schema.Member) *schema.Value {
	var values []*schema.Value
	if enum := target.Get("enum"); enum != nil {
		values = append(values, enum.Items...)
	}
	if one := target.Get("const"); one != nil {
		values = append(values, one)
	}
	if m.Key == "const" {
		values = append(values, m.Value)
	} else {
		values = append(values, m.Value.Items...)
	}
	return target.Without("const").With("enum", schema.List(distinct(values)...))
}

// distinct leaves out equal values after the first.
func distinct(list []*schema.Value) []*schema.Value {
	out := []*schema.Value{}
	for _, v := range list {
		if !slices.ContainsFunc(out, func(o *schema.Value) bool { return schema.Equal(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}
