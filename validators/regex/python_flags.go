package regex

// pythonFlags are the inline flags of re.
type pythonFlags uint16

const (
	flagIgnoreCase pythonFlags = 1 << iota
	flagLocale
	flagMultiline
	flagDotAll
	flagVerbose
	flagASCII
	flagTemplate
	flagUnicode
)

const (
	typeFlags   = flagASCII | flagLocale | flagUnicode
	globalFlags = flagTemplate
)

var pythonFlagLetters = map[rune]pythonFlags{
	'i': flagIgnoreCase, 'L': flagLocale, 'm': flagMultiline, 's': flagDotAll,
	'x': flagVerbose, 'a': flagASCII, 't': flagTemplate, 'u': flagUnicode,
}

// flagOf looks a token up.
func flagOf(t []rune) (pythonFlags, bool) {
	if len(t) != 1 {
		return 0, false
	}
	f, ok := pythonFlagLetters[t[0]]
	return f, ok
}

// flagGroup parses flags from the first token after (? on. global is true for
// (?i), which has set p.global; else add and del hold for the group to come.
func (p *pythonParser) flagGroup(t []rune) (add, del pythonFlags, global bool) {
	if t[0] != '-' {
		for {
			f, _ := flagOf(t)
			if f == flagLocale {
				p.fail("bad inline flags: cannot use 'L' flag with a str pattern", 0)
			}
			add |= f
			if f&typeFlags != 0 && add&typeFlags != f {
				p.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", 0)
			}
			if t = p.get(); t == nil {
				p.fail("missing -, : or )", 0)
			}
			if c := t[0]; c == ')' || c == '-' || c == ':' {
				break
			}
			p.expectFlag(t, "missing -, : or )")
		}
	}
	if t[0] == ')' {
		p.global |= add
		p.flags |= add
		return 0, 0, true
	}
	if add&globalFlags != 0 {
		p.fail("bad inline flags: cannot turn on global flag", 1)
	}
	if t[0] == '-' {
		del = p.flagsOff()
	}
	if del&globalFlags != 0 {
		p.fail("bad inline flags: cannot turn off global flag", 1)
	}
	if add&del != 0 {
		p.fail("bad inline flags: flag turned on and off", 1)
	}
	if add&typeFlags != 0 && add&flagASCII != p.flags&flagASCII {
		// CPython 3.11 searches for the first character of such a group
		// under the flags outside, and misses matches.
		p.unsupported("a switch between ASCII and Unicode inside a pattern")
	}
	return add, del, false
}

// flagsOff parses the flags behind a minus up to the colon.
func (p *pythonParser) flagsOff() (del pythonFlags) {
	t := p.get()
	if t == nil {
		p.fail("missing flag", 0)
	}
	p.expectFlag(t, "missing flag")
	for {
		f, _ := flagOf(t)
		if f&typeFlags != 0 {
			p.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", 0)
		}
		del |= f
		if t = p.get(); t == nil {
			p.fail("missing :", 0)
		}
		if len(t) == 1 && t[0] == ':' {
			return del
		}
		p.expectFlag(t, "missing :")
	}
}

// expectFlag refuses a token that is no flag letter.
func (p *pythonParser) expectFlag(t []rune, missing string) {
	if _, ok := flagOf(t); ok {
		return
	}
	if len(t) == 1 && pythonClass("alpha").contains(t[0]) {
		missing = "unknown flag"
	}
	p.fail(missing, len(t))
}

// apply combines the flags in force with those of a group.
func (f pythonFlags) apply(add, del pythonFlags) pythonFlags {
	if add&typeFlags != 0 {
		f &^= typeFlags
	}
	return (f | add) &^ del
}
