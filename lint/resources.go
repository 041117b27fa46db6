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
		{ID: "resource-entry", Title: "A resource or template lacks what it needs", Covers: []string{"R28"}, Stage: verdict.List, Level: Must,
			Why:    "A resource has a uri and a name, a template a uriTemplate and a name; typed clients refuse the list otherwise.",
			Source: "schema.json, Resource and ResourceTemplate", Wrong: `{"uri":"depot://north"}`, Right: `{"uri":"depot://north","name":"north"}`,
			Run: eachEntry(func(kind string, v *schema.Value, report reporter) {
				for _, key := range map[string][]string{"resources": {"uri", "name"}, "resourceTemplates": {"uriTemplate", "name"}, "prompts": {"name"}}[kind] {
					if _, ok := v.Get(key).IsString(); !ok {
						report("/"+key, "%s of an entry of %s is %s and no string", key, kind, kindOf(v.Get(key)))
					}
				}
			})},
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
