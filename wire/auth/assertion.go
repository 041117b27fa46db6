package auth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// assertion authenticates the client credentials grant with a signed JWT in
// place of a secret, which the Go SDK 1.8.0 does not do: it changes the token
// request on its way out. Source: RFC 7523 section 2.2, MCP SEP-1046.
type assertion struct {
	next     http.RoundTripper
	clientID string
	key      crypto.Signer
	now      func() time.Time
	issuer   atomic.Pointer[string] // of the authorization server, from its metadata
}

// assertionLifetime is how long a JWT is good: for one request.
const assertionLifetime = 5 * time.Minute

// parseKey reads a PKCS #8 or SEC 1 key in PEM: ECDSA P-256 (ES256) or RSA
// (RS256).
func parseKey(text string) (crypto.Signer, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the private key is no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if key, err = x509.ParseECPrivateKey(block.Bytes); err != nil {
			// The error of the parser may quote the key.
			return nil, errors.New("the private key is neither PKCS #8 nor SEC 1")
		}
	}
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		if k.Curve == elliptic.P256() {
			return k, nil
		}
	case *rsa.PrivateKey:
		return k, nil
	}
	return nil, errors.New("the private key is neither ECDSA P-256 nor RSA")
}

// RoundTrip signs token requests and notes the issuer that metadata name.
func (a *assertion) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodPost && request.Body != nil && strings.HasPrefix(request.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		signed, err := a.sign(request)
		if err != nil {
			return nil, err
		}
		request = signed
	}
	response, err := a.next.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusOK || !strings.HasPrefix(request.URL.Path, "/.well-known/") {
		return response, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxMetadata))
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	var metadata struct {
		Issuer string `json:"issuer"`
	}
	if json.Unmarshal(body, &metadata) == nil && metadata.Issuer != "" {
		a.issuer.Store(&metadata.Issuer)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// sign replaces the secret in a token request by an assertion.
func (a *assertion) sign(request *http.Request) (*http.Request, error) {
	text, err := io.ReadAll(io.LimitReader(request.Body, maxMetadata))
	request.Body.Close()
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, errors.New("the token request is no form")
	}
	changed := request.Clone(request.Context())
	if form.Get("grant_type") == "client_credentials" {
		audience := request.URL.String()
		if issuer := a.issuer.Load(); issuer != nil {
			audience = *issuer
		}
		token, err := a.token(audience)
		if err != nil {
			return nil, err
		}
		form.Del("client_secret")
		form.Set("client_id", a.clientID)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", token)
		changed.Header.Del("Authorization")
		text = []byte(form.Encode())
	}
	changed.Body, changed.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return changed, nil
}

// token returns the signed JWT.
func (a *assertion) token(audience string) (string, error) {
	var id [16]byte
	_, _ = rand.Read(id[:])
	algorithm := "ES256"
	if _, ok := a.key.(*rsa.PrivateKey); ok {
		algorithm = "RS256"
	}
	now := a.now()
	head, _ := json.Marshal(map[string]string{"alg": algorithm, "typ": "JWT"})
	claims, _ := json.Marshal(map[string]any{"iss": a.clientID, "sub": a.clientID, "aud": audience, "jti": hex.EncodeToString(id[:]),
		"iat": now.Unix(), "exp": now.Add(assertionLifetime).Unix()})
	encode := base64.RawURLEncoding.EncodeToString
	text := encode(head) + "." + encode(claims)
	digest := sha256.Sum256([]byte(text))
	var signature []byte
	var err error
	switch key := a.key.(type) {
	case *ecdsa.PrivateKey:
		r, s, signErr := ecdsa.Sign(rand.Reader, key, digest[:])
		if err = signErr; err == nil {
			// RFC 7518 section 3.4: r and s, 32 bytes each.
			signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
		}
	default:
		signature, err = a.key.Sign(rand.Reader, digest[:], crypto.SHA256)
	}
	if err != nil {
		return "", errors.New("the assertion cannot be signed")
	}
	return text + "." + encode(signature), nil
}
