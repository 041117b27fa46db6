package regex

import (
	"fmt"
	"strings"
	"sync"

	"golang.org/x/text/unicode/runenames"
)

// namedChar parses {NAME} behind \N. Names are looked up without case, as
// unicodedata.lookup does. Names that only its aliases, sequences or later
// tables could know are not decided here.
func (p *pythonParser) namedChar(start int) rune {
	if !p.accept('{') {
		p.fail("missing {", 0)
	}
	name := p.until('}', "character name")
	if r, ok := runeNames()[strings.ToUpper(string(name))]; ok {
		return r
	}
	p.unsupported(fmt.Sprintf(`the character name \N{%s}`, string(name)))
	return 0
}

// runeNames maps names to characters, without those computed by rule.
var runeNames = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 1<<15)
	for r := rune(0); r <= maxRune; r++ {
		if n := runenames.Name(r); n != "" && !strings.HasPrefix(n, "<") {
			names[n] = r
		}
	}
	return names
})
