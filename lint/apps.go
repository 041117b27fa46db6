package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// appMIME marks a resource as an MCP App. Source: MCP Apps extension 2026-01-26, UI
// Resource Format.
const appMIME = "text/html;profile=mcp-app"

// appRules are about tools that carry an MCP App.
func appRules() []*Rule {
	return []*Rule{
		{ID: "app-meta", Title: "_meta.ui names no App", Covers: []string{"R27", "APP"}, Stage: verdict.View, Level: Quality, Severity: verdict.Error,
			Why:    "_meta.ui is an object whose resourceUri is the ui:// address of the App; hosts without a proper one show none, or fail on the tool.",
			Source: "MCP Apps extension 2026-01-26; linter of mcp-ts-core 0.12.3, meta-ui-*", Wrong: `"_meta":{"ui":{"resourceUri":""}}`, Right: `"_meta":{"ui":{"resourceUri":"ui://hauler/status"}}`, Run: runAppMeta},
		{ID: "app-resource", Title: "The App of a tool can't be read", Covers: []string{"R27", "R11", "APP"}, Stage: verdict.View, Level: Quality,
			Why:    "A host reads the resource before it shows the App. One that is not listed, or not readable, leaves an empty frame.",
			Source: "MCP Apps extension 2026-01-26; linter of mcp-ts-core 0.12.3, app-tool-resource-pairing", Wrong: "resourceUri ui://hauler/gone, which resources/read refuses", Right: "A resource under exactly that address", Run: runAppResource},
	}
}

// appOf returns the address of a tool's App. The older flat key counts too.
func appOf(t *recording.Tool) (uri string, ok bool) {
	meta := t.Value.Get("_meta")
	if uri, ok := meta.Get("ui").Get("resourceUri").IsString(); ok {
		return uri, true
	}
	return meta.Get("ui/resourceUri").IsString()
}

func runAppMeta(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		report := func(severity verdict.Severity, pointer, format string, args ...any) {
			out = append(out, Finding{Tool: t.Name, Session: s.ID, Severity: severity, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
		}
		ui := t.Value.Get("_meta").Get("ui")
		if ui == nil {
			return
		}
		if ui.Kind != schema.Object {
			report("", "/_meta/ui", "_meta.ui is %s and no object", ui.Kind)
			return
		}
		uri, ok := ui.Get("resourceUri").IsString()
		switch {
		case !ui.Has("resourceUri") && ui.Has("visibility"):
			// A tool of the App's own that shows nothing.
		case !ok || uri == "":
			report("", "/_meta/ui/resourceUri", "_meta.ui.resourceUri is %s", textOrEmpty(ui.Get("resourceUri")))
		case !strings.HasPrefix(uri, "ui://"):
			report(verdict.Warning, "/_meta/ui/resourceUri", "_meta.ui.resourceUri is %s and no ui:// address", quote(uri))
		}
	})
	return out, nil
}

func textOrEmpty(v *schema.Value) string {
	if text, ok := v.IsString(); ok && text == "" {
		return "empty"
	}
	return kindOf(v)
}

func runAppResource(p *Pass) (out []Finding, err error) {
	unknown := 0
	for _, s := range p.Sessions() {
		resources, listed := p.resourcesOf(revisionOf(s))
		for _, t := range s.Tools {
			uri, ok := appOf(t)
			if !ok || !strings.HasPrefix(uri, "ui://") {
				continue
			}
			report := func(format string, args ...any) {
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/_meta/ui/resourceUri", Message: fmt.Sprintf(format, args...)})
			}
			read := p.readOf(uri, revisionOf(s))
			switch {
			case read == nil && listed && !slices.ContainsFunc(resources, func(r string) bool { return matchesTemplate(r, uri) }):
				report("The App %s is in no list of resources", quote(uri))
			case read == nil:
				unknown++
			case read.Error != nil:
				report("The App %s can't be read: error %d", quote(uri), read.Code())
			default:
				checkApp(read.Result, uri, report)
			}
		}
	}
	if unknown > 0 {
		return out, CouldNotCheck{"the Apps of some tools were not read"}
	}
	return out, nil
}

func checkApp(result *schema.Value, uri string, report func(string, ...any)) {
	contents := result.Get("contents")
	if kindOf(contents) != "array" || len(contents.Items) == 0 {
		report("The App %s reads as nothing", quote(uri))
		return
	}
	mime, _ := contents.Items[0].Get("mimeType").IsString()
	if strings.ReplaceAll(strings.ToLower(mime), " ", "") != appMIME {
		report("The App %s has the mimeType %s in place of %s", quote(uri), quote(mime), appMIME)
	}
	if text, ok := contents.Items[0].Get("text").IsString(); ok && strings.TrimSpace(text) == "" {
		report("The App %s is empty", quote(uri))
	}
}

// resourcesOf returns the addresses and templates that were listed in a revision;
// listed is false when no list was read.
func (p *Pass) resourcesOf(revision string) (uris []string, listed bool) {
	p.EachExchange(func(e *Exchange) {
		if revisionOf(e.Session) != revision || e.Result == nil {
			return
		}
		for _, key := range []string{"resources", "resourceTemplates"} {
			list := e.Result.Get(key)
			if !strings.HasPrefix(e.Method, "resources/") || kindOf(list) != "array" {
				continue
			}
			listed = listed || key == "resources" && !e.Result.Has("nextCursor")
			for _, item := range list.Items {
				for _, field := range []string{"uri", "uriTemplate"} {
					if uri, ok := item.Get(field).IsString(); ok {
						uris = append(uris, uri)
					}
				}
			}
		}
	})
	return uris, listed
}

// readOf returns the exchange in which a resource was read.
func (p *Pass) readOf(uri, revision string) (read *Exchange) {
	p.EachExchange(func(e *Exchange) {
		if asked, _ := e.Params.Get("uri").IsString(); e.Method == "resources/read" && asked == uri && revisionOf(e.Session) == revision && (e.Result != nil || e.Error != nil) && read == nil {
			read = e
		}
	})
	return read
}

// matchesTemplate reports whether an address fits an RFC 6570 template, expressions
// of the kinds {x}, {+x} and {/x} taken for anything.
func matchesTemplate(template, uri string) bool {
	literals := strings.Split(template, "{")
	if !strings.HasPrefix(uri, literals[0]) {
		return false
	}
	rest := uri[len(literals[0]):]
	for i, part := range literals[1:] {
		_, literal, closed := strings.Cut(part, "}")
		if !closed {
			return false
		}
		if i == len(literals)-2 && literal == "" {
			return true
		}
		at := strings.Index(rest, literal)
		if at < 0 {
			return false
		}
		rest = rest[at+len(literal):]
	}
	return rest == ""
}
