package ajv

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/metaschema"
	"github.com/hostmatrix/conform/validators/ajv/uri"
)

// registry is the table of an instance from ids to schemas: documents, and aliases
// from ids inside documents to where they stand. What the metaschemas put there is
// the same in every instance and made once.
type registry struct {
	meta    *metaTable
	envs    map[string]*env
	aliases map[string]string
}

// metaTable is the part of a registry that the metaschemas of a dialect fill.
type metaTable struct {
	docs    map[string]metaDoc
	aliases map[string]string
}

type metaDoc struct {
	doc       *schema.Value
	localRefs map[string]*schema.Value
}

// env returns the document with an id.
func (r *registry) env(id string) *env {
	if e := r.envs[id]; e != nil {
		return e
	}
	if r.meta == nil {
		return nil
	}
	if _, hidden := r.aliases[id]; hidden {
		return nil
	}
	d, ok := r.meta.docs[id]
	if !ok {
		return nil
	}
	e := newEnv(d.doc, nil, &id)
	e.meta, e.localRefs = true, d.localRefs
	r.setEnv(id, e)
	return e
}

// alias returns where an id inside a document stands.
func (r *registry) alias(id string) (string, bool) {
	if to, ok := r.aliases[id]; ok {
		return to, true
	}
	if r.meta == nil {
		return "", false
	}
	to, ok := r.meta.aliases[id]
	return to, ok
}

// setEnv registers a document; an alias of the same name gives way.
func (r *registry) setEnv(id string, e *env) {
	if r.envs == nil {
		r.envs = map[string]*env{}
	}
	r.envs[id] = e
	delete(r.aliases, id)
}

func (r *registry) setAlias(id, to string) {
	if r.aliases == nil {
		r.aliases = map[string]string{}
	}
	r.aliases[id] = to
}

type metaTableKey struct {
	dialect string
	flavor  uri.Flavor
}

var metaTables sync.Map

// metaTableOf collects the ids of a dialect's metaschemas, once.
func metaTableOf(o *options) *metaTable {
	key := metaTableKey{o.dialect, o.uri}
	if t, ok := metaTables.Load(key); ok {
		return t.(*metaTable)
	}
	c := &instance{opts: o, uri: resolver{o.uri}}
	t := &metaTable{docs: map[string]metaDoc{}}
	for i, doc := range metaschema.Documents(o.dialect) {
		id := normalizeIDValue(doc.Get("$id"))
		t.docs[id] = metaDoc{doc, c.collectIDs(doc, id)}
		if i == 0 {
			c.setAlias("http://json-schema.org/schema", id)
		}
	}
	t.aliases = c.aliases
	kept, _ := metaTables.LoadOrStore(key, t)
	return kept.(*metaTable)
}
