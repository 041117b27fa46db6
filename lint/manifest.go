package lint

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
)

// manifestRules are about server.json, the file by which a server is listed in a
// registry. They run when a file is given.
func manifestRules() []*Rule {
	return []*Rule{
		{ID: "manifest", Title: "server.json has a form that registries refuse", Covers: []string{"R29"}, Stage: verdict.Connect, Level: Quality, Severity: verdict.Error,
			Why:    "A registry refuses the file, or clients can't start what it describes.",
			Source: "registry server.json schema; linter of mcp-ts-core 0.12.3, server-json-*", Wrong: `{"name":"depot"}`, Right: `{"name":"io.github.example/depot","description":"Depots of the yard.","version":"1.2.0"}`, Run: runManifest},
		{ID: "manifest-live", Title: "server.json and the live server disagree", Covers: []string{"R29"}, Stage: verdict.Connect, Level: Quality,
			Why:    "People look for the version that the registry shows and find another one.",
			Source: "linter of mcp-ts-core 0.12.3", Wrong: `"version":"1.2.0" and serverInfo.version 1.3.0`, Right: "One version in both", Run: runManifestLive},
	}
}

// IsManifest reports whether a JSON file that is called otherwise is a server.json: it
// says so by its $schema, or it describes a name and how to get the server.
func IsManifest(v *schema.Value) bool {
	declared, _ := v.Get("$schema").IsString()
	name, _ := v.Get("name").IsString()
	return strings.HasSuffix(declared, "/server.schema.json") ||
		strings.Contains(name, "/") && (kindOf(v.Get("packages")) == "array" || kindOf(v.Get("remotes")) == "array")
}

var (
	manifestName    = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
	manifestRange   = regexp.MustCompile(`^[~^]|[<>=|*\s]|(^|\.)[xX](\.|$)`)
	manifestSemver  = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	manifestAddress = regexp.MustCompile(`^https?://\S+$`)
)

// manifestReport reports about one place of the file.
type manifestReport func(severity verdict.Severity, pointer, format string, args ...any)

func runManifest(p *Pass) (out []Finding, err error) {
	m := p.Manifest
	if m == nil {
		return nil, nil
	}
	report := func(severity verdict.Severity, pointer, format string, args ...any) {
		out = append(out, Finding{Severity: severity, Pointer: pointer, Message: "server.json: " + fmt.Sprintf(format, args...)})
	}
	if m.Kind != schema.Object {
		report("", "", "is %s and no object", m.Kind)
		return out, nil
	}
	manifestHead(m, report)
	for i, v := range entries(m, "packages", report) {
		manifestPackage(v, fmt.Sprintf("/packages/%d", i), m.Get("version"), report)
	}
	for i, v := range entries(m, "remotes", report) {
		at := fmt.Sprintf("/remotes/%d", i)
		if kind, _ := v.Get("type").IsString(); kind == "stdio" {
			report("", at+"/type", "a remote can't be stdio")
		}
		manifestTransport(v, at, report)
	}
	return out, nil
}

func manifestHead(m *schema.Value, report manifestReport) {
	name, ok := m.Get("name").IsString()
	switch {
	case !ok || name == "":
		report("", "/name", "name is missing")
	case len(name) < 3 || len(name) > 200:
		report("", "/name", "name has %d characters, 3 to 200 are allowed", len(name))
	case !manifestName.MatchString(name):
		report("", "/name", "name is %s, it must be namespace/name", quote(name))
	}
	switch description, ok := m.Get("description").IsString(); {
	case !ok || description == "":
		report("", "/description", "description is missing")
	case len([]rune(description)) > 100:
		report(verdict.Warning, "/description", "description has %d characters, 100 are shown", len([]rune(description)))
	}
	checkManifestVersion(m.Get("version"), "/version", report)
	if repository := m.Get("repository"); repository != nil && repository.Kind != schema.Object {
		report("", "/repository", "repository is %s and no object", repository.Kind)
	} else if repository != nil {
		for _, key := range []string{"url", "source"} {
			if _, ok := repository.Get(key).IsString(); !ok {
				report("", "/repository/"+key, "repository.%s is missing", key)
			}
		}
	}
}

func checkManifestVersion(v *schema.Value, at string, report manifestReport) {
	version, ok := v.IsString()
	switch {
	case !ok || version == "":
		report("", at, "version is missing")
	case len(version) > 255:
		report("", at, "version has %d characters, 255 are allowed", len(version))
	case version == "latest" || manifestRange.MatchString(version):
		report("", at, "version is %s, it must be one exact version", quote(version))
	case !manifestSemver.MatchString(version):
		report(verdict.Warning, at, "version %s is no semantic version", quote(version))
	}
}

func entries(v *schema.Value, key string, report manifestReport) []*schema.Value {
	list := v.Get(key)
	if list == nil {
		return nil
	}
	if list.Kind != schema.Array {
		report("", "/"+key, "%s is %s and no array", key, list.Kind)
		return nil
	}
	var out []*schema.Value
	for _, item := range list.Items {
		if item.Kind != schema.Object {
			report("", "/"+key, "an entry of %s is %s and no object", key, item.Kind)
			continue
		}
		out = append(out, item)
	}
	return out
}

func manifestPackage(v *schema.Value, at string, version *schema.Value, report manifestReport) {
	for _, key := range []string{"registryType", "identifier"} {
		if text, ok := v.Get(key).IsString(); !ok || text == "" {
			report("", at+"/"+key, "%s of a package is missing", key)
		}
	}
	if v.Has("version") {
		checkManifestVersion(v.Get("version"), at+"/version", report)
		mine, _ := v.Get("version").IsString()
		if whole, ok := version.IsString(); ok && mine != "" && mine != whole {
			report(verdict.Warning, at+"/version", "the package has version %s, the server %s", quote(mine), quote(whole))
		}
	}
	if transport := v.Get("transport"); kindOf(transport) != "object" {
		report("", at+"/transport", "transport of a package is %s and no object", kindOf(transport))
	} else {
		manifestTransport(transport, at+"/transport", report)
	}
	for _, key := range []string{"packageArguments", "runtimeArguments"} {
		for i, argument := range entries(v, key, func(s verdict.Severity, p, f string, a ...any) { report(s, at+p, f, a...) }) {
			manifestArgument(argument, fmt.Sprintf("%s/%s/%d", at, key, i), report)
		}
	}
	for i, variable := range entries(v, "environmentVariables", func(s verdict.Severity, p, f string, a ...any) { report(s, at+p, f, a...) }) {
		here := fmt.Sprintf("%s/environmentVariables/%d", at, i)
		if name, ok := variable.Get("name").IsString(); !ok || name == "" {
			report("", here+"/name", "an environment variable has no name")
		}
		if text, _ := variable.Get("description").IsString(); text == "" {
			report(verdict.Warning, here+"/description", "an environment variable has no description")
		}
	}
}

func manifestTransport(v *schema.Value, at string, report manifestReport) {
	kind, _ := v.Get("type").IsString()
	if kind != "stdio" && kind != "streamable-http" && kind != "sse" {
		report("", at+"/type", "a transport has the type %s; stdio, streamable-http and sse exist", short(compactOr(v.Get("type"))))
		return
	}
	if kind == "stdio" {
		return
	}
	switch address, ok := v.Get("url").IsString(); {
	case !ok:
		report("", at+"/url", "a %s transport has no url", kind)
	case !manifestAddress.MatchString(address):
		report(verdict.Warning, at+"/url", "the url %s is no http address", quote(address))
	}
}

func manifestArgument(v *schema.Value, at string, report manifestReport) {
	switch kind, _ := v.Get("type").IsString(); kind {
	case "named":
		if name, ok := v.Get("name").IsString(); !ok || name == "" {
			report("", at+"/name", "a named argument has no name")
		}
	case "positional":
		if !v.Has("value") && !v.Has("valueHint") {
			report("", at, "a positional argument has neither value nor valueHint")
		}
	default:
		report("", at+"/type", "an argument has the type %s; positional and named exist", short(compactOr(v.Get("type"))))
	}
	if format := v.Get("format"); format != nil && !contains([]string{"string", "number", "boolean", "filepath"}, format.Text) {
		report(verdict.Warning, at+"/format", "the format %s is unknown", short(format.Compact()))
	}
}

func compactOr(v *schema.Value) string {
	if v == nil {
		return "absent"
	}
	return v.Compact()
}

func runManifestLive(p *Pass) (out []Finding, err error) {
	if p.Manifest == nil {
		return nil, nil
	}
	if p.Capture.Target.Server == "" {
		return nil, CouldNotCheck{"the server did not say its name and version"}
	}
	if version, ok := p.Manifest.Get("version").IsString(); ok && p.Capture.Target.Version != "" && version != p.Capture.Target.Version {
		out = append(out, Finding{Pointer: "/version", Message: fmt.Sprintf("server.json has version %s, the live server says %s", quote(version), quote(p.Capture.Target.Version))})
	}
	name, _ := p.Manifest.Get("name").IsString()
	if title, _ := p.Manifest.Get("title").IsString(); name != "" && !sameName(name, p.Capture.Target.Server) && title != p.Capture.Target.Server {
		out = append(out, Finding{Pointer: "/name", Severity: verdict.Info, Message: fmt.Sprintf("server.json has the name %s, the live server says %s", quote(name), quote(p.Capture.Target.Server))})
	}
	if live, err := url.Parse(p.Capture.Target.URL); err == nil && p.Capture.Target.URL != "" && kindOf(p.Manifest.Get("remotes")) == "array" {
		listed := false
		for _, r := range p.Manifest.Get("remotes").Items {
			text, _ := r.Get("url").IsString()
			if u, err := url.Parse(text); err == nil && u.Host == live.Host && u.Path == live.Path {
				listed = true
			}
		}
		if !listed {
			out = append(out, Finding{Pointer: "/remotes", Severity: verdict.Info, Message: "The address of this run is none of the remotes in server.json"})
		}
	}
	return out, nil
}

// sameName compares the last part of a registry name with what the server says.
func sameName(registry, live string) bool {
	last := registry
	for i := len(registry) - 1; i >= 0; i-- {
		if registry[i] == '/' {
			last = registry[i+1:]
			break
		}
	}
	return registry == live || last == live
}
