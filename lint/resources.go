package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
)

// resourceRules are about resources, templates and prompts, where a list of them
// was read.
func resourceRules() []*Rule {
	return []*Rule{
		{ID: "resource-entry", Title: "A resource, template or prompt is none", Covers: []string{"R28"}, Stage: verdict.List, Level: Must,
			Why:    "A resource has a uri and a name, a template a uriTemplate and a name, a prompt a name, and what else they have is of its type; typed clients refuse the list otherwise.",
			Source: "schema.json, Resource, ResourceTemplate, Prompt and PromptArgument", Wrong: `{"uri":"depot://north"}`, Right: `{"uri":"depot://north","name":"north"}`,
			Run: runEntries},
		{ID: "resource-name", Title: "The name of a resource is its address", Covers: []string{"R28", "RES"}, Stage: verdict.List, Level: Quality,
			Why:    "The name is what people see in the host's list of resources.",
			Source: "linter of mcp-ts-core 0.12.3, resource-name-not-uri", Wrong: `{"uri":"depot://north","name":"depot://north"}`, Right: `{"uri":"depot://north","name":"North depot"}`,
			Run: eachEntry(func(kind string, v *schema.Value, report reporter) {
				name, _ := v.Get("name").IsString()
				for _, key := range []string{"uri", "uriTemplate"} {
					if uri, ok := v.Get(key).IsString(); ok && name == uri {
						report("/name", "The name of %s is its address", quote(uri))
					}
				}
			})},
		{ID: "resource-description", Title: "A resource or template has no description", Covers: []string{"R28", "RES"}, Stage: verdict.List, Level: Quality,
			Why:    "Models and people choose by it.",
			Source: "linter of mcp-ts-core 0.12.3, description-required", Wrong: `{"uri":"depot://north","name":"north"}`, Right: `{"uri":"depot://north","name":"north","description":"What the depot holds now."}`,
			Run: eachEntry(func(kind string, v *schema.Value, report reporter) {
				if kind != "prompts" {
					describeEntry(kind, v, report)
				}
			})},
		{ID: "resource-template", Title: "A uriTemplate is no URI template", Covers: []string{"R28", "RES"}, Stage: verdict.List, Level: Quality, Severity: verdict.Error,
			Why:    "RFC 6570: braces come in pairs and hold a name. Clients can't fill in anything else.",
			Source: "schema.json, ResourceTemplate; RFC 6570", Wrong: `"depot://yard/{id"`, Right: `"depot://yard/{id}"`,
			Run: eachEntry(func(_ string, v *schema.Value, report reporter) {
				if template, ok := v.Get("uriTemplate").IsString(); ok {
					if fault := templateFault(template); fault != "" {
						report("/uriTemplate", "The uriTemplate %s %s", quote(template), fault)
					}
				}
			})},
		{ID: "resource-unique", Title: "Two resources or prompts have one address or name", Covers: []string{"R28", "RES", "PROMPT"}, Stage: verdict.List, Level: Quality,
			Why: "The second one can't be reached.", Source: "linter of mcp-ts-core 0.12.3, name-unique", Wrong: "Two prompts brief", Right: "brief and brief_depot", Run: runResourceUnique},
		{ID: "prompt-description", Title: "A prompt has no description", Covers: []string{"R28", "PROMPT"}, Stage: verdict.List, Level: Quality,
			Why:    "People choose prompts from a menu by their description.",
			Source: "linter of mcp-ts-core 0.12.3, description-required", Wrong: `{"name":"brief"}`, Right: `{"name":"brief","description":"Asks for a brief of the day."}`,
			Run: eachEntry(func(kind string, v *schema.Value, report reporter) {
				if kind == "prompts" {
					describeEntry(kind, v, report)
				}
			})},
		{ID: "prompt-argument-description", Title: "An argument of a prompt has no description", Covers: []string{"R21", "R28", "PROMPT"}, Stage: verdict.List, Level: Quality,
			Why:    "People fill arguments in from a form that shows the description. A warning where other arguments of the prompt are described, else info.",
			Source: "linter of mcp-ts-core 0.12.3, describe-on-fields", Wrong: `"arguments":[{"name":"ship","description":"Its name."},{"name":"tone"}]`, Right: `"arguments":[{"name":"ship","description":"Its name."},{"name":"tone","description":"How to say it."}]`,
			Run: runPromptArgumentDescription},
	}
}

func runPromptArgumentDescription(p *Pass) (out []Finding, err error) {
	p.eachListed("prompts/list", func(e *Exchange, prompt *schema.Value) {
		var bare []string
		all := items(prompt.Get("arguments"))
		for _, a := range all {
			name, ok := a.Get("name").IsString()
			if text, _ := a.Get("description").IsString(); ok && strings.TrimSpace(text) == "" {
				bare = append(bare, quote(name))
			}
		}
		if len(bare) == 0 {
			return
		}
		name, _ := prompt.Get("name").IsString()
		f := Finding{Session: e.Session.ID, Message: fmt.Sprintf("The prompt %s has arguments without a description: %s", quote(name), join(bare[:min(len(bare), fieldsPerTool)]))}
		if len(bare) == len(all) {
			f.Severity = verdict.Info
		}
		out = append(out, f)
	})
	return out, nil
}

// listKeys are the lists of things that are no tools, by method.
var listKeys = map[string]string{"resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"}

// neededOf are the members that an entry of a list must have, as strings.
var neededOf = map[string][]string{"resources": {"uri", "name"}, "resourceTemplates": {"uriTemplate", "name"}, "prompts": {"name"}}

func runEntries(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		kind := listKeys[e.Method]
		if list := e.Result.Get(kind); kind != "" && kindOf(e.Result) == "object" && kindOf(list) != "array" {
			out = append(out, Finding{Session: e.Session.ID, Pointer: "/" + kind, Message: fmt.Sprintf("%s gives %s as %s and no array", e.Method, kind, kindOf(list))})
		}
	})
	more, err := eachEntry(checkEntry)(p)
	return append(out, more...), err
}

func checkEntry(kind string, v *schema.Value, report reporter) {
	for _, key := range neededOf[kind] {
		if _, ok := v.Get(key).IsString(); !ok {
			report("/"+key, "%s of an entry of %s is %s and no string", key, kind, kindOf(v.Get(key)))
		}
	}
	for _, key := range []string{"title", "description", "mimeType"} {
		if member := v.Get(key); member != nil && member.Kind != schema.String {
			report("/"+key, "%s of an entry of %s is %s and no string", key, kind, member.Kind)
		}
	}
	if size := v.Get("size"); kind == "resources" && size != nil && size.Kind != schema.Number {
		report("/size", "size of a resource is %s and no number", size.Kind)
	}
	if fault := addressFault(v.Get("uri")); kind == "resources" && fault != "" {
		report("/uri", "The uri %s %s", textOf(v.Get("uri")), fault)
	}
	if meta := v.Get("_meta"); meta != nil && meta.Kind != schema.Object {
		report("/_meta", "_meta of an entry of %s is %s and no object", kind, meta.Kind)
	}
	if kind != "prompts" {
		checkAnnotations(v.Get("annotations"), "/annotations", report)
	}
	arguments := v.Get("arguments")
	if kind != "prompts" || arguments == nil {
		return
	}
	if arguments.Kind != schema.Array {
		report("/arguments", "arguments of a prompt is %s and no array", arguments.Kind)
		return
	}
	for i, a := range arguments.Items {
		if _, ok := a.Get("name").IsString(); !ok {
			report(fmt.Sprintf("/arguments/%d/name", i), "name of an argument of a prompt is %s and no string", kindOf(a.Get("name")))
		}
		if required := a.Get("required"); required != nil && required.Kind != schema.Bool {
			report(fmt.Sprintf("/arguments/%d/required", i), "required of an argument of a prompt is %s and no boolean", required.Kind)
		}
	}
}

// addressFault says what is wrong with the address of a resource, "" when nothing is.
// Source: RFC 3986, which server/resources names for schemes of one's own; schema.json,
// format uri.
func addressFault(v *schema.Value) string {
	text, ok := v.IsString()
	if !ok {
		return "" // another check's
	}
	scheme, _, found := strings.Cut(text, ":")
	if !found || !uriScheme.MatchString(scheme) {
		return "has no scheme"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`<>"{}|\^`+"`", r) }) {
		return "holds a character that an address can't have"
	}
	return ""
}

var uriScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// eachEntry makes a rule of a look at one resource, template or prompt.
func eachEntry(look func(kind string, v *schema.Value, report reporter)) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachExchange(func(e *Exchange) {
			kind := listKeys[e.Method]
			list := e.Result.Get(kind)
			if kind == "" || kindOf(list) != "array" {
				return
			}
			for i, v := range list.Items {
				look(kind, v, func(pointer, format string, args ...any) {
					out = append(out, Finding{Session: e.Session.ID, Pointer: fmt.Sprintf("/%s/%d%s", kind, i, pointer), Message: fmt.Sprintf(format, args...)})
				})
			}
		})
		return out, nil
	}
}

func describeEntry(kind string, v *schema.Value, report reporter) {
	if text, _ := v.Get("description").IsString(); strings.TrimSpace(text) == "" && kindOf(v) == "object" {
		name, _ := v.Get("name").IsString()
		report("/description", "%s of %s has no description", quote(name), kind)
	}
}

// templateVariables is what stands between the braces of a URI template. Source: RFC
// 6570, section 2.
var templateVariables = regexp.MustCompile(`^[+#./;?&]?` + templateVariable + `(,` + templateVariable + `)*$`)

const templateVariable = `([A-Za-z0-9_]|%[0-9A-Fa-f]{2})(\.?([A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(\*|:[0-9]{1,4})?`

// templateFault says what is wrong with a URI template, "" when nothing is.
func templateFault(template string) string {
	if template == "" {
		return "is empty"
	}
	for rest := template; rest != ""; {
		literal, after, opened := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return "closes a brace that was not opened"
		}
		if !opened {
			return ""
		}
		expression, next, closed := strings.Cut(after, "}")
		switch {
		case !closed:
			return "has a brace that nothing closes"
		case expression == "":
			return "has an empty expression"
		case strings.Contains(expression, "{"):
			return "opens a brace inside another"
		case !templateVariables.MatchString(expression):
			return "has the expression " + quote(expression) + ", which names no variable"
		}
		rest = next
	}
	return ""
}

func runResourceUnique(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		seen := map[string]bool{}
		for _, e := range p.Exchanges(s) {
			kind := listKeys[e.Method]
			list := e.Result.Get(kind)
			if cursor, _ := e.Params.Get("cursor").IsString(); kind == "" || kindOf(list) != "array" || cursor == inventedCursor {
				continue
			}
			if !e.Params.Has("cursor") { // a list begins anew
				seen = map[string]bool{}
			}
			for _, v := range list.Items {
				id, ok := v.Get(map[string]string{"resources": "uri", "resourceTemplates": "uriTemplate", "prompts": "name"}[kind]).IsString()
				if ok && seen[kind+"\x00"+id] {
					out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("%s stands twice in %s", quote(id), kind)})
				}
				seen[kind+"\x00"+id] = true
				if name := twiceNamed(v.Get("arguments")); kind == "prompts" && name != "" {
					out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("The prompt %s has the argument %s twice", quote(id), quote(name))})
				}
			}
		}
	}
	return out, nil
}

// twiceNamed returns the name that two entries of a list have, "" when none have.
func twiceNamed(list *schema.Value) string {
	seen := map[string]bool{}
	for _, v := range items(list) {
		name, ok := v.Get("name").IsString()
		if ok && seen[name] {
			return name
		}
		seen[name] = ok
	}
	return ""
}
