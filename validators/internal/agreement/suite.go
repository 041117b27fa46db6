package agreement

import (
	"strconv"
	"strings"
)

func (g suiteGroup) caseOf(draft, file string, index int, column string, verdicts map[string]map[string]string) (Case, bool) {
	c := Case{ID: strings.Join([]string{draft, file, strconv.Itoa(index)}, "|"), Schema: string(g.Schema)}
	for t, test := range g.Tests {
		verdict, ok := verdicts[c.ID+"|"+strconv.Itoa(t)][column]
		if !ok {
			continue
		}
		c.Instances = append(c.Instances, string(test.Data))
		kind, text, hasText := strings.Cut(verdict, ": ")
		switch kind {
		case "compile-error":
			kind = "compile error"
		case "throw":
			kind, hasText = "thrown", false // recorded without its further lines
		}
		c.Want = append(c.Want, Answer{kind, text, hasText, false})
	}
	return c, len(c.Want) > 0
}
