// Package metaschemas holds the metaschemas and vocabularies of JSON Schema,
// draft-03 to 2020-12, as json-schema.org publishes them. The order of their
// keywords is kept: validators that check schemas report the first error.
package metaschemas

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

//go:embed documents
var files embed.FS

// All returns every document by its id, without an empty fragment.
var All = sync.OnceValue(func() map[string]*schema.Value {
	out := make(map[string]*schema.Value)
	entries, err := files.ReadDir("documents")
	if err != nil {
		panic(fmt.Sprintf("metaschemas: %v", err))
	}
	for _, entry := range entries {
		data, err := files.ReadFile("documents/" + entry.Name())
		if err != nil {
			panic(fmt.Sprintf("metaschemas: %v", err))
		}
		document, err := schema.Parse(data, schema.Limits{})
		if err != nil {
			panic(fmt.Sprintf("metaschemas: %s: %v", entry.Name(), err))
		}
		id, ok := document.Get("$id").IsString()
		if !ok {
			id, _ = document.Get("id").IsString()
		}
		out[strings.TrimSuffix(id, "#")] = document
	}
	return out
})
