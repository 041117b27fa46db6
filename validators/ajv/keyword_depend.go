package ajv

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// dependency is one member of dependencies and its kin.
type dependency struct {
	name   string
	wanted []wanted
	node   *node
	merge  []mergeOp
}

// compileDependencies: lists first, then schemas; __proto__ is skipped.
func compileDependencies(k *keyword) op {
	var lists, schemas []schema.Member
	for _, m := range js.Members(k.value) {
		switch {
		case m.Key == "__proto__":
		case m.Value.Kind == schema.Array:
			lists = append(lists, m)
		default:
			schemas = append(schemas, m)
		}
	}
	deps := append(k.propertyDependencies(lists), k.schemaDependencies(schemas)...)
	return k.dependencies(deps)
}

func compileDependentRequired(k *keyword) op {
	return k.dependencies(k.propertyDependencies(js.Members(k.value)))
}

func compileDependentSchemas(k *keyword) op {
	return k.dependencies(k.schemaDependencies(js.Members(k.value)))
}

// propertyDependencies: each missing property repeats the sentence that names all.
func (k *keyword) propertyDependencies(members []schema.Member) []dependency {
	var deps []dependency
	for _, m := range members {
		switch m.Value.Kind {
		case schema.Null:
			throw("Cannot read properties of null (reading 'length')")
		case schema.Array:
		case schema.String:
			if m.Value.Text == "" {
				continue
			}
			throw("deps.join is not a function")
		default:
			if n := m.Value.Get("length"); n != nil && n.Kind == schema.Number && n.Float() == 0 {
				continue
			}
			throw("deps.join is not a function")
		}
		if len(m.Value.Items) == 0 {
			continue
		}
		noun := "properties"
		if len(m.Value.Items) == 1 {
			noun = "property"
		}
		text := "must have " + noun + " " + joined(m.Value.Items, ", ") + " when property " + m.Key + " is present"
		d := dependency{name: m.Key}
		for _, item := range m.Value.Items {
			d.wanted = append(d.wanted, wanted{name: js.String(item), site: k.site(k.name, text), falsy: !js.Truthy(item)})
		}
		deps = append(deps, d)
	}
	return deps
}

func (k *keyword) schemaDependencies(members []schema.Member) []dependency {
	var deps []dependency
	for _, m := range members {
		if k.trivial(m.Value) {
			continue
		}
		n, inner := k.subschema(sub{keyword: k.name, member: m.Key, isMember: true, schema: m.Value})
		deps = append(deps, dependency{name: m.Key, node: n, merge: k.mergeValid(inner)})
	}
	return deps
}

func (k *keyword) dependencies(deps []dependency) op {
	if len(deps) == 0 {
		return nil
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		valid := true
		for i := range deps {
			d := &deps[i]
			if js.Get(v, d.name) == nil {
				continue
			}
			ok := true
			if d.node == nil {
				ok = missing(f, v, d.wanted, all)
			} else if ok = d.node.run(f, v); ok {
				f.merge(d.merge)
			}
			if !ok && (!all || f.st.stop != nil) {
				return false
			}
			valid = valid && ok
		}
		return valid
	}
}
