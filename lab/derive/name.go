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
	if !strings.Contains(template, "{tool}") {
		return nil // no template
	}
	limit, limited := nameLimit(s, template)
	if namespace != "" {
		limited = false // how much of the limit a namespace takes can't be seen
	}
	if template == "{tool}" && namespace == "" && limit.Below == 0 {
		return nil // the name as it is, which needs no claim
	}
	c.set("template", template)
	if limited {
		c.set("max", limit)
	}
	if namespace != "" {
		c.set("namespace", namespace)
	}
	return c
}

// nameLimit: the longest name that is offered whole, by names that hold nothing but
// letters. What the template makes of them is compared, which is what limits are for.
func nameLimit(s Set, template string) (Between, bool) {
	var b bound
	for _, l := range s.Lines {
		tool, err := schema.Parse(l.Tool, schema.Limits{})
		if err != nil || l.Offered == nil || l.Offered.Lost || !lengths.MatchString(l.Probe) {
			continue
		}
		sent, _ := tool.Get("name").IsString()
		want := strings.NewReplacer("{tool}", sent, "{server}", l.Server).Replace(template)
		b.add(l.Probe, len(want), l.Offered.Present && l.Offered.Name == want)
	}
	return b.between()
}

var lengths = regexp.MustCompile(`^(long_)?name_[0-9]+$`)
