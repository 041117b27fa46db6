package cfworker

import "fmt"

// has is `key in instance` in 4.1.1 and hasOwnProperty in 4.1.6.
func (e *evaluation) has(key string) bool {
	return e.instance.own[key] != nil || !e.ownProperties && prototypeNames[key]
}

// members is `for (key in value)` in 4.1.1 and Object.entries(value) in 4.1.6.
func (e *evaluation) members(v *value) (keys []string, at func(string) *value) {
	if e.ownProperties && isNullish(v) {
		throw("Cannot convert undefined or null to object")
	}
	return enumerate(v)
}

// each is `for (item of value)`; name is how V8 calls it when it is not iterable.
func each(v *value, name string) []*value {
	switch v.kind {
	case kindArray:
		return v.items
	case kindString:
		var out []*value
		for _, r := range v.str {
			out = append(out, &value{kind: kindString, str: string(r)})
		}
		return out
	}
	throw("%s is not iterable", name)
	return nil
}

func (e *evaluation) object() {
	e.requiredAndSizes()
	e.propertyNames()
	e.dependents()
	e.properties()
}

func (e *evaluation) requiredAndSizes() {
	if required := e.schema.get("required"); required != nil {
		for _, key := range each(required, "$required") {
			if !e.has(key.display()) {
				e.fail("required", `Instance does not have required property "`+key.display()+`".`)
			}
		}
	}
	size := float64(len(e.instance.keys))
	if limit := e.schema.get("minProperties"); limit != nil && less(size, limit) {
		e.fail("minProperties", "Instance does not have at least "+limit.display()+" properties.")
	}
	// The words for too many are those for too few.
	if limit := e.schema.get("maxProperties"); limit != nil && greater(size, limit) {
		e.fail("maxProperties", "Instance does not have at least "+limit.display()+" properties.")
	}
}

func (e *evaluation) propertyNames() {
	schema := e.schema.get("propertyNames")
	if schema == nil {
		return
	}
	for _, key := range e.instance.keys {
		name := &value{kind: kindString, str: key}
		causes := e.validate(name, schema, e.anchor, e.at.child(e.encodePointer(key), key), nil)
		if len(causes) > 0 {
			e.failWith("propertyNames", `Property name "`+key+`" does not match schema.`, causes)
		}
	}
}

func (e *evaluation) dependents() {
	if dependent := e.schema.get("dependentRequired"); dependent != nil {
		keys, at := enumerate(dependent)
		for _, key := range keys {
			if e.has(key) {
				e.dependentKeys("dependentRequired", key, each(at(key), "required"))
			}
		}
	}
	if dependent := e.schema.get("dependentSchemas"); dependent != nil {
		keys, at := e.members(dependent)
		for _, key := range keys {
			if e.has(key) {
				e.encodePointer(key)
				e.dependentSchema("dependentSchemas", key, at(key), e.evaluated)
			}
		}
	}
	if dependencies := e.schema.get("dependencies"); dependencies != nil {
		keys, at := enumerate(dependencies)
		for _, key := range keys {
			if !e.has(key) {
				continue
			}
			if wanted := at(key); wanted.kind == kindArray {
				e.dependentKeys("dependencies", key, wanted.items)
			} else {
				e.encodePointer(key)
				e.dependentSchema("dependencies", key, wanted, nil)
			}
		}
	}
}

func (e *evaluation) dependentKeys(keyword, key string, wanted []*value) {
	for _, other := range wanted {
		if !e.has(other.display()) {
			e.fail(keyword, fmt.Sprintf(`Instance has "%s" but does not have "%s".`, key, other.display()))
		}
	}
}

func (e *evaluation) dependentSchema(keyword, key string, schema *value, evaluated *marks) {
	if causes := e.validate(e.instance, schema, e.anchor, e.at, evaluated); len(causes) > 0 {
		e.failWith(keyword, `Instance has "`+key+`" but does not match dependant schema.`, causes)
	}
}

// properties runs properties, patternProperties, additionalProperties and, where
// that is absent, unevaluatedProperties. The first property that fails ends it.
func (e *evaluation) properties() {
	here, stop := map[string]bool{}, false
	apply := func(keyword, key string, instance, schema *value, message string) {
		causes := e.validate(instance, schema, e.anchor, e.at.child(e.encodePointer(key), key), nil)
		if len(causes) == 0 || e.evaluatesFailures {
			here[key] = true
		}
		if len(causes) == 0 {
			e.evaluated.set(key)
			return
		}
		stop = true
		e.failWith(keyword, message, causes)
	}
	if properties := e.schema.get("properties"); properties != nil {
		keys, at := e.members(properties)
		for _, key := range keys {
			if !e.has(key) {
				continue
			}
			apply("properties", key, e.instance.inherited(key), at(key), `Property "`+key+`" does not match schema.`)
			if stop {
				break
			}
		}
	}
	if patterns := e.schema.get("patternProperties"); !stop && patterns != nil {
		keys, at := e.members(patterns)
		for _, pattern := range keys {
			expression := e.compile(&value{kind: kindString, str: pattern})
			for _, key := range e.instance.keys {
				if e.matches(expression, key) {
					apply("patternProperties", key, e.instance.own[key], at(pattern),
						`Property "`+key+`" matches pattern "`+pattern+`" but does not match associated schema.`)
				}
			}
		}
	}
	switch schema := e.schema.get("additionalProperties"); {
	case stop:
	case schema != nil:
		for _, key := range e.instance.keys {
			if here[key] {
				continue
			}
			e.leftover("additionalProperties", key, schema, "additional")
		}
	case e.schema.get("unevaluatedProperties") != nil:
		schema := e.schema.get("unevaluatedProperties")
		for _, key := range e.instance.keys {
			if !e.evaluated.has(key) {
				e.leftover("unevaluatedProperties", key, schema, "unevaluated")
			}
		}
	}
}

func (e *evaluation) leftover(keyword, key string, schema *value, word string) {
	causes := e.validate(e.instance.own[key], schema, e.anchor, e.at.child(e.encodePointer(key), key), nil)
	if len(causes) == 0 {
		e.evaluated.set(key)
		return
	}
	e.failWith(keyword, `Property "`+key+`" does not match `+word+` properties schema.`, causes)
}
