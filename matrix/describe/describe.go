// Package describe says claims of the capability table in words that the author
// of a server understands. `conform hosts show` and the page of hosts are made of
// it; the values of the claims stay the source.
package describe

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/validators"
)

// Claim says what a claim means, as sentences without a full stop, joined by
// semicolons. The value is that of [capabilities.Found.Value].
func Claim(key string, value any) string {
	switch v := value.(type) {
	case *capabilities.Handshake:
		return handshake(v)
	case *capabilities.Versions:
		return versions(v)
	case *capabilities.Shape:
		return shape(key, v)
	case *capabilities.Pages:
		return pages(v)
	case *capabilities.Duplicates:
		return duplicates(v)
	case *capabilities.Relist:
		if v.Match == "" {
			return "a list that fails is not asked for again"
		}
		return "when the list fails with a message like " + quote(v.Match) + ", it lists again and ignores outputSchemas"
	case *capabilities.Checks:
		return checks(key, *v)
	case *capabilities.Name:
		return name(v)
	case *capabilities.Description:
		return description(v)
	case *[]capabilities.Op:
		return ops(key, *v)
	case *capabilities.Limits:
		return limits(v)
	case *capabilities.APIName:
		return apiName(v)
	case *capabilities.Arguments:
		return arguments(v)
	case *capabilities.Approval:
		return "without " + v.Needs + ": true a call is refused (" + v.Mode + ")"
	case *capabilities.Validator:
		return validator(v)
	case *capabilities.RPCError:
		return "of a JSON-RPC error the model sees " + quote(v.Text)
	case *capabilities.Surface:
		return surface(v)
	case *capabilities.Blocks:
		return blocks(v)
	case *capabilities.Cut:
		return cut(v)
	case *capabilities.Apps:
		if v.Shown {
			return "MCP Apps are shown"
		}
		return "MCP Apps are not shown"
	case *[]string:
		return "stands on " + strings.Join(*v, ", ")
	}
	return ""
}

// sentences joins what is not empty.
func sentences(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func quote(s string) string { return "“" + s + "”" }

func consequence(on string) string {
	switch on {
	case "server":
		return "all tools of the server are lost"
	case "request":
		return "the whole request fails, every tool of every server with it"
	case "note":
		return "nothing breaks"
	case "hide":
		return "the model does not get the tool, as the server asks"
	case "calls":
		return "the model gets the tool and every call of it is refused"
	case "degrade":
		return "the tool loses something"
	case "unknown":
		return "what happens is not known"
	case "cut":
		return "the rest is left out"
	}
	return "the tool is dropped"
}

func ops(key string, list []capabilities.Op) string {
	if len(list) == 0 {
		if key == "offer.schema" {
			return "the inputSchema reaches the model as it is"
		}
		return "the program that uses it gets the result and shows it as it likes"
	}
	if key == "view.render" {
		if text := view(list); text != "" {
			return text
		}
	}
	var out []string
	for _, op := range list {
		text := ""
		if say := changes[op.Name]; say != nil {
			text = say(paramsOf(op))
		}
		if text == "" {
			_, doc, _ := operation.Doc(op.Name)
			text = lowerFirst(filled(firstClause(doc), op))
		}
		if text == "" {
			text = strings.ReplaceAll(op.Name, "-", " ")
		}
		if len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
	}
	head := map[string]string{"offer.schema": "before the model gets the inputSchema, the host "}[key]
	return head + strings.Join(out, "; ")
}

// checks says what is refused, the checks with one consequence together.
func checks(key string, list capabilities.Checks) string {
	if len(list) == 0 {
		return "no schema is refused"
	}
	who := "it"
	if key == "offer.api.schema" {
		who = "the model's API"
	}
	refused := map[string][]string{}
	var order []string
	for _, c := range list {
		text := ""
		if say := refusals[c.Op.Name]; say != nil {
			text = say(paramsOf(c.Op))
		}
		if text == "" {
			_, doc, _ := operation.Doc(c.Op.Name)
			text = strings.TrimPrefix(lowerFirst(filled(firstClause(doc), c.Op)), "refuses ")
		}
		then := consequence(c.OnFailure)
		if refused[then] == nil {
			order = append(order, then)
		}
		refused[then] = append(refused[then], text)
	}
	var out []string
	for _, then := range order {
		what := refused[then]
		text := who + " refuses " + what[0]
		if last := len(what) - 1; last > 0 {
			text = who + " refuses " + strings.Join(what[:last], "; ") + "; and " + what[last]
			then = "each time " + then
		}
		out = append(out, text+": "+then)
	}
	return strings.Join(out, "; ")
}

// firstClause is what an operation does; the details behind it are for those who
// write capability files.
func firstClause(doc string) string {
	doc, _, _ = strings.Cut(doc, ". ")
	for i, r := range doc {
		if r == ';' || r == ':' && i > 20 || r == '(' && i > 20 {
			doc = doc[:i]
			break
		}
	}
	return strings.TrimRight(doc, " .")
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] < 'A' || s[1] > 'Z') {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// library names what a profile emulates.
func library(profile string) string {
	if p, ok := validators.Lookup(profile); ok && p.Library != "" {
		return p.Library + " (" + profile + ")"
	}
	return profile
}

func byTag(tags map[string]string) string {
	keys := make([]string, 0, len(tags))
	for k := range tags {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = fmt.Sprintf("with %s where $schema is %s", tags[k], k)
	}
	return strings.Join(out, ", ")
}
