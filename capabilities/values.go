package capabilities

import (
	"fmt"
	"regexp"
	"strings"
)

// checkValue refuses what a claim's type admits and no stage understands: words
// that are none of the known ones, negative numbers, expressions that do not
// compile. Operations and profiles are checked by package matrix/tablecheck.
func checkValue(value any) error {
	var c valueCheck
	switch v := value.(type) {
	case *Handshake:
		c.handshake(v)
	case *Shape:
		c.word("on_failure", v.OnFailure, "server", "tool")
	case *Pages:
		c.word("follow", v.Follow, "all", "first")
		c.word("on_max", v.OnMax, "stop", "server")
		c.word("validators", v.Validators, "last-page")
		c.counts("max", v.Max)
	case *Duplicates:
		c.word("keep", v.Keep, "first", "last", "all", "server", "request")
		c.word("validator", v.Validator, "last")
	case *Relist:
		c.expression("match", v.Match)
	case *Validator:
		c.validator(v)
	case *Arguments:
		c.word("uncompilable", v.Uncompilable, "skip-validation", "tool")
		c.word("coerce", v.Coerce, "typed", "blind")
	case *Approval:
		c.word("needs", v.Needs, "readOnlyHint")
	case *Name:
		c.name(v)
	case *Description:
		c.word("unit", v.Unit, "utf16", "bytes")
		c.counts("max", v.Max)
	case *APIName:
		c.expression("pattern", v.Pattern)
		c.counts("max", v.Max)
	case *Limits:
		c.word("on_tools", v.OnTools, "request", "server", "cut")
		c.word("on_description", v.OnDesc, "request", "tool")
		c.counts("tools", v.Tools)
		c.counts("description", v.Description)
	case *Surface:
		c.surface(v)
	case *Blocks:
		for _, b := range []struct{ field, fate string }{{"text", v.Text}, {"image", v.Image}, {"audio", v.Audio}, {"resource", v.Resource},
			{"blob", v.Blob}, {"resource_link", v.ResourceLink}, {"with_structured", v.WithStructured}} {
			c.word(b.field, b.fate, "shown", "image", "text", "placeholder", "file", "lost", "reject")
		}
	case *Cut:
		c.word("unit", v.Unit, "utf16", "bytes", "tokens")
		for _, n := range []struct {
			field string
			value int
		}{{"max", v.Max}, {"head", v.Head}, {"tail", v.Tail}} {
			c.counts(n.field, n.value)
		}
		if v.Max == 0 && c.err == nil {
			c.err = fmt.Errorf("max is missing or 0: nothing would be shown")
		}
	}
	return c.err
}

// valueCheck keeps the first fault.
type valueCheck struct{ err error }

func (c *valueCheck) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// word refuses a word that is none of known; "" is an absent member.
func (c *valueCheck) word(field, value string, known ...string) {
	for _, k := range append(known, "") {
		if value == k {
			return
		}
	}
	if near := Nearest(value, known); near != "" {
		c.fail("%s: %q is none of %s; did you mean %q?", field, value, strings.Join(known, ", "), near)
	}
	c.fail("%s: %q is none of %s", field, value, strings.Join(known, ", "))
}

func (c *valueCheck) counts(field string, n int) {
	if n < 0 {
		c.fail("%s: %d is negative", field, n)
	}
}

func (c *valueCheck) expression(field, text string) {
	if _, err := regexp.Compile("(?i)" + text); err != nil {
		c.fail("%s: %q is no regular expression (RE2): %v", field, text, err)
	}
}

func (c *valueCheck) class(field, text string) {
	if text == "" {
		return
	}
	if _, err := regexp.Compile("^" + text + "$"); err != nil {
		c.fail("%s: %q is no character class (RE2): %v", field, text, err)
	}
}

func (c *valueCheck) handshake(v *Handshake) {
	if len(v.Tries) == 0 {
		c.fail("tries: a handshake without any try")
	}
	for _, t := range v.Tries {
		c.word("method", t.Method, "initialize", "server/discover", "none")
		for _, transport := range t.Transports {
			c.word("transports", transport, "stdio", "streamable-http", "sse")
		}
	}
}

func (c *valueCheck) validator(v *Validator) {
	c.word("compile", v.Compile, "list", "call", "result")
	c.word("uncompilable", v.Uncompilable, "server", "tool", "skip-validation", "accept-any")
	c.word("missing", v.Missing, "reject", "accept")
	c.word("falsy", v.Falsy, "missing", "unchecked", "null")
	c.word("same_id", v.SameID, "first", "unchecked")
	c.counts("compile_max", v.CompileMax)
	c.counts("retries", v.Retries)
	if v.Modern != nil {
		if v.Modern.Modern != nil {
			c.fail("modern: a validator of modern sessions has none of its own")
		}
		c.validator(v.Modern)
	}
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

func (c *valueCheck) name(v *Name) {
	for _, p := range placeholder.FindAllString(v.Template, -1) {
		c.word("template", strings.Trim(p, "{}"), "server", "tool")
	}
	c.class("allow", v.Allow)
	c.class("start", v.Start)
	if v.Server != nil {
		c.class("server.allow", v.Server.Allow)
		c.counts("server.max", v.Server.Max)
	}
	c.word("lower", v.Lower, "server", "all")
	c.word("encode", v.Encode, "punycode")
	c.word("overflow", v.Overflow, "keep", "cut", "hash", "middle-ellipsis", "tool", "request")
	c.word("hash", v.Hash, "sha1", "sha256", "fnv1a-36")
	c.word("hash_when", v.HashWhen, "overflow", "changed")
	c.word("collision", v.Collision, "first", "last", "sorted-last", "all", "hash", "number", "tool", "server", "request")
	for _, n := range []struct {
		field string
		value int
	}{{"max", v.Max}, {"head", v.Head}, {"tail", v.Tail}, {"hash_len", v.HashLen}} {
		c.counts(n.field, n.value)
	}
}

func (c *valueCheck) surface(v *Surface) {
	known := []string{"content", "structured", "content+structured", "structured+content", "raw"}
	c.word("prefers", v.Prefers, known...)
	if v.Prefers == "" {
		c.fail("prefers is missing: one of %s", strings.Join(known, ", "))
	}
	c.word("on_error", v.OnError, known...)
	c.word("needs", v.Needs, "output-schema")
	if !strings.HasPrefix(v.StructuredOnly, "text:") {
		c.word("structured_only", v.StructuredOnly, "structured", "empty", "text:…")
	}
}
