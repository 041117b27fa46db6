package wire

import (
	"encoding/base64"
	"net/http"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Names of the headers that the protocol defines.
const (
	headerVersion     = "Mcp-Protocol-Version"
	headerSession     = "Mcp-Session-Id"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerParamPrefix = "Mcp-Param-"
	headerLastEventID = "Last-Event-Id"
)

// EncodeHeaderValue writes a text as the value of Mcp-Name or Mcp-Param-*: as it
// is, or in the base64 sentinel form when it holds a non-ASCII or control
// character, begins or ends in white space, or looks like that form itself.
// Source: MCP 2026-07-28 basic/transports/streamable-http, Custom Headers.
func EncodeHeaderValue(text string) string {
	plain := text == strings.TrimSpace(text) && !strings.HasPrefix(text, "=?base64?")
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= 0x20 && text[i] < 0x7f
	}
	if plain {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// ParamHeaders returns the Mcp-Param-* headers of a call, by header name, values
// not yet encoded: the arguments whose property carries x-mcp-header and is
// reached from the root by properties alone. null and absent arguments have no
// header. Source: MCP 2026-07-28 server/tools, x-mcp-header.
func ParamHeaders(input, arguments *schema.Value) map[string]string {
	headers := map[string]string{}
	collectParams(input, arguments, headers)
	return headers
}

func collectParams(object, arguments *schema.Value, headers map[string]string) {
	properties := object.Get("properties")
	if properties == nil || properties.Kind != schema.Object || arguments == nil {
		return
	}
	for _, property := range properties.Unique() {
		argument := arguments.Get(property.Key)
		if argument == nil {
			continue
		}
		if name, ok := property.Value.Get("x-mcp-header").IsString(); ok && isToken(name) {
			switch argument.Kind {
			case schema.String:
				headers[headerParamPrefix+name] = argument.Text
			case schema.Number:
				headers[headerParamPrefix+name] = decimal(argument)
			case schema.Bool:
				headers[headerParamPrefix+name] = argument.Compact()
			}
		}
		collectParams(property.Value, argument, headers)
	}
}

// decimal writes a whole number in digits, whatever its literal: an example 1.0 or 1e3
// of an integer is 1 or 1000 in the header. Other numbers may have no header; they stay
// as they are.
func decimal(v *schema.Value) string {
	if n, ok := v.Exact(); ok && n.IsInt() && v.HasFraction() && n.Num().BitLen() <= 64 {
		return n.Num().String()
	}
	return v.Text
}

// isToken reports whether s is 1*tchar (RFC 9110 section 5.6.2).
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// setMessageHeaders sets what a POST of message m carries besides the user's
// own headers.
func setMessageHeaders(h http.Header, m outgoing, version string, era recording.Era) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if version != "" {
		h.Set(headerVersion, version)
	}
	if era != recording.Modern || m.method == "" {
		return
	}
	h.Set(headerMethod, m.method)
	if m.name != "" {
		h.Set(headerName, EncodeHeaderValue(m.name))
	}
	for name, value := range m.params {
		h.Set(name, EncodeHeaderValue(value))
	}
}

// HeaderText returns headers as text, in order, each on a line that begins with
// CR LF. Values of headers that the user set, of credentials and of cookies are
// redacted; those that are URLs lose what is secret in one.
func HeaderText(h, user http.Header) string {
	var b strings.Builder
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range h[name] {
			if secretHeader(name) || (user.Values(name) != nil && !publicHeader(name)) {
				value = Redacted
			} else if name == "Location" || name == "Content-Location" || name == "Referer" {
				value = RedactURL(value)
			}
			b.WriteString("\r\n" + name + ": " + value)
		}
	}
	return b.String()
}

func secretHeader(name string) bool {
	switch name {
	case "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", headerSession:
		return true
	}
	return secretName(name) && name != "Www-Authenticate"
}
