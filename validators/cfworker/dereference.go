package cfworker

// lookup is the library's table of known schemas, in order of entry.
type lookup struct {
	names []string
	at    map[string]*value
}

// Keywords by what dereference does with them. The library looks names up in
// plain objects, so that a keyword called like a member of Object.prototype
// counts as ignored.
var (
	arrayKeywords = set("prefixItems", "items", "allOf", "anyOf", "oneOf")
	mapKeywords   = set("$defs", "definitions", "properties", "patternProperties", "dependentSchemas")
	ignored       = set("id", "$id", "$ref", "$schema", "$anchor", "$vocabulary", "$comment", "default", "enum",
		"const", "required", "type", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf",
		"maxLength", "minLength", "pattern", "format", "maxItems", "minItems", "uniqueItems", "maxProperties",
		"minProperties")
)

func set(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}

// initialBase is the base URI of every schema outside a browser.
var initialBase = address{scheme: "https", special: true, hasHost: true, host: "github.com", path: []string{"cfworker"}}

const (
	// maxVisits bounds dereference: an embedded $id is walked twice, and so are
	// those inside it, each twice.
	maxVisits = 500_000
	// certainNesting is what Node.js 20 was seen to walk (4,000 levels of
	// properties fail, 3,900 do not).
	certainNesting = 3_000
	maxNesting     = 20_000
)

type dereferencer struct {
	*release
	known   *lookup
	visits  int
	deepest int
}

// enter is one call of the library's dereference. Unknown keywords are entered
// like schemas: an "id" in an example is an id.
func (d *dereferencer) enter(schema *value, base address, pointer string, depth int) {
	if d.visits++; d.visits > maxVisits {
		giveUp("the schema has more than %d subschemas to find, those under an $id counted twice", maxVisits)
	}
	if d.deepest = max(d.deepest, depth); depth > maxNesting {
		throw("Maximum call stack size exceeded")
	}
	switch {
	case schema.kind == kindObject:
		base = d.enterID(schema, base, pointer, depth)
	case schema.kind != kindBool:
		return
	}
	name := base.href()
	if pointer != "" {
		name += "#" + pointer
	}
	if found := d.known.at[name]; found != nil && !(d.sameSchemaTwice && identical(found, schema)) {
		throw("Duplicate schema URI \"%s\".", name)
	}
	d.add(name, schema)
	if schema.kind == kindBool {
		return
	}
	d.define(schema, base)
	for _, key := range schema.keys {
		if ignored[key] || prototypeNames[key] || d.skipsDependents && key == "dependentRequired" {
			continue
		}
		d.enterKeyword(key, schema.own[key], base, pointer+"/"+d.encodePointer(key), depth+1)
	}
}

func (d *dereferencer) add(name string, schema *value) {
	if d.known.at[name] == nil {
		d.known.names = append(d.known.names, name)
	}
	d.known.at[name] = schema
}

// identical is === between schemas: booleans are equal by value.
func identical(a, b *value) bool {
	return a == b || a.kind == kindBool && b.kind == kindBool && a.truth == b.truth
}

// enterID handles $id and id: the root's changes the base, an embedded one is
// walked as a document of its own before it is walked in place.
func (d *dereferencer) enterID(schema *value, base address, pointer string, depth int) address {
	id := schema.own["$id"]
	if !id.truthy() {
		id = schema.own["id"]
	}
	if !id.truthy() {
		return base
	}
	u := d.idURL(id.display(), &base)
	if len(u.hash()) > 1 {
		d.add(u.href(), schema)
		return base
	}
	u.fragment = ""
	if pointer == "" {
		return u
	}
	d.enter(schema, base, "", depth+1)
	return base
}

func (d *dereferencer) idURL(id string, base *address) address {
	if d.normalizesFragments {
		return d.resolve(id, base)
	}
	return parseURL(id, base)
}

// define stores the absolute form of references, the first time only.
func (d *dereferencer) define(schema *value, base address) {
	if ref := schema.own["$ref"]; ref.truthy() && schema.absoluteRef == "" {
		schema.absoluteRef = d.resolve(ref.display(), &base).href()
	}
	if ref := schema.own["$recursiveRef"]; ref.truthy() && schema.absoluteRecursiveRef == "" {
		schema.absoluteRecursiveRef = d.resolve(ref.display(), &base).href()
	}
	if anchor := schema.own["$anchor"]; anchor.truthy() {
		d.add(d.idURL("#"+anchor.display(), &base).href(), schema)
	}
}

func (d *dereferencer) enterKeyword(key string, under *value, base address, pointer string, depth int) {
	switch {
	case under.kind == kindArray:
		if !arrayKeywords[key] {
			return
		}
		for i, item := range under.items {
			d.enter(item, base, pointer+"/"+index(i), depth)
		}
	case mapKeywords[key]:
		keys, at := enumerate(under)
		for _, name := range keys {
			d.enter(at(name), base, pointer+"/"+d.encodePointer(name), depth)
		}
	default:
		d.enter(under, base, pointer, depth)
	}
}
