package derive

import (
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]{2,29}$`)

// name: the template that explains how every plain name was offered, and whether
// there is a namespace beside it. Names with other characters, or long ones, are
// left to the sanitising members, which no template explains.
func name(s Set) *Claim {
	c := claim("offer.name")
	template, namespace, any := "", "", false
	for _, l := range s.Lines {
		tool, err := schema.Parse(l.Tool, schema.Limits{})
		if err != nil || l.Offered == nil || !l.Offered.Present {
			continue
		}
		sent, _ := tool.Get("name").IsString()
		if !plainName.MatchString(sent) || !plainName.MatchString(l.Server) || strings.Contains(l.Server, sent) {
			continue
		}
		t := strings.Replace(l.Offered.Name, sent, "{tool}", 1)
		t = strings.Replace(t, l.Server, "{server}", 1)
		n := strings.Replace(l.Offered.Namespace, l.Server, "{server}", 1)
		if any && (t != template || n != namespace) {
			return nil // no one template
		}
		template, namespace, any = t, n, true
		if len(c.From) < 3 {
			c.From = append(c.From, l.Probe)
		}
	}
	if !strings.Contains(template, "{tool}") || template == "{tool}" && namespace == "" {
		return nil // no template, or the name as it is, which needs no claim
	}
	c.set("template", template)
	if namespace != "" {
		c.set("namespace", namespace)
	}
	return c
}
