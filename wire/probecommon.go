package wire

import (
	"context"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// common are the probes of both eras and all transports.
func (b *prober) common(ctx context.Context) {
	b.listTools(ctx)
	b.listTools(ctx)
	b.ask(ctx, "tools/list", cursorOf(inventedCursor))
	b.otherLists(ctx)
	for i, uri := range b.apps() {
		if i < probeReads {
			b.read(ctx, uri)
		}
	}
	b.read(ctx, inventedResource)
	b.outside(ctx)
	b.ask(ctx, inventedMethod, nil)
	b.ask(ctx, "ping", nil)
	b.settings(ctx)
	b.reportProgress(ctx)
	b.call(ctx, inventedTool, schema.Obj(), nil)
	b.wrongCalls(ctx)
	// What was asked must not have changed the lists; each is read twice, for what
	// comes and goes with every other reading.
	b.listTools(ctx)
	for _, method := range b.listed {
		b.walk(ctx, method, func(*schema.Value) {})
		b.walk(ctx, method, func(*schema.Value) {})
	}
	if b.firstResource != "" {
		b.read(ctx, b.firstResource)
	}
}

func cursorOf(text string) *schema.Value {
	return schema.Obj(member("cursor", schema.Str(text)))
}

func (b *prober) read(ctx context.Context, uri string) *schema.Value {
	return b.ask(ctx, "resources/read", schema.Obj(member("uri", schema.Str(uri))))
}

// declared is what the server said it can do.
func (b *prober) declared(name string) *schema.Value {
	return b.tools.Init.Get("capabilities").Get(name)
}

// readSome reads the first resource of each type, since a server reads each in another
// way, then others.
func (b *prober) readSome(ctx context.Context, resources *schema.Value) {
	var first, others []string
	seen := map[string]bool{}
	for _, v := range resources.Items {
		uri, ok := v.Get("uri").IsString()
		kind, _ := v.Get("mimeType").IsString()
		switch {
		case !ok:
		case seen[kind]:
			others = append(others, uri)
		default:
			first, seen[kind] = append(first, uri), true
		}
	}
	for i, uri := range append(first, others...) {
		if i < probeReads {
			b.read(ctx, uri)
		}
	}
}

// settings uses what a legacy server declares and no list shows: log levels, and
// subscriptions, which end with the probe's connection at the latest.
func (b *prober) settings(ctx context.Context) {
	if b.peer.modern() { // the era has a level for each request in place of both
		b.ask(ctx, "logging/setLevel", schema.Obj(member("level", schema.Str("warning"))))
		b.ask(ctx, "resources/subscribe", schema.Obj(member("uri", schema.Str(inventedResource))))
		if b.declared("logging") != nil {
			b.send(ctx, "tools/list", nil, b.peer.agreed.Load().meta.With(metaLogLevel, schema.Str(inventedValue)), nil)
		}
		return
	}
	if b.declared("logging") != nil {
		for _, level := range []string{"warning", inventedValue} {
			b.ask(ctx, "logging/setLevel", schema.Obj(member("level", schema.Str(level))))
		}
	}
	if b.firstResource != "" && b.declared("resources").Get("subscribe").IsTrue() {
		of := schema.Obj(member("uri", schema.Str(b.firstResource)))
		b.ask(ctx, "resources/subscribe", of)
		b.ask(ctx, "resources/unsubscribe", of)
	}
}

// reportProgress makes a call that worked once more, with a token for its progress.
func (b *prober) reportProgress(ctx context.Context) {
	c := b.goodCall()
	if c == nil {
		return
	}
	meta := b.peer.agreed.Load().meta
	if meta == nil {
		meta = schema.Obj()
	}
	meta = meta.With("progressToken", schema.Str(progressToken))
	if b.peer.modern() && b.declared("logging") != nil {
		meta = meta.With(metaLogLevel, schema.Str("warning"))
	}
	b.callWith(ctx, c.Tool, c.Arguments, meta, nil)
}

// wrongCalls calls read-only tools with arguments that their schemas refuse, and
// with ones that name nothing that exists.
func (b *prober) wrongCalls(ctx context.Context) {
	refused, unknown := 0, 0
	for _, t := range b.tools.Tools {
		if t.Name == "" || t != b.tool(t.Name) || !readOnly(t) {
			continue
		}
		list := recording.RefusedArguments(t.Input)
		if good := b.argumentsFor(t); good != nil {
			list = append(list, outOfSet(t.Input, good)...)
		}
		if len(list) > 0 && refused < probeCalls {
			refused++
			for _, arguments := range list {
				b.call(ctx, t.Name, arguments, nil)
			}
		}
		if arguments := recording.UnknownArguments(t.Input, inventedValue); arguments != nil && unknown < probeCalls {
			unknown++
			b.call(ctx, t.Name, arguments, nil)
		}
	}
}

// otherLists reads what is no tool, and the first entry of each list.
func (b *prober) otherLists(ctx context.Context) {
	resources := b.pages(ctx, "resources/list", "resources")
	templates := b.pages(ctx, "resources/templates/list", "resourceTemplates")
	prompts := b.pages(ctx, "prompts/list", "prompts")
	if uri, ok := first(resources).Get("uri").IsString(); ok {
		b.firstResource = uri
		b.readSome(ctx, resources)
	}
	if template, ok := first(templates).Get("uriTemplate").IsString(); ok {
		b.firstTemplate = template
		if variable := variableOf(template); variable != "" {
			b.complete(ctx, schema.Obj(member("type", schema.Str("ref/resource")), member("uri", schema.Str(template))), variable)
		}
	}
	if prompts == nil {
		return
	}
	for i, prompt := range prompts.Items {
		if i < probePrompts {
			b.prompt(ctx, prompt)
		}
	}
	b.ask(ctx, "prompts/get", schema.Obj(member("name", schema.Str(inventedTool))))
	b.complete(ctx, schema.Obj(member("type", schema.Str("ref/prompt")), member("name", schema.Str(inventedTool))), "example")
}

// prompt gets a prompt with its arguments, without the required ones, and asks for
// values of the first.
func (b *prober) prompt(ctx context.Context, prompt *schema.Value) {
	name, ok := prompt.Get("name").IsString()
	if !ok {
		return
	}
	get := schema.Obj(member("name", schema.Str(name)))
	full := get
	if needsArguments(prompt) {
		b.ask(ctx, "prompts/get", get)
		full = get.With("arguments", promptArguments(prompt))
	}
	if b.firstPrompt == nil {
		b.firstPrompt = full
	}
	b.ask(ctx, "prompts/get", full)
	if argument, ok := first(prompt.Get("arguments")).Get("name").IsString(); ok {
		b.complete(ctx, schema.Obj(member("type", schema.Str("ref/prompt")), member("name", schema.Str(name))), argument)
	}
}

// promptArguments gives each required argument of a prompt a word.
func promptArguments(prompt *schema.Value) *schema.Value {
	out := schema.Obj()
	for _, a := range prompt.Get("arguments").Items {
		if name, ok := a.Get("name").IsString(); ok && a.Get("required").IsTrue() {
			out = out.With(name, schema.Str("example"))
		}
	}
	return out
}

// variableOf returns the name of a template's first variable, "" without a plain one.
func variableOf(template string) string {
	_, rest, _ := strings.Cut(template, "{")
	name, _, closed := strings.Cut(rest, "}")
	name = strings.TrimLeft(name, "+#./;?&")
	if i := strings.IndexAny(name, ",:*"); i >= 0 {
		name = name[:i]
	}
	if !closed {
		return ""
	}
	return name
}

// pages reads a list to its end and returns the entries of its first page, nil
// without one. A list that is there is also asked for a page that nobody named.
func (b *prober) pages(ctx context.Context, method, key string) (entries *schema.Value) {
	b.walk(ctx, method, func(page *schema.Value) {
		if list := page.Get(key); entries == nil && list != nil {
			entries = list
		}
	})
	if entries != nil {
		b.listed = append(b.listed, method)
		b.ask(ctx, method, cursorOf(inventedCursor))
	}
	return entries
}

// complete asks for the values of an argument where the server declares completions,
// and once where it does not: what it answers it should have declared. 2024-11-05 has
// completions and nothing to declare them by.
func (b *prober) complete(ctx context.Context, of *schema.Value, argument string) {
	if b.declared("completions") == nil {
		if b.undeclared || b.tools.Negotiated < "2025-03-26" {
			return
		}
		b.undeclared = true
	}
	b.ask(ctx, "completion/complete", schema.Obj(member("ref", of),
		member("argument", schema.Obj(member("name", schema.Str(argument)), member("value", schema.Str(""))))))
}

func first(list *schema.Value) *schema.Value {
	if list == nil || len(list.Items) == 0 {
		return nil
	}
	return list.Items[0]
}

func needsArguments(prompt *schema.Value) bool {
	arguments := prompt.Get("arguments")
	if arguments == nil {
		return false
	}
	for _, a := range arguments.Items {
		if a.Get("required").IsTrue() {
			return true
		}
	}
	return false
}

// listTools reads tools/list to its end.
func (b *prober) listTools(ctx context.Context) {
	b.walk(ctx, "tools/list", func(*schema.Value) {})
}

// walk reads the pages of a list until its end, or until it comes back to a page.
func (b *prober) walk(ctx context.Context, method string, visit func(page *schema.Value)) {
	var params *schema.Value
	seen := map[string]bool{}
	for range probePages {
		result := b.ask(ctx, method, params)
		visit(result)
		next, ok := result.Get("nextCursor").IsString()
		if !ok || seen[next] || next == "" && !b.peer.modern() {
			return
		}
		seen[next] = true
		params = cursorOf(next)
	}
}

// apps returns the addresses of the Apps that tools name, each once.
func (b *prober) apps() (uris []string) {
	seen := map[string]bool{}
	for _, t := range b.tools.Tools {
		uri, ok := t.Value.Get("_meta").Get("ui").Get("resourceUri").IsString()
		if ok && uri != "" && !seen[uri] {
			seen[uri] = true
			uris = append(uris, uri)
		}
	}
	return uris
}

// listen opens the stream of change notifications that the server declares, and
// leaves it after a moment. It comes last: on stdio the stream ends with the
// connection.
func (b *prober) listen(ctx context.Context) {
	var wanted []schema.Member
	declared := b.tools.Init.Get("capabilities")
	for _, kind := range []string{"tools", "prompts", "resources"} {
		if declared.Get(kind).Get("listChanged").IsTrue() {
			wanted = append(wanted, member(kind+"ListChanged", schema.MustParse("true")))
		}
	}
	if len(wanted) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeListen)
	defer cancel()
	b.ask(ctx, "subscriptions/listen", schema.Obj(member("notifications", schema.Obj(wanted...))))
}
