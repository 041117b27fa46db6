package networknt

import (
	"net/url"
	"strconv"
	"strings"
)

// location is the library's SchemaLocation: an IRI, which may be missing, and the
// steps of a JSON Pointer, or an anchor.
type location struct {
	iri      string
	hasIRI   bool
	fragment []string // decoded steps
	anchor   bool     // the fragment is no pointer
}

func (l location) String() string { return l.iri + "#" + l.fragmentText() }

func (l location) fragmentText() string {
	var b strings.Builder
	for i, step := range l.fragment {
		switch {
		case !l.anchor:
			b.WriteString("/" + pointerStep(step))
		case i > 0:
			b.WriteString("/" + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1", "\n", `\n`, "\t", `\t`, "\r", `\r`, "\b", `\b`, "\f", `\f`)

// pointerStep escapes one step; the library also spells control characters out.
func pointerStep(step string) string { return pointerEscapes.Replace(step) }

func (l location) append(step string) location {
	l.fragment = append(append(make([]string, 0, len(l.fragment)+1), l.fragment...), step)
	return l
}

// fragmentSteps parses a fragment: a pointer when it starts with a slash. Digits
// are an index, which prints without leading zeros.
func fragmentSteps(text string) (steps []string, anchor bool) {
	text = strings.TrimPrefix(text, "#")
	parts := strings.Split(text, "/")
	if anchor = !strings.HasPrefix(text, "/"); !anchor {
		parts = parts[1:]
	}
	for _, part := range parts {
		if n, err := strconv.Atoi(part); err == nil && part[0] != '-' && part[0] != '+' {
			part = strconv.Itoa(n)
		} else if !anchor {
			part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
			if strings.Contains(part, "%") {
				decoded, err := url.QueryUnescape(part) // URLDecoder: + is a space
				if err != nil {
					giveUp("the reference %q has a broken escape", text)
				}
				part = decoded
			}
		}
		steps = append(steps, part)
	}
	return steps, anchor
}

// resolve is SchemaLocation.resolve(String) on a location.
func (l location) resolve(ref string) location {
	if ref == "#" {
		return location{iri: l.iri, hasIRI: l.hasIRI}
	}
	address, fragment, has := strings.Cut(ref, "#")
	out := location{iri: l.iri, hasIRI: true}
	switch {
	case l.hasIRI && address != "":
		out.iri = resolveIRI(l.iri, address)
	case !l.hasIRI:
		out.iri = address
	}
	if has && fragment != "" {
		out.fragment, out.anchor = fragmentSteps(fragment)
	}
	return out
}

// resolveText is the static SchemaLocation.resolve: the result as text.
func (l location) resolveText(ref string) string {
	if ref == "#" {
		return l.iri + "#"
	}
	address, fragment, _ := strings.Cut(ref, "#")
	resolved := address
	if l.hasIRI {
		resolved = l.iri
		if address != "" {
			resolved = resolveIRI(l.iri, address)
		}
	}
	return resolved + "#" + fragment
}

// resolveIRI is AbsoluteIri.resolve, which is its own and not the RFC's: the last
// step of the parent goes, ".." takes another, queries are not looked at.
func resolveIRI(parent, iri string) string {
	if i := strings.IndexAny(iri, ":/?#"); i >= 0 && iri[i] == ':' {
		return iri
	}
	if strings.HasPrefix(iri, "/") {
		return schemeAuthority(parent) + iri
	}
	scheme := strings.Index(parent, "://")
	if scheme >= 0 {
		scheme += 3
	} else {
		scheme = max(strings.IndexByte(parent, ':'), 0)
	}
	base := parentIRI(parent, scheme)
	for _, part := range strings.Split(iri, "/") {
		switch {
		case part == "..":
			base = parentIRI(base, scheme)
		case part == ".":
		case strings.HasSuffix(base, ":") && !(len(parent) > len(base) && parent[len(base)] == '/'):
			base += part
		default:
			base += "/" + part
		}
	}
	return base
}

func parentIRI(iri string, scheme int) string {
	slash := strings.LastIndexByte(iri, '/')
	if slash < 0 {
		if slash = strings.LastIndexByte(iri, ':'); slash >= 0 {
			slash++
		}
	}
	if slash >= 0 && slash > scheme {
		return iri[:slash]
	}
	return iri
}

func schemeAuthority(iri string) string {
	start := strings.Index(iri, "://")
	if start < 0 {
		start = 0
	} else {
		start += 3
	}
	if end := strings.IndexByte(iri[start:], '/'); end >= 0 {
		return iri[:start+end]
	}
	return iri
}
