package regex

import "github.com/hostmatrix/conform/validators/regex/internal/ucd"

// property parses {Name} or {Name=Value} behind \p and looks it up. Names are
// exact: ECMA-262 has no loose matching.
func (p *ecmaParser) property() (*charSet, bool) {
	if p.peek() != '{' {
		return nil, false
	}
	p.pos++
	name, ok := p.propertyWord()
	if !ok {
		return nil, false
	}
	if p.peek() == '}' {
		p.pos++
		if set, ok := ecmaTable("gc", name); ok {
			return set, true
		}
		return ecmaTable("bin", name)
	}
	p.pos++
	value, ok := p.propertyWord()
	if !ok || p.peek() != '}' {
		return nil, false
	}
	p.pos++
	switch name {
	case "General_Category", "gc":
		return ecmaTable("gc", value)
	case "Script", "sc":
		return ecmaTable("sc", value)
	case "Script_Extensions", "scx":
		return ecmaTable("scx", value)
	}
	return nil, false
}

// propertyWord reads up to = or }.
func (p *ecmaParser) propertyWord() (string, bool) {
	start := p.pos
	for {
		c := p.peek()
		switch {
		case c == '}' || c == '=':
			return string(p.src[start:p.pos]), true
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			p.pos++
		default:
			return "", false
		}
	}
}

func ecmaTable(kind, name string) (*charSet, bool) {
	return tableSet(ucd.ECMA, kind, name)
}

func isIDStart(r rune) bool {
	set, _ := ecmaTable("bin", "ID_Start")
	return set.contains(r)
}

func isIDContinue(r rune) bool {
	set, _ := ecmaTable("bin", "ID_Continue")
	return set.contains(r)
}
