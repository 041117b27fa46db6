package auth

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// The members of forms and documents of OAuth that are secrets, or are worth one for
// a while. Source: RFC 6749, RFC 7591 section 3.2.1, RFC 7636, RFC 7523, RFC 8693.
var (
	secretFields  = []string{"client_secret", "client_assertion", "code", "code_verifier", "refresh_token", "assertion", "subject_token", "password", "token"}
	secretMembers = []string{"access_token", "refresh_token", "id_token", "client_secret", "registration_access_token"}
)

// overheard are the secrets of one handler.
type overheard struct {
	mu    sync.Mutex
	texts []string
}

func (o *overheard) add(texts ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range texts {
		if s != "" && s != unusedSecret && !slices.Contains(o.texts, s) {
			o.texts = append(o.texts, s)
		}
	}
}

func (o *overheard) all() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.texts)
}

// overhear notes the secrets of the requests and answers that pass: an authorization
// server may quote them in an error, which is shown.
type overhear struct {
	next    http.RoundTripper
	secrets *overheard
}

// RoundTrip passes everything unchanged.
func (o *overhear) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method != http.MethodPost {
		return o.next.RoundTrip(request)
	}
	if _, password, ok := request.BasicAuth(); ok {
		o.secrets.add(password)
		if plain, err := url.QueryUnescape(password); err == nil { // RFC 6749 section 2.3.1
			o.secrets.add(plain)
		}
	}
	if request.Body != nil {
		body, err := io.ReadAll(io.LimitReader(request.Body, maxMetadata))
		request.Body.Close()
		if err != nil {
			return nil, err
		}
		request = request.Clone(request.Context())
		request.Body = io.NopCloser(bytes.NewReader(body))
		o.secrets.add(SecretsIn(body)...)
	}
	response, err := o.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxMetadata))
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	o.secrets.add(SecretsIn(body)...)
	return response, nil
}

// SecretsIn returns the secrets of a body that a login exchanges: a form, or a JSON
// document with tokens; nil for any other body.
func SecretsIn(body []byte) (out []string) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) == nil {
		for _, name := range secretMembers {
			var text string
			if json.Unmarshal(members[name], &text) == nil && text != "" {
				out = append(out, text)
			}
		}
		return out
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !form.Has("grant_type") && !form.Has("token") {
		return nil
	}
	for _, name := range secretFields {
		out = append(out, form[name]...)
	}
	return out
}
