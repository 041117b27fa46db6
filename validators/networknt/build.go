package networknt

import "sort"

// schemaNode is the library's Schema: built in whole before anything is
// validated, references excepted.
type schemaNode struct {
	dialect *dialect
	node    *node
	at      location
	id      string
	hasID   bool
	parent  *schemaNode
	checks  []keywordCheck

	unevaluatedItems, unevaluatedProperties bool
	recursiveAnchor                         bool
}

// check is one keyword's validator.
type check func(e *execution, instance *node, at path)

type keywordCheck struct {
	keyword string
	run     check
}

// builder keeps what all schemas of a document share.
type builder struct {
	resources  map[string]*schemaNode
	anchors    map[string]*schemaNode
	references map[string]*schemaNode
	patterns   map[string]*expression
	count      int
	depth      int
}

const (
	// maxSchemas bounds building, references included.
	maxSchemas = 100_000
	// certainNesting and maxNesting: the JVM's stack holds more than the first and
	// not more than the second; what lies between depends on the thread.
	certainNesting = 800
	maxNesting     = 20_000
)

// create is SchemaRegistry.create: a $schema inside may switch the dialect.
func (b *builder) create(d *dialect, at location, n *node, parent *schemaNode) *schemaNode {
	if b.count++; b.count > maxSchemas {
		giveUp("the schema has more than %d subschemas", maxSchemas)
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > certainNesting {
		giveUp("the schema is nested more than %d levels deep", certainNesting)
	}
	if tag := n.get("$schema"); tag != nil && tag.kind == kindString {
		d = dialectFor(tag.str)
	}
	if n.kind != kindObject && !(n.kind == kindBool && d.order >= 6) {
		expected := "object or boolean"
		if d.order < 6 {
			expected = "object"
		}
		throw("Schema at %s must be %s but was %s", at, expected, nodeTypes[n.kind])
	}
	s := &schemaNode{dialect: d, node: n, parent: parent}
	s.place(b, at)
	s.read(b)
	return s
}

// text is Dialect.readText.
func text(n *node, key string) (string, bool) {
	if v := n.get(key); v != nil && v.kind == kindString {
		return v.str, true
	}
	return "", false
}

// place settles location and id, and registers both and the anchors.
func (s *schemaNode) place(b *builder, at location) {
	s.at = at
	id, hasID := text(s.node, s.dialect.idKey)
	if hasID {
		s.at = resolveID(at, id, s.dialect)
		result := s.at
		if indexByte(id, '#') >= 0 {
			result = at.resolve(id)
		}
		// hasNoFragment looks at the schema's own location, whatever it is given.
		if len(s.at.fragment) == 0 {
			s.id, s.hasID = id, true
		}
		putIfAbsent(b.resources, result.String(), s)
	} else if len(s.at.fragment) == 0 {
		s.id, s.hasID = at.iri, true
		putIfAbsent(b.resources, at.String(), s)
	}
	if name, ok := text(s.node, "$anchor"); ok && s.dialect.order >= 2019 {
		putIfAbsent(b.resources, s.at.iri+"#"+name, s)
	}
	if name, ok := text(s.node, "$dynamicAnchor"); ok && s.dialect.order >= 2020 {
		putIfAbsent(b.anchors, s.at.iri+"#"+name, s)
	}
}

func putIfAbsent(m map[string]*schemaNode, key string, s *schemaNode) {
	if m[key] == nil {
		m[key] = s
	}
}

func indexByte(s string, c byte) int {
	for i := range len(s) {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// resolveID is Schema.resolve with the default id validator: an id must lead to an
// absolute IRI, or be a fragment or start with a slash where there is no base.
func resolveID(at location, id string, d *dialect) location {
	address := id
	if i := indexByte(id, '#'); i >= 0 && i+1 < len(id) {
		address = id[:i]
	}
	out := at
	if address != "" {
		out = at.resolve(address)
	}
	if !at.hasIRI && (id != "" && (id[0] == '#' || id[0] == '/')) {
		return out
	}
	if !out.hasIRI || !isJavaURI(out.iri) {
		throw("'%s' is not a valid %s", id, d.idKey)
	}
	return out
}

// read builds the keywords' validators in the library's order.
func (s *schemaNode) read(b *builder) {
	if s.node.kind == kindBool {
		if !s.node.truth {
			s.checks = []keywordCheck{{"false", falseCheck}}
		}
		return
	}
	var ref *keywordCheck
	for _, key := range s.node.keys {
		n, at := s.node.own[key], s.at.append(key)
		if key == "$recursiveAnchor" {
			if n.kind != kindBool {
				throw("The value of a $recursiveAnchor must be a Boolean literal but is %s", nodeTypes[n.kind])
			}
			s.recursiveAnchor = n.truth
		}
		build := s.dialect.keywords[key]
		if build == nil {
			build = newIgnored
		}
		c := wrapping(func() check { return build(b, at, n, s) })
		s.unevaluatedItems = s.unevaluatedItems || key == "unevaluatedItems"
		s.unevaluatedProperties = s.unevaluatedProperties || key == "unevaluatedProperties"
		if c == nil {
			continue
		}
		name := key
		if key == "minContains" {
			name = "maxContains" // one class serves both and has one name
		}
		s.checks = append(s.checks, keywordCheck{name, c})
		if key == "$ref" {
			ref = &s.checks[len(s.checks)-1]
		}
	}
	if ref != nil && s.dialect.order < 2019 {
		s.checks = []keywordCheck{*ref}
	}
	sort.SliceStable(s.checks, func(i, j int) bool { return rank(s.checks[i].keyword) < rank(s.checks[j].keyword) })
}

// rank is the order of validation: all others as written.
func rank(keyword string) int {
	switch keyword {
	case "type":
		return 0
	case "properties":
		return 1
	case "patternProperties":
		return 2
	case "unevaluatedProperties":
		return 4
	case "unevaluatedItems":
		return 5
	}
	return 3
}

// resourceRoot is findSchemaResourceRoot.
func (s *schemaNode) resourceRoot() *schemaNode {
	for !s.hasID && s.parent != nil && s.at.iri == s.parent.at.iri && s.at.hasIRI == s.parent.at.hasIRI {
		s = s.parent
	}
	return s
}
