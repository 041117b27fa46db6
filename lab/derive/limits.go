package derive

import (
	"strings"

	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// Between is a number that observations only bound: From <= n, and n < Below where
// that is not 0. As a member of a claim it agrees with any number in between, and
// without Below also with none at all, which is no limit.
type Between struct {
	From  int `json:"from"`
	Below int `json:"below,omitempty"`
}

// bound narrows a limit by what was whole and what was not, both in their lengths
// before the host touched them.
type bound struct {
	whole, cut int
	from       []string
}

func (b *bound) add(probe string, length int, whole bool) {
	b.from = append(b.from, probe)
	if whole {
		b.whole = max(b.whole, length)
	} else if b.cut == 0 || length < b.cut {
		b.cut = length
	}
}

// between is the limit; ok is false where nothing was seen, or where a longer one was
// whole than one that was cut: then it is not the length that decides.
func (b *bound) between() (Between, bool) {
	return Between{b.whole, b.cut}, len(b.from) > 0 && (b.cut == 0 || b.whole < b.cut)
}

// claim makes a claim of the member; one that was never reached only speaks of a
// claim that the table makes.
func (b *bound) claim(key, member string) *Claim {
	limit, ok := b.between()
	if !ok {
		return nil
	}
	c := claim(key, b.from...)
	c.Only = limit.Below == 0
	c.set(member, limit)
	return c
}

// toolCount: how many tools of one long list are offered. A list of which later tools
// are there and earlier ones are not was searched or chosen from, not cut.
func toolCount(s Set) *Claim {
	n, ok := s.Counts["count"]
	if !ok || n.First != n.Offered {
		return nil
	}
	c := claim("offer.limits", "count_001", "count_600")
	if n.Offered == n.Listed {
		c.Only = true
		c.set("tools", Between{From: n.Listed})
		return c
	}
	c.set("tools", n.Offered)
	c.set("on_tools", "cut")
	return c
}

// textLimit: the longest text of a result that reaches the model whole. The probes
// have a sentinel at each end. Lengths count what the host puts around each text,
// because limits do.
func textLimit(s Set) *Claim {
	var b bound
	around := s.around()
	for i := range s.Lines {
		l := &s.Lines[i]
		if !strings.HasPrefix(l.Probe, "long_text_") && !strings.HasPrefix(l.Probe, "big_text_") || l.Called == 0 || l.Seen == nil || l.Seen.Value != nil {
			continue
		}
		text := everything(l.Seen)
		b.add(l.Probe, textLength(l)+around, l.Seen.Cut == nil && strings.Contains(text, "CT_"+l.Probe+"_HEAD") && strings.Contains(text, "CT_"+l.Probe+"_TAIL"))
	}
	return b.claim("view.limit", "max")
}

// around is how much longer a short text is when the model sees it.
func (s Set) around() int {
	l := s.line("both_diff_noschema")
	if l == nil || l.Called == 0 || l.Seen == nil || l.Seen.Text == nil || strings.Contains(string(*l.Seen.Text), "SC_") {
		l = s.line("unicode_text")
	}
	if l == nil || l.Called == 0 || l.Seen == nil || l.Seen.Text == nil {
		return 0
	}
	return max(0, schema.UTF16Len(string(*l.Seen.Text))-textLength(l))
}

// textLength is the length of the one text that the server sent, in UTF-16 units.
func textLength(l *observe.Line) int {
	result, err := schema.Parse(l.Result, schema.Limits{})
	if err != nil {
		return 0
	}
	content := verify.Expand(result.Get("content"))
	if content == nil || len(content.Items) == 0 {
		return 0
	}
	text, _ := content.Items[0].Get("text").IsString()
	return schema.UTF16Len(text)
}

// descriptionLimit: the longest description that is offered whole.
func descriptionLimit(s Set) *Claim {
	var b bound
	for i := range s.Lines {
		l := &s.Lines[i]
		if !strings.HasPrefix(l.Probe, "long_desc_") && !strings.HasPrefix(l.Probe, "desc_") || l.Probe == "desc_property_long" || l.Offered == nil || l.Offered.Lost || !l.Offered.Present {
			continue
		}
		tool, err := schema.Parse(l.Tool, schema.Limits{})
		if err != nil {
			continue
		}
		text, _ := verify.Expand(tool.Get("description")).IsString()
		b.add(l.Probe, schema.UTF16Len(text), l.Offered.Description == "" || l.Offered.Description == "extended")
	}
	if b.whole == 0 {
		return nil // every description is rewritten: length has no part in it
	}
	return b.claim("offer.description", "max")
}
