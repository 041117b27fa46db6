package spec

import (
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/schema"
)

// Dialects are the names that [Metaschema] accepts.
var Dialects = []string{"draft-04", "draft-06", "draft-07", "2019-09", "2020-12"}

type dialect struct {
	draft *jsonschema.Draft
	meta  string // URL of the metaschema
}

var dialects = map[string]dialect{
	"draft-04": {jsonschema.Draft4, "http://json-schema.org/draft-04/schema"},
	"draft-06": {jsonschema.Draft6, "http://json-schema.org/draft-06/schema"},
	"draft-07": {jsonschema.Draft7, "http://json-schema.org/draft-07/schema"},
	"2019-09":  {jsonschema.Draft2019, "https://json-schema.org/draft/2019-09/schema"},
	"2020-12":  {jsonschema.Draft2020, "https://json-schema.org/draft/2020-12/schema"},
}

// DialectOf returns the dialect that $schema at the root names: 2020-12 when
// there is none, as MCP 2025-11-25 says (SEP-1613); ok is false for a $schema
// that is no string or names no dialect of [Dialects]. http and https, and an
// empty fragment, make no difference.
func DialectOf(document *schema.Value) (name string, ok bool) {
	tag := document.Get("$schema")
	if tag == nil {
		return "2020-12", true
	}
	url, ok := tag.IsString()
	if !ok {
		return "", false
	}
	rest := strings.TrimSuffix(url, "#")
	for _, scheme := range []string{"http://", "https://"} {
		rest = strings.TrimPrefix(rest, scheme)
	}
	for _, name := range Dialects {
		_, known, _ := strings.Cut(dialects[name].meta, "://")
		if rest == known {
			return name, true
		}
	}
	return "", false
}
