package auth

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const challengeHeader = "Www-Authenticate"

// challengeField is one of the fields of a challenge that a client acts on.
var challengeField = regexp.MustCompile(`(?i)\b(resource_metadata|scope|error)\s*=\s*(?:"([^"]+)"|([^\s,"]+))`)

// readable returns the refusal with a challenge that the Go SDK can read. It refuses
// the whole header for an empty quoted text, or for one with a quote too many; the
// TypeScript SDK, which looks for its fields only, logs in.
func readable(response *http.Response) *http.Response {
	headers := response.Header[challengeHeader]
	if _, err := oauthex.ParseWWWAuthenticate(headers); err == nil {
		return response
	}
	var fields []string
	for _, m := range challengeField.FindAllStringSubmatch(strings.Join(headers, ", "), -1) {
		fields = append(fields, strings.ToLower(m[1])+`="`+m[2]+m[3]+`"`)
	}
	changed := *response
	changed.Header = response.Header.Clone()
	changed.Header.Del(challengeHeader)
	if len(fields) > 0 {
		changed.Header.Set(challengeHeader, "Bearer "+strings.Join(fields, ", "))
	}
	return &changed
}
