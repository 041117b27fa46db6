package operation

import (
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "flatten-root-combinators",
		Doc: `Takes anyOf and oneOf (and allOf) off the root: the branches' properties join the root's, required becomes empty, additionalProperties true, ` +
			`and the description begins with "Input constraint: Provide parameters for at least one of: (a) or (b, c)." ("exactly one of" for oneOf), naming what each branch requires.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return flattenRoot, nil
		},
	})
}

func flattenRoot(s Subject) (Subject, error) {
	if s.Schema == nil || s.Schema.Kind != schema.Object {
		return s, nil
	}
	root := s.Schema
	properties := root.Get("properties")
	if properties == nil || properties.Kind != schema.Object {
		properties = schema.Obj()
	}
	flattened := false
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		branches := root.Get(keyword)
		if branches == nil || branches.Kind != schema.Array {
			continue
		}
		flattened = true
		var groups []string
		for _, b := range branches.Items {
			for _, m := range b.Get("properties").Unique() {
				if !properties.Has(m.Key) {
					properties = properties.With(m.Key, m.Value)
				}
			}
			if names := requiredNames(b); len(names) > 0 {
				groups = append(groups, "("+strings.Join(names, ", ")+")")
			}
		}
		root = root.Without(keyword)
		if quantity := map[string]string{"anyOf": "at least one of", "oneOf": "exactly one of"}[keyword]; quantity != "" && len(groups) > 0 {
			s.Description = "Input constraint: Provide parameters for " + quantity + ": " + strings.Join(groups, " or ") + ".\n\n" + s.Description
		}
	}
	if flattened {
		s.Schema = root.With("properties", properties).With("required", schema.List()).With("additionalProperties", schema.Flag(true))
	}
	return s, nil
}

// requiredNames lists the strings of a schema's required.
func requiredNames(v *schema.Value) []string {
	required := v.Get("required")
	if required == nil {
		return nil
	}
	var names []string
	for _, item := range required.Items {
		if name, ok := item.IsString(); ok {
			names = append(names, name)
		}
	}
	return names
}
