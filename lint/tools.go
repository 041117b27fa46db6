package lint

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// toolRules are about an entry of tools/list apart from its schemas.
func toolRules() []*Rule {
	return []*Rule{
		{ID: "tool-entry", Title: "An entry of tools/list is no tool", Covers: []string{"TL2", "R26"}, Stage: verdict.List, Level: Must,
			Why:    "Each entry is an object with a name, and what else it has is of its type. Typed clients parse the list as one: a single null loses every tool of the server.",
			Source: "schema.json, Tool", Wrong: `{"name":"haul","description":null,"inputSchema":{"type":"object"}}`, Right: `{"name":"haul","inputSchema":{"type":"object"}}`, Run: runToolEntry},
		{ID: "tool-name", Title: "The name of a tool has characters or a length that clients refuse", Covers: []string{"TL7", "R26"}, Stage: verdict.List, Level: Should, Revisions: from2025_B,
			Why:    "Names have 1 to 128 of the characters A-Z a-z 0-9 _ - . alone. Model APIs allow even less, so hosts rename what they must, and two names can become one.",
			Source: "2025-11-25 and 2026-07-28 server/tools, Tool Names", Wrong: `"name":"list depots"`, Right: `"name":"list_depots"`, Run: runToolName},
		{ID: "tool-name-legacy", Title: "The name of a tool has characters or a length that clients refuse", Covers: []string{"TL7", "R26"}, Stage: verdict.List, Level: Quality, Revisions: Revisions[:3],
			Why:    "Revisions before 2025-11-25 have no rule for names, but the same model APIs stand behind the hosts.",
			Source: "2025-11-25 server/tools, Tool Names (no rule in earlier revisions); Go SDK 1.8.0", Wrong: `"name":"list depots"`, Right: `"name":"list_depots"`, Run: runToolName},
		{ID: "tool-name-unique", Title: "Two tools have one name", Covers: []string{"TL7", "R26"}, Stage: verdict.List, Level: Should,
			Why:    "The name is all that a call says. Which of the two is called, and whether the host keeps one, both or neither, differs from host to host.",
			Source: "server/tools (names are unique identifiers); 2025-11-25 Tool Names", Wrong: "status on page 1 and status on page 3", Right: "fleet_status and depot_status", Run: runToolNameUnique},
		{ID: "tool-annotations", Title: "annotations hold something else than hints", Covers: []string{"TL8", "R26"}, Stage: verdict.List, Level: Must, Revisions: from2025_3,
			Why:    "title is a string and the four hints are booleans. null or \"true\" loses the whole list in both TypeScript SDK clients, and hosts decide by the hints what they may call without asking.",
			Source: "schema.json, ToolAnnotations; observed: TypeScript SDK 1.32.2 and 2.4.0", Wrong: `"annotations":{"readOnlyHint":"true"}`, Right: `"annotations":{"readOnlyHint":true}`, Run: runAnnotations},
		{ID: "tool-title-meta", Title: "title or _meta has a type that it can't have", Covers: []string{"TL9"}, Stage: verdict.List, Level: Must, Revisions: from2025_6,
			Why:    "title is a string and _meta an object, or absent; null is neither.",
			Source: "schema.json, BaseMetadata and Tool", Wrong: `"title":null`, Right: "No title at all", Run: runTitleMeta},
		{ID: "meta-key", Title: "A key of _meta breaks its grammar or uses a reserved prefix", Covers: []string{"TL9"}, Stage: verdict.List, Level: Must, Revisions: from2025_6,
			Why:    "A key is an optional prefix of labels and a name. Prefixes whose second label is modelcontextprotocol or mcp belong to the protocol: what a server invents there collides with what comes.",
			Source: "basic/index, _meta", Wrong: `"_meta":{"io.modelcontextprotocol/team":"yard"}`, Right: `"_meta":{"com.example/team":"yard"}`, Run: runMetaKeys},
		{ID: "icon", Title: "An icon is none", Covers: []string{"TL10"}, Stage: verdict.List, Level: Must, Revisions: from2025_B,
			Why:    "src is an https: or data: address (clients must refuse javascript:, file: and the like), sizes is a list of WxH or any, theme is light or dark. http: is allowed in one place of the specification and refused in another.",
			Source: "2025-11-25 and 2026-07-28 basic/index, icons", Wrong: `"icons":[{"src":"javascript:…"}]`, Right: `"icons":[{"src":"https://example.com/i.png","sizes":["48x48"]}]`, Run: runIcons},
		{ID: "task-support", Title: "execution.taskSupport is none of the three words", Covers: []string{"TL11"}, Stage: verdict.List, Level: Must, Revisions: []string{v2025_11},
			Why:    "forbidden, optional or required; typed clients refuse the list for any other.",
			Source: "2025-11-25 basic/utilities/tasks; schema.json, ToolExecution", Wrong: `"execution":{"taskSupport":"yes"}`, Right: `"execution":{"taskSupport":"optional"}`,
			Run: eachToolValue(func(v *schema.Value, report reporter) {
				execution := v.Get("execution")
				if execution == nil {
					return
				}
				if execution.Kind != schema.Object {
					report("/execution", "execution is %s and no object", execution.Kind)
					return
				}
				support := execution.Get("taskSupport")
				if text, ok := support.IsString(); support != nil && (!ok || !contains([]string{"forbidden", "optional", "required"}, text)) {
					report("/execution/taskSupport", "execution.taskSupport is %s", short(support.Compact()))
				}
			})},
	}
}

// reporter reports something about the tool that is looked at.
type reporter func(pointer, format string, args ...any)

// eachToolValue makes a rule of a look at one entry of tools/list.
func eachToolValue(look func(v *schema.Value, report reporter)) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachTool(func(s *recording.Session, t *recording.Tool) {
			look(t.Value, func(pointer, format string, args ...any) {
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
			})
		})
		return out, nil
	}
}

func runToolEntry(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: pointer, Message: fmt.Sprintf("Tool %d of page %d: ", t.Index+1, t.Page+1) + fmt.Sprintf(format, args...)})
		}
		if t.Value == nil || t.Value.Kind != schema.Object {
			report("", "the entry is %s and no object", kindOf(t.Value))
			return
		}
		if _, ok := t.Value.Get("name").IsString(); !ok {
			report("/name", "name is %s and no string", kindOf(t.Value.Get("name")))
		}
		if d := t.Value.Get("description"); d != nil && d.Kind != schema.String {
			report("/description", "description is %s and no string", d.Kind)
		}
	})
	return out, nil
}

// toolNameForm is the form of a name. Source: 2025-11-25 server/tools, Tool Names.
var toolNameForm = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

func runToolName(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		name, ok := t.Value.Get("name").IsString()
		if !ok || toolNameForm.MatchString(name) {
			return
		}
		text := fmt.Sprintf("The name %s has characters beyond A-Z a-z 0-9 _ - .", quote(name))
		switch {
		case name == "":
			text = "The name is empty"
		case len(name) > 128:
			text = fmt.Sprintf("The name has %d characters, 128 are the limit", len(name))
		}
		out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/name", Message: text})
	})
	return out, nil
}

func runToolNameUnique(p *Pass) (out []Finding, err error) {
	for _, s := range p.Sessions() {
		at := map[string]*recording.Tool{}
		for _, t := range s.Tools {
			first, seen := at[t.Name]
			switch {
			case t.Name == "":
			case !seen:
				at[t.Name] = t
			default:
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/name", Message: fmt.Sprintf("Tool %d of page %d has the name of tool %d of page %d", t.Index+1, t.Page+1, first.Index+1, first.Page+1)})
			}
		}
	}
	return out, nil
}

// hints are the boolean annotations.
var hints = []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}

func runAnnotations(p *Pass) ([]Finding, error) {
	return eachToolValue(func(v *schema.Value, report reporter) {
		annotations := v.Get("annotations")
		switch {
		case annotations == nil:
			return
		case annotations.Kind != schema.Object:
			report("/annotations", "annotations is %s and no object", annotations.Kind)
			return
		}
		if title := annotations.Get("title"); title != nil && title.Kind != schema.String {
			report("/annotations/title", "annotations.title is %s and no string", title.Kind)
		}
		for _, key := range hints {
			if hint := annotations.Get(key); hint != nil && hint.Kind != schema.Bool {
				report("/annotations/"+key, "annotations.%s is %s and no boolean", key, hint.Kind)
			}
		}
	})(p)
}

func runTitleMeta(p *Pass) ([]Finding, error) {
	return eachToolValue(func(v *schema.Value, report reporter) {
		if title := v.Get("title"); title != nil && title.Kind != schema.String {
			report("/title", "title is %s and no string", title.Kind)
		}
		if meta := v.Get("_meta"); meta != nil && meta.Kind != schema.Object {
			report("/_meta", "_meta is %s and no object", meta.Kind)
		}
	})(p)
}

// Grammar of a key of _meta. Source: basic/index, _meta: labels begin with a letter
// and end with a letter or digit; a name begins and ends alphanumeric.
var (
	metaLabel = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$`)
	metaName  = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?$`)
)

// protocolMetaKeys are the reserved keys that the protocol and its extensions
// define. Source: 2026-07-28 basic/index, _meta; 2025-11-25 utilities/tasks.
var protocolMetaKeys = []string{metaVersion, metaCapabilities, metaServerInfo, metaLogLevel, "io.modelcontextprotocol/clientInfo",
	"io.modelcontextprotocol/subscriptionId", "io.modelcontextprotocol/related-task", "io.modelcontextprotocol/model-immediate-response",
	"io.modelcontextprotocol/tasks", "io.modelcontextprotocol/ui"}

// metaKeyFault says what is wrong with a key of _meta, "" when nothing is.
func metaKeyFault(key string) string {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		name = key
	} else {
		labels := strings.Split(prefix, ".")
		for _, label := range labels {
			if !metaLabel.MatchString(label) {
				return "has a prefix that breaks the grammar of keys"
			}
		}
		reserved := len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
		if reserved && !contains(protocolMetaKeys, key) {
			return "uses a prefix that is reserved for the protocol"
		}
	}
	if !metaName.MatchString(name) || name == "" && !prefixed {
		return "breaks the grammar of keys"
	}
	return ""
}

func runMetaKeys(p *Pass) (out []Finding, err error) {
	look := func(tool, session, where string, meta *schema.Value) {
		for _, m := range meta.Unique() {
			if fault := metaKeyFault(m.Key); fault != "" {
				out = append(out, Finding{Tool: tool, Session: session, Pointer: where + "/_meta/" + schema.EscapeToken(m.Key), Message: fmt.Sprintf("The key %s of _meta %s", quote(m.Key), fault)})
			}
		}
	}
	p.EachTool(func(s *recording.Session, t *recording.Tool) { look(t.Name, s.ID, "", t.Value.Get("_meta")) })
	p.EachExchange(func(e *Exchange) {
		tool := calledTool(e)
		look(tool, e.Session.ID, "/result", e.Result.Get("_meta"))
		for _, kind := range []string{"content", "contents", listKeys[e.Method]} {
			for i, v := range items(e.Result.Get(kind))[:min(len(items(e.Result.Get(kind))), blocksPerResult)] {
				look(tool, e.Session.ID, fmt.Sprintf("/%s/%d", kind, i), v.Get("_meta"))
			}
		}
	})
	return out, nil
}

// iconSize is one of sizes. Source: 2025-11-25 basic/index, icons.
var iconSize = regexp.MustCompile(`^(any|[0-9]+x[0-9]+)$`)

func runIcons(p *Pass) (out []Finding, err error) {
	look := func(tool, session, where string, of *schema.Value) {
		report := func(severity verdict.Severity, pointer, format string, args ...any) {
			out = append(out, Finding{Tool: tool, Session: session, Severity: severity, Pointer: where + pointer, Message: fmt.Sprintf(format, args...)})
		}
		icons := of.Get("icons")
		if icons == nil {
			return
		}
		if icons.Kind != schema.Array {
			report("", "/icons", "icons is %s and no array", icons.Kind)
			return
		}
		for i, icon := range icons.Items {
			checkIcon(icon, fmt.Sprintf("/icons/%d", i), report)
		}
	}
	p.EachTool(func(s *recording.Session, t *recording.Tool) { look(t.Name, s.ID, "", t.Value) })
	p.EachExchange(func(e *Exchange) {
		look("", e.Session.ID, "/serverInfo", e.Result.Get("serverInfo"))
		for i, v := range items(e.Result.Get(listKeys[e.Method])) {
			look("", e.Session.ID, fmt.Sprintf("/%s/%d", listKeys[e.Method], i), v)
		}
	})
	return out, nil
}

func checkIcon(icon *schema.Value, at string, report func(severity verdict.Severity, pointer, format string, args ...any)) {
	src, ok := icon.Get("src").IsString()
	if !ok {
		report("", at+"/src", "src of an icon is %s and no string", kindOf(icon.Get("src")))
	} else if u, err := url.Parse(cut(src)); err != nil || u.Scheme == "" {
		report("", at+"/src", "src of an icon is %s, which is no absolute address", quote(src))
	} else if scheme := strings.ToLower(u.Scheme); scheme == "http" {
		report(verdict.Info, at+"/src", "src of an icon is an http: address; the specification allows it in one place and asks clients for https: or data: in another")
	} else if scheme != "https" && scheme != "data" {
		report("", at+"/src", "src of an icon is a %s: address, which clients must refuse", quote(scheme))
	}
	if mime := icon.Get("mimeType"); mime != nil && mime.Kind != schema.String {
		report("", at+"/mimeType", "mimeType of an icon is %s and no string", mime.Kind)
	}
	if theme, ok := icon.Get("theme").IsString(); icon.Has("theme") && (!ok || theme != "light" && theme != "dark") {
		report("", at+"/theme", "theme of an icon is %s, it must be light or dark", short(icon.Get("theme").Compact()))
	}
	sizes := icon.Get("sizes")
	if sizes == nil {
		return
	}
	if sizes.Kind != schema.Array {
		report("", at+"/sizes", "sizes of an icon is %s and no array", sizes.Kind)
		return
	}
	for i, size := range sizes.Items {
		if text, ok := size.IsString(); !ok || !iconSize.MatchString(text) {
			report("", fmt.Sprintf("%s/sizes/%d", at, i), "a size of an icon is %s, it must be WxH or any", short(size.Compact()))
		}
	}
}
