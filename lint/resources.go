package lint

import (
	"fmt"
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
	}
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

// templateFault says what is wrong with a URI template, "" when nothing is.
func templateFault(template string) string {
	open := -1
	for i := 0; i < len(template); i++ {
		switch template[i] {
		case '{':
			if open >= 0 {
				return "opens a brace inside another"
			}
			open = i
		case '}':
			if open < 0 {
				return "closes a brace that was not opened"
			}
			if i == open+1 {
				return "has an empty expression"
			}
			open = -1
		}
	}
	if open >= 0 {
		return "has a brace that nothing closes"
	}
	if template == "" {
		return "is empty"
	}
	return ""
}

func runResourceUnique(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		seen := map[string]bool{}
		for _, e := range p.Exchanges(s) {
			kind := listKeys[e.Method]
			list := e.Result.Get(kind)
			if kind == "" || kindOf(list) != "array" {
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
			}
		}
	}
	return out, nil
}
