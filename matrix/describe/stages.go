package describe

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

func handshake(h *capabilities.Handshake) string {
	var tries []string
	for _, t := range h.Tries {
		text := t.Method + " with " + t.Version
		if t.Method == "none" {
			text = "no handshake, requests of " + t.Version
		}
		if len(t.Transports) > 0 {
			text += " (over " + strings.Join(t.Transports, ", ") + ")"
		}
		tries = append(tries, text)
	}
	return sentences("it opens with " + strings.Join(tries, ", then "))
}

func versions(v *capabilities.Versions) string {
	return sentences(
		"it goes on only when the server answers "+strings.Join(v.Accepts, ", "),
		when(v.Refused != "", "else it says "+quote(v.Refused)))
}

func shape(key string, s *capabilities.Shape) string {
	what := map[string]string{"connect.shape": "the answer to the handshake", "list.shape": "the list of tools", "result.shape": "a result"}[key]
	text := fmt.Sprintf("it reads %s with the typed parser %s", what, s.Shape)
	if s.Modern != "" && s.Modern != s.Shape {
		text += " (" + s.Modern + " in 2026-07-28)"
	}
	switch {
	case key == "list.shape" && s.OnFailure == "server":
		text += "; one entry that does not fit loses all tools of the server"
	case key == "list.shape" && s.OnFailure == "tool":
		text += "; an entry that does not fit is left out"
	case key == "result.shape":
		text += "; a result that does not fit is lost"
	}
	return sentences(text, when(s.Text != "", "it says "+quote(s.Text)))
}

func pages(p *capabilities.Pages) string {
	text := "it reads all pages of the list"
	if p.Follow == "first" {
		text = "it reads the first page of the list only"
	}
	if p.Tools > 0 {
		text += fmt.Sprintf(" until it has %d tools", p.Tools)
	}
	if p.Max > 0 {
		text += fmt.Sprintf(", %d at most", p.Max)
		if p.OnMax == "server" {
			text += ", and loses the list beyond that"
		}
	}
	return sentences(text, when(p.Validators == "last-page", "results of tools on earlier pages are not validated"))
}

func duplicates(d *capabilities.Duplicates) string {
	switch d.Keep {
	case "first", "last":
		return "of two tools with one name it keeps the " + d.Keep
	case "all":
		return "it keeps both of two tools with one name"
	}
	return "two tools with one name: " + consequence(d.Keep)
}

func name(n *capabilities.Name) string {
	text := "the model calls a tool " + quote(n.Template)
	if n.Allow != "" {
		text += "; characters other than " + n.Allow
		if n.Replace == "" {
			text += " are removed"
		} else {
			text += " become " + quote(n.Replace)
		}
	}
	overflow := map[string]string{"cut": "cut off", "hash": "shortened with a hash", "middle-ellipsis": "shortened in the middle",
		"tool": "dropped with their tool", "request": "refused with the whole request", "keep": "kept"}[n.Overflow]
	return sentences(text,
		when(n.Max > 0 && overflow != "", fmt.Sprintf("names of more than %d characters are %s", n.Max, overflow)),
		when(n.Collision != "", "of tools whose names become equal: "+collision(n.Collision)),
		when(n.Empty == "tool", "a tool without a name is dropped"),
		when(n.Namespace != "", "beside it stands the namespace "+quote(n.Namespace)))
}

func collision(c string) string {
	switch c {
	case "first", "last":
		return "the " + c + " one wins"
	case "sorted-last":
		return "the last one in alphabetical order wins"
	case "all":
		return "all are offered"
	case "hash", "number":
		return "they get a " + c
	}
	return consequence(c)
}

func description(d *capabilities.Description) string {
	unit := "characters"
	if d.Unit == "bytes" {
		unit = "bytes"
	}
	return sentences(
		when(d.Max > 0, fmt.Sprintf("descriptions are cut after %d %s", d.Max, unit)),
		when(d.Empty == "tool", "a tool without a description is dropped"),
		when(d.Empty != "" && d.Empty != "tool", "an empty description becomes "+quote(d.Empty)),
		when(d.Max == 0 && d.Empty == "", "descriptions reach the model as they are"))
}

func limits(l *capabilities.Limits) string {
	return sentences(
		when(l.Tools > 0, fmt.Sprintf("more than %d tools: %s", l.Tools, consequence(l.OnTools))),
		when(l.Description > 0, fmt.Sprintf("a description of more than %d characters: %s", l.Description, consequence(l.OnDesc))))
}

func apiName(n *capabilities.APIName) string {
	text := "the model's API takes any name"
	if n.Pattern != "" {
		text = "the model's API takes names that match " + n.Pattern
	}
	return sentences(
		text+when(n.Max > 0, fmt.Sprintf(", of %d characters at most", n.Max)),
		when(n.Unique, "each once"))
}

func arguments(a *capabilities.Arguments) string {
	if a.Profile == "none" && len(a.ByTag) == 0 {
		return "arguments are not checked before the call"
	}
	return sentences("arguments are checked before the call as by "+library(a.Profile)+when(len(a.ByTag) > 0, ", "+byTag(a.ByTag)),
		when(a.Uncompilable == "tool", "a tool whose inputSchema does not compile cannot be called"),
		when(a.Uncompilable == "skip-validation", "an inputSchema that does not compile is not checked"))
}

func validator(v *capabilities.Validator) string {
	if v.Modern != nil {
		older := *v
		older.Modern = nil
		return validator(&older) + "; in a 2026-07-28 session " + validator(v.Modern)
	}
	if v.Profile == "none" && len(v.ByTag) == 0 {
		return "structuredContent is not validated"
	}
	if v.ListOnly {
		return "outputSchemas are compiled as by " + library(v.Profile) + " when the list is read, results are not validated"
	}
	compiled := map[string]string{
		"server": "an outputSchema that does not compile loses all tools of the server",
		"tool":   "a tool whose outputSchema does not compile cannot be used", "skip-validation": "an outputSchema that does not compile is ignored",
		"accept-any": "an outputSchema that does not compile accepts everything, though structuredContent must be there"}[v.Uncompilable]
	return sentences("structuredContent is validated as by "+library(v.Profile)+when(len(v.ByTag) > 0, ", "+byTag(v.ByTag)), compiled,
		when(v.OnError, "results with isError are validated too"),
		when(v.Missing == "reject", "a result without structuredContent is rejected where there is an outputSchema"),
		when(v.ParseText, "JSON in the text stands in for it"),
		when(v.Retries > 0, fmt.Sprintf("a rejected call is made again, up to %d times", v.Retries)))
}

func surface(s *capabilities.Surface) string {
	prefers := map[string]string{
		"content": "the content blocks only", "structured": "structuredContent only, where there is some",
		"content+structured": "the content blocks and then structuredContent", "structured+content": "structuredContent and then the content blocks",
		"raw": "the whole result as JSON"}
	text := "the model sees " + orElse(prefers[s.Prefers], s.Prefers)
	only := map[string]string{"structured": "a result without content blocks is shown by its structuredContent", "empty": "a result without content blocks is empty to it"}
	return sentences(text,
		when(s.Needs == "output-schema", "structuredContent counts only where the tool has an outputSchema"),
		orElse(only[s.StructuredOnly], when(strings.HasPrefix(s.StructuredOnly, "text:"), "a result without content blocks reads "+quote(strings.TrimPrefix(s.StructuredOnly, "text:")))),
		when(s.OnError != "" && s.OnError != s.Prefers, "of an error it sees "+orElse(prefers[s.OnError], s.OnError)),
		when(s.ErrorMark != nil && *s.ErrorMark, "it can tell that a result is an error"),
		when(s.ErrorMark != nil && !*s.ErrorMark, "nothing but the text says that a result is an error"))
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func blocks(b *capabilities.Blocks) string {
	say := func(what, fate string) string {
		words := map[string]string{"shown": "are shown", "image": "are shown as images", "text": "become text", "placeholder": "become a placeholder",
			"file": "go to a file", "lost": "are lost", "reject": "make the host refuse the result"}
		return when(fate != "", what+" "+orElse(words[fate], fate))
	}
	return sentences(say("text blocks", b.Text), say("images", b.Image), singular(say("audio", b.Audio)), say("embedded resources", b.Resource),
		say("binary resources", b.Blob), say("resource links", b.ResourceLink), say("beside structuredContent, other blocks", b.WithStructured))
}

func cut(c *capabilities.Cut) string {
	unit := map[string]string{"bytes": "bytes", "tokens": "tokens"}[c.Unit]
	text := fmt.Sprintf("results are cut at %d %s", c.Max, orElse(unit, "characters"))
	if c.Tail > 0 {
		text += ", beginning and end are kept"
	}
	return sentences(text, when(c.Spill, "the whole text goes to a file"))
}

// singular bends the verb behind "audio".
func singular(s string) string {
	for plural, one := range map[string]string{"audio are ": "audio is ", "audio become ": "audio becomes ", "audio go ": "audio goes ", "audio make ": "audio makes "} {
		s = strings.Replace(s, plural, one, 1)
	}
	return s
}
