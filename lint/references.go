package lint

import (
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// openRef is a reference that does not resolve inside its schema.
type openRef struct {
	pointer string // of the keyword
	text    string // the reference as it is written
	remote  bool   // it names another document
}

// resource is a schema with an id, or the root: what a reference starts from.
type resource struct {
	depth int
	base  string
	root  *schema.Value
}

// openRefs returns the references of a schema that lead nowhere or out of it. It
// resolves JSON pointers, anchors and ids inside the document, and takes the
// metaschemas for known.
func openRefs(document *schema.Value) (out []openRef) {
	ids, anchors := identifiers(document)
	stack := []resource{}
	schema.Walk(document, func(n schema.Node) bool {
		for len(stack) > 0 && stack[len(stack)-1].depth >= n.Depth {
			stack = stack[:len(stack)-1]
		}
		id, _ := n.Schema.Get("$id").IsString()
		if len(stack) == 0 || id != "" && !strings.HasPrefix(id, "#") {
			base := ""
			if len(stack) > 0 {
				base = stack[len(stack)-1].base
			}
			stack = append(stack, resource{n.Depth, absolute(base, id), n.Schema})
		}
		for _, keyword := range []string{"$ref", "$dynamicRef"} {
			text, ok := n.Schema.Get(keyword).IsString()
			if !ok {
				continue
			}
			if found, remote := resolves(text, stack[len(stack)-1], document, ids, anchors); !found {
				out = append(out, openRef{n.Pointer.Append(keyword).String(), text, remote})
			}
		}
		return true
	})
	return out
}

// identifiers collects the resources of a document by absolute id, and its anchors
// by name; which resource an anchor belongs to is not told apart.
func identifiers(document *schema.Value) (ids map[string]*schema.Value, anchors map[string]bool) {
	ids, anchors = map[string]*schema.Value{}, map[string]bool{}
	rootID, _ := document.Get("$id").IsString()
	schema.Walk(document, func(n schema.Node) bool {
		for _, keyword := range []string{"$id", "id"} {
			id, ok := n.Schema.Get(keyword).IsString()
			switch {
			case !ok:
			case strings.HasPrefix(id, "#"): // an anchor of draft-07 and before
				anchors[id[1:]] = true
			default:
				ids[strings.TrimSuffix(absolute(rootID, id), "#")] = n.Schema
				ids[strings.TrimSuffix(id, "#")] = n.Schema
			}
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if name, ok := n.Schema.Get(keyword).IsString(); ok {
				anchors[name] = true
			}
		}
		return true
	})
	return ids, anchors
}

func absolute(base, reference string) string {
	b, err := url.Parse(base)
	if err != nil || base == "" {
		return reference
	}
	u, err := b.Parse(reference)
	if err != nil {
		return reference
	}
	return u.String()
}

func resolves(text string, from resource, document *schema.Value, ids map[string]*schema.Value, anchors map[string]bool) (found, remote bool) {
	address, fragment, _ := strings.Cut(text, "#")
	root := from.root
	if address != "" {
		full := absolute(from.base, address)
		if strings.Contains(full, "json-schema.org/draft") {
			return true, false
		}
		root = ids[full]
		if root == nil {
			root = ids[address]
		}
		if root == nil {
			return false, true
		}
	}
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	switch {
	case fragment == "":
		return true, false
	case !strings.HasPrefix(fragment, "/"):
		return anchors[fragment], false
	}
	pointer, ok := schema.ParsePointer(fragment)
	if !ok {
		return false, false
	}
	// Some generators write pointers from the root of the document in spite of an
	// id in between; libraries differ, so either is taken for resolved.
	return root.Lookup(pointer) != nil || document.Lookup(pointer) != nil, false
}
