// Package auth gets access tokens by OAuth 2.1, on the Go SDK's auth packages:
// authorization code with PKCE and a redirect to loopback, or client credentials.
// Tokens are kept in a directory that only the user can read, one file per
// server, so that a later run needs no person; [Config.StoredOnly] makes that
// the only way.
package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// ErrStoredOnly says that a token is needed, none that works is stored, and
// asking a person was forbidden.
var ErrStoredOnly = errors.New("no stored token works, and only stored ones may be used; log in once without that restriction")

// Config says how to authorize. The zero value registers dynamically and shows
// the address to log in with Show.
type Config struct {
	// URL is the MCP endpoint; its token is stored under it.
	URL string
	// ClientID and ClientSecret are those of a client that was registered before;
	// "" registers one.
	ClientID, ClientSecret string
	// Machine uses the client credentials grant, which needs ClientID, and
	// ClientSecret or PrivateKey, and no person.
	Machine bool
	// PrivateKey signs a JWT in place of the secret (PEM; ECDSA P-256 or RSA).
	PrivateKey string
	// MetadataURL is a client id metadata document (an https URL), used where the
	// authorization server takes it; "" is none.
	MetadataURL string
	// Scopes are asked for in place of those that the server names; nil takes the
	// server's.
	Scopes []string
	// RedirectPort is the port on 127.0.0.1 for the redirect; 0 takes a free one.
	RedirectPort int
	// Show tells the person the address to open. It must not block.
	Show func(address string)
	// Directory holds the stored tokens; "" stores nothing.
	Directory string
	// StoredOnly forbids everything but stored tokens and their refresh.
	StoredOnly bool
	// Client makes the requests for metadata and tokens; nil means one with a
	// time limit of 30 s that follows no redirect to another origin.
	Client *http.Client
}

// unusedSecret stands where the SDK wants a secret; the assertion replaces it.
const unusedSecret = "a signed assertion takes its place"

// Handler is an authorizer for one server. Close it to free its port.
type Handler struct {
	config  Config
	store   store
	secrets *overheard

	mu       sync.Mutex
	source   oauth2.TokenSource
	kept     *keeping // of the source; nil where nothing can be refreshed
	flow     sdk.OAuthHandler
	redirect *redirect
}

// New returns a handler that begins with the stored token, if there is one. A
// stored file that cannot be read is an error: it is not overwritten.
func New(config Config) (*Handler, error) {
	if config.Machine && (config.ClientID == "" || (config.ClientSecret == "" && config.PrivateKey == "")) {
		return nil, errors.New("the client credentials grant needs a client id, and a client secret or a private key")
	}
	if config.Client == nil {
		config.Client = &http.Client{Timeout: 30 * time.Second, CheckRedirect: sameOriginOnly, Transport: &backcompat{next: http.DefaultTransport}}
	}
	secrets := &overheard{}
	secrets.add(config.ClientSecret, config.PrivateKey)
	listening := *config.Client
	listening.Transport = &overhear{next: cmp.Or(listening.Transport, http.DefaultTransport), secrets: secrets}
	config.Client = &listening
	if config.Machine && config.PrivateKey != "" {
		key, err := parseKey(config.PrivateKey)
		if err != nil {
			return nil, err
		}
		signing := *config.Client
		signing.Transport = &assertion{next: cmp.Or(signing.Transport, http.DefaultTransport), clientID: config.ClientID, key: key, now: time.Now}
		config.Client = &signing
		config.ClientSecret = unusedSecret
	}
	if config.Show == nil {
		config.Show = func(string) {}
	}
	h := &Handler{config: config, secrets: secrets, store: newStore(config.Directory, config.URL)}
	saved, err := h.store.load()
	if err != nil {
		return nil, err
	}
	if saved != nil {
		secrets.add(saved.ClientSecret, saved.Token.AccessToken, saved.Token.RefreshToken)
		h.source = h.keep(saved.config().TokenSource(h.background(), saved.Token), saved)
	}
	return h, nil
}

// background is the context of refreshes, which outlive the request that began
// the flow.
func (h *Handler) background() context.Context {
	return context.WithValue(context.Background(), oauth2.HTTPClient, h.config.Client)
}

// Token returns the current access token, refreshed if need be; "" when there is
// none, or none that can be refreshed.
func (h *Handler) Token(context.Context) (string, error) {
	h.mu.Lock()
	source := h.source
	h.mu.Unlock()
	if source == nil {
		return "", nil
	}
	token, err := source.Token()
	if err != nil {
		// A refresh token that does not work any more: begin anew.
		h.mu.Lock()
		h.source = nil
		h.mu.Unlock()
		return "", nil
	}
	return token.AccessToken, nil
}

// Authorize gets a token after a refusal: by the refresh token, if the server does not
// take the access token any more although its time is not over, else by a login.
func (h *Handler) Authorize(ctx context.Context, request *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusUnauthorized && h.renew(strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")) {
		return nil
	}
	if h.config.StoredOnly {
		return ErrStoredOnly
	}
	flow, err := h.begin()
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, h.config.Client)
	if err := flow.Authorize(ctx, request, readable(response)); err != nil {
		return err
	}
	source, err := flow.TokenSource(ctx)
	if err != nil {
		return err
	}
	if source == nil {
		return errors.New("the flow gave no token")
	}
	h.mu.Lock()
	h.source = source
	h.mu.Unlock()
	return nil
}

// renew trades the refresh token in for a new access token, once for each that was
// refused, and reports whether there is one now.
func (h *Handler) renew(refused string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept == nil {
		return false
	}
	saved := h.kept.current()
	if saved.Token.RefreshToken == "" || saved.Token.AccessToken != refused {
		return false
	}
	expired := *saved.Token
	expired.Expiry = time.Now().Add(-time.Hour)
	source := h.keep(saved.config().TokenSource(h.background(), &expired), saved)
	token, err := source.Token()
	if err != nil || token.AccessToken == refused {
		return false
	}
	h.source = source
	return true
}

// begin makes the flow on first use: only then the port is needed.
func (h *Handler) begin() (sdk.OAuthHandler, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.flow != nil {
		return h.flow, nil
	}
	var err error
	if h.config.Machine {
		h.flow, err = extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{
			Credentials: h.registered(), HTTPClient: h.config.Client})
		return h.flow, err
	}
	if h.redirect == nil {
		if h.redirect, err = listen(h.config.RedirectPort); err != nil {
			return nil, err
		}
	}
	h.flow, err = sdk.NewAuthorizationCodeHandler(h.codeConfig())
	return h.flow, err
}

func (h *Handler) codeConfig() *sdk.AuthorizationCodeHandlerConfig {
	address := h.redirect.address()
	config := &sdk.AuthorizationCodeHandlerConfig{
		RedirectURL:           address,
		RequestRefreshToken:   true,
		AcceptUnadvertisedIss: true,
		Client:                h.config.Client,
		NewTokenSource:        h.newSource,
		AuthorizationCodeFetcher: func(ctx context.Context, args *sdk.AuthorizationArgs) (*sdk.AuthorizationResult, error) {
			h.redirect.drain()
			if u, err := url.Parse(args.URL); err == nil {
				h.secrets.add(u.Query().Get("state"))
			}
			h.config.Show(args.URL)
			return h.redirect.wait(ctx)
		},
	}
	if h.config.Scopes != nil {
		config.ScopeFilter = func([]string) []string { return h.config.Scopes }
	}
	if h.config.MetadataURL != "" {
		config.ClientIDMetadataDocumentConfig = &sdk.ClientIDMetadataDocumentConfig{URL: h.config.MetadataURL}
	}
	if h.config.ClientID != "" {
		config.PreregisteredClient = h.registered()
	} else {
		config.DynamicClientRegistrationConfig = &sdk.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName:              "conform",
			RedirectURIs:            []string{address},
			GrantTypes:              []string{"authorization_code", "refresh_token"},
			ResponseTypes:           []string{"code"},
			TokenEndpointAuthMethod: "none",
		}}
	}
	return config
}

func (h *Handler) registered() *oauthex.ClientCredentials {
	credentials := &oauthex.ClientCredentials{ClientID: h.config.ClientID}
	if h.config.ClientSecret != "" {
		credentials.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: h.config.ClientSecret}
	}
	return credentials
}

// newSource stores the token that a flow gave, and every refreshed one.
func (h *Handler) newSource(ctx context.Context, config *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
	saved := newSaved(h.config.URL, config, token)
	if err := h.store.save(saved); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keep(config.TokenSource(ctx, token), saved), nil
}

// keep makes a source store what it gives; h is locked, or not yet shared.
func (h *Handler) keep(source oauth2.TokenSource, saved *saved) oauth2.TokenSource {
	h.kept = &keeping{source: source, store: h.store, saved: saved}
	return h.kept
}

// Secrets returns what was a secret in getting tokens until now.
func (h *Handler) Secrets() []string { return h.secrets.all() }

// Close frees the port of the redirect.
func (h *Handler) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.redirect == nil {
		return nil
	}
	return h.redirect.close()
}

func sameOriginOnly(request *http.Request, via []*http.Request) error {
	if first := via[0].URL; request.URL.Scheme != first.Scheme || request.URL.Host != first.Host {
		return fmt.Errorf("a redirect to another origin (%s) is not followed", request.URL.Host)
	}
	if len(via) > 5 {
		return errors.New("more than 5 redirects")
	}
	return nil
}
