package auth_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"

	"github.com/hostmatrix/conform/schema"
)

// provider is an MCP server and its authorization server in one: it wants a
// token with the scope "read", and "write" for tools/call.
type provider struct {
	*httptest.Server
	mu         sync.Mutex
	n          int
	codes      map[string]url.Values // code -> query of /authorize
	scopes     map[string]string     // access token -> scope
	refreshes  int
	logins     int
	grants     []string
	expiresIn  int
	denyLogins bool
	// refuseRefresh refuses every refresh token.
	refuseRefresh bool
	quotes        bool   // it quotes the codes and verifiers that it refuses
	challenge     string // in place of a well written one; URL is that of the metadata
	old           bool   // a server of 2025-03-26: no resource metadata
	issuer        string // in place of the URL
	assertion     string // what the client sent in place of a secret
}

func newProvider() *provider {
	p := &provider{codes: map[string]url.Values{}, scopes: map[string]string{}, expiresIn: 3600}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, r *http.Request) {
		if p.old {
			http.NotFound(w, r)
			return
		}
		answer(w, 200, map[string]any{"resource": p.URL + "/mcp", "authorization_servers": []string{p.URL}, "scopes_supported": []string{"read"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, r *http.Request) {
		answer(w, 200, map[string]any{"issuer": cmp.Or(p.issuer, p.URL), "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"registration_endpoint": p.URL + "/register", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"}})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		_ = json.NewDecoder(r.Body).Decode(&m)
		m["client_id"] = "registered-client"
		answer(w, 201, m)
	})
	mux.HandleFunc("/authorize", p.authorize)
	mux.HandleFunc("/token", p.token)
	mux.HandleFunc("/mcp", p.mcp)
	p.Server = httptest.NewServer(mux)
	DeferCleanup(p.Close)
	return p
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	back := url.Values{"state": {q.Get("state")}}
	if p.denyLogins {
		back.Set("error", "access_denied")
	} else {
		p.logins++
		code := fmt.Sprintf("code-%d-of-this-login", p.logins)
		p.codes[code] = q
		back.Set("code", code)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = r.ParseForm()
	grant, scope := r.Form.Get("grant_type"), r.Form.Get("scope")
	p.grants = append(p.grants, grant)
	switch grant {
	case "authorization_code":
		asked, ok := p.codes[r.Form.Get("code")]
		sum := sha256.Sum256([]byte(r.Form.Get("code_verifier")))
		if p.quotes {
			answer(w, 400, map[string]any{"error": "invalid_grant", "error_description": "bad code " + r.Form.Get("code") + " or verifier " + r.Form.Get("code_verifier")})
			return
		}
		if !ok || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || (!p.old && r.Form.Get("resource") != p.URL+"/mcp") {
			answer(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		scope = asked.Get("scope")
	case "refresh_token":
		if p.refuseRefresh {
			answer(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		p.refreshes++
		scope = "read"
		if !strings.HasPrefix(r.Form.Get("refresh_token"), "refresh-") {
			answer(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
	case "client_credentials":
		p.assertion = r.Form.Get("client_assertion")
		if r.Form.Get("client_id") != "machine" || (p.assertion == "" && r.Form.Get("client_secret") != "machine-secret") {
			answer(w, 401, map[string]any{"error": "invalid_client"})
			return
		}
	}
	p.n++
	access := fmt.Sprintf("access-token-%d", p.n)
	p.scopes[access] = scope
	answer(w, 200, map[string]any{"access_token": access, "token_type": "Bearer", "expires_in": p.expiresIn, "refresh_token": fmt.Sprintf("refresh-%d", p.n), "scope": scope})
}

func (p *provider) mcp(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	v, _ := schema.Parse(text, schema.Limits{})
	method, _ := v.Get("method").IsString()
	p.mu.Lock()
	scope, known := p.scopes[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	p.mu.Unlock()
	if !known {
		w.Header().Set("WWW-Authenticate", "Bearer")
		if !p.old {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+p.URL+`/.well-known/oauth-protected-resource/mcp"`)
		}
		if p.challenge != "" {
			w.Header().Set("WWW-Authenticate", strings.Replace(p.challenge, "URL", p.URL+"/.well-known/oauth-protected-resource/mcp", 1))
		}
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if method == "tools/call" && !strings.Contains(scope, "write") {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write", resource_metadata="`+p.URL+`/.well-known/oauth-protected-resource/mcp"`)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	results := map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"guarded","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"t","description":"token ` + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + `","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[]}`,
	}
	id := v.Get("id")
	if id == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if results[method] == "" {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, id.Compact())
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id.Compact(), results[method])
}
