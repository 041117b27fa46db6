package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/auth"
)

// Keys for the tests, new in every run.
var (
	ecKey, _  = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	rsaKey, _ = rsa.GenerateKey(rand.Reader, 2048)
)

// browser logs in as a person would, without one.
func browser(address string) {
	go func() {
		if response, err := http.Get(address); err == nil {
			response.Body.Close()
		}
	}()
}

func handler(config auth.Config) *auth.Handler {
	if config.Show == nil {
		config.Show = browser
	}
	h, err := auth.New(config)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(h.Close)
	return h
}

func capture(ctx context.Context, p *provider, a wire.Authorizer) (*recording.Capture, error) {
	return wire.Capture(ctx, wire.Target{URL: p.URL + "/mcp"}, wire.Options{
		Handshakes: []wire.Handshake{{Mode: wire.Auto}}, Authorizer: a,
		Timeouts: wire.Timeouts{Start: 10 * time.Second, Authorize: 5 * time.Second},
		Calls: func(*recording.Session) []recording.Call {
			return []recording.Call{{Tool: "t", Arguments: schema.Obj()}}
		}})
}

var _ = Describe("A guarded server", func() {
	It("is an error that says so without an authorizer", func(ctx SpecContext) {
		_, err := capture(ctx, newProvider(), nil)
		var failure *wire.Error
		Expect(errors.As(err, &failure)).To(BeTrue())
		Expect(failure.Kind).To(Equal(wire.KindAuth))
		Expect(failure.Challenge).To(ContainSubstring("resource_metadata"))
	})

	It("is logged in to, with more scopes when a call needs them", func(ctx SpecContext) {
		p := newProvider()
		c, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Tools).To(HaveLen(1))
		Expect(c.Sessions[0].Calls[0].Result).NotTo(BeNil())
		Expect(p.logins).To(Equal(2))
		Expect(p.scopes["access-token-2"]).To(And(ContainSubstring("read"), ContainSubstring("write")))
		everything := fmt.Sprintf("%+v", c.Problems)
		for _, m := range c.Sessions[0].Messages {
			everything += string(m.Bytes)
		}
		Expect(everything).NotTo(ContainSubstring("access-token"))
		Expect(everything).To(ContainSubstring("Authorization: [redacted]"))
	})

	DescribeTable("that names another issuer than the address of its metadata", func(ctx SpecContext, old bool, issuer, refused string) {
		p := newProvider()
		p.old, p.issuer = old, issuer
		if issuer == "below" {
			p.issuer = p.URL + "/oauth"
		}
		_, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp"}))
		if refused == "" {
			Expect(err).NotTo(HaveOccurred())
		} else {
			Expect(err).To(MatchError(ContainSubstring(refused)))
			Expect(p.logins).To(BeZero())
		}
	},
		Entry("within its origin, as servers of 2025-03-26 do, works", true, "below", ""),
		Entry("of another origin is refused", true, "https://evil.example", "does not match"),
		Entry("within its origin, but with resource metadata, is refused", false, "below", "does not match"),
	)

	It("is logged in to by a machine", func(ctx SpecContext) {
		p := newProvider()
		c, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp", Machine: true, ClientID: "machine", ClientSecret: "machine-secret"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Tools).To(HaveLen(1))
		Expect(p.logins).To(BeZero())
		Expect(p.grants).To(HaveEach("client_credentials"))
	})

	DescribeTable("is logged in to by a machine with a key", func(ctx SpecContext, algorithm string, private crypto.Signer, verify func(digest, signature []byte) bool) {
		p := newProvider()
		text, err := x509.MarshalPKCS8PrivateKey(private)
		Expect(err).NotTo(HaveOccurred())
		key := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}))
		c, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp", Machine: true, ClientID: "machine", PrivateKey: key}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Tools).To(HaveLen(1))
		parts := strings.Split(p.assertion, ".")
		Expect(parts).To(HaveLen(3))
		var decoded [3][]byte
		for i, part := range parts {
			decoded[i], err = base64.RawURLEncoding.DecodeString(part)
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(string(decoded[0])).To(Equal(`{"alg":"` + algorithm + `","typ":"JWT"}`))
		Expect(string(decoded[1])).To(And(ContainSubstring(`"aud":"`+p.URL+`"`), ContainSubstring(`"iss":"machine"`), ContainSubstring(`"sub":"machine"`)))
		digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		Expect(verify(digest[:], decoded[2])).To(BeTrue())
	},
		Entry("ECDSA", "ES256", ecKey, func(digest, signature []byte) bool {
			return len(signature) == 64 && ecdsa.Verify(&ecKey.PublicKey, digest, new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
		}),
		Entry("RSA", "RS256", rsaKey, func(digest, signature []byte) bool {
			return rsa.VerifyPKCS1v15(&rsaKey.PublicKey, crypto.SHA256, digest, signature) == nil
		}),
	)

	DescribeTable("cannot be logged in to with a key that", func(key, want string) {
		_, err := auth.New(auth.Config{URL: "http://127.0.0.1:1/", Machine: true, ClientID: "x", PrivateKey: key})
		Expect(err).To(MatchError(want))
	},
		Entry("is no PEM", "hello", "the private key is no PEM"),
		Entry("is no key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")})), "the private key is neither PKCS #8 nor SEC 1"),
	)

	It("needs no second login with a stored token", func(ctx SpecContext) {
		p := newProvider()
		directory := filepath.Join(GinkgoT().TempDir(), "tokens")
		config := auth.Config{URL: p.URL + "/mcp", Directory: directory, Scopes: []string{"read", "write"}}
		_, err := capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		Expect(p.logins).To(Equal(1))

		files, err := filepath.Glob(filepath.Join(directory, "*"))
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(1))
		info, err := os.Stat(files[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)))

		config.StoredOnly = true
		c, err := capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Calls[0].Result).NotTo(BeNil())
		Expect(p.logins).To(Equal(1))
	})

	It("refreshes an expired token and stores the new one", func(ctx SpecContext) {
		p := newProvider()
		p.expiresIn = 1 // within the margin in which oauth2 refreshes at once
		config := auth.Config{URL: p.URL + "/mcp", Directory: GinkgoT().TempDir()}
		_, err := capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		refreshes := p.refreshes
		config.StoredOnly = true
		_, err = capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		Expect(p.refreshes).To(BeNumerically(">", refreshes))
	})

	It("gives a new token for the refresh token when it does not take the old one any more", func(ctx SpecContext) {
		p := newProvider()
		config := auth.Config{URL: p.URL + "/mcp", Directory: GinkgoT().TempDir(), Scopes: []string{"read", "write"}}
		_, err := capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		p.mu.Lock()
		clear(p.scopes) // as after a restart
		p.mu.Unlock()
		config.StoredOnly = true
		_, err = capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		Expect(p.refreshes).To(Equal(1))
		Expect(p.logins).To(Equal(1))

		_, err = capture(ctx, p, handler(config)) // the new one was stored
		Expect(err).NotTo(HaveOccurred())
		Expect(p.refreshes).To(Equal(1))
	})

	It("asks once for a refresh that gives nothing", func(ctx SpecContext) {
		p := newProvider()
		config := auth.Config{URL: p.URL + "/mcp", Directory: GinkgoT().TempDir(), Scopes: []string{"read", "write"}}
		_, err := capture(ctx, p, handler(config))
		Expect(err).NotTo(HaveOccurred())
		p.mu.Lock()
		clear(p.scopes)
		p.refuseRefresh = true
		p.mu.Unlock()
		config.StoredOnly = true
		_, err = capture(ctx, p, handler(config))
		Expect(err).To(MatchError(auth.ErrStoredOnly))
		Expect(p.refreshes).To(BeZero())
	})

	DescribeTable("is logged in to although its challenge is written badly", func(ctx SpecContext, challenge string) {
		p := newProvider()
		p.challenge = challenge
		c, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp", Scopes: []string{"read", "write"}}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Tools).To(HaveLen(1))
	},
		Entry("with an empty text", `Bearer error_description="", resource_metadata="URL"`),
		Entry("with a quote too many", `Bearer error="invalid_token", error_description="say "please"", resource_metadata="URL"`),
		Entry("without commas", `Bearer realm="x" resource_metadata="URL"`),
		Entry("with a trailing comma", `Bearer resource_metadata="URL",`),
	)

	It("says no secret of a login that fails", func(ctx SpecContext) {
		p := newProvider()
		p.quotes = true
		h := handler(auth.Config{URL: p.URL + "/mcp"})
		c, err := capture(ctx, p, h)
		Expect(err).To(MatchError(And(ContainSubstring("[redacted]"), Not(ContainSubstring("code-1")))))
		Expect(c.Sessions[0].InitError.Text).To(ContainSubstring("[redacted]"))
		Expect(h.Secrets()).To(ContainElement(HavePrefix("code-1-")))
	})

	It("is not logged in to when only stored tokens may be used", func(ctx SpecContext) {
		p := newProvider()
		_, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp", StoredOnly: true}))
		Expect(err).To(MatchError(auth.ErrStoredOnly))
		var failure *wire.Error
		Expect(errors.As(err, &failure)).To(BeTrue())
		Expect(failure.Kind).To(Equal(wire.KindAuth))
		Expect(p.logins).To(BeZero())
	})

	It("says that the login was refused", func(ctx SpecContext) {
		p := newProvider()
		p.denyLogins = true
		_, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp"}))
		Expect(err).To(MatchError(ContainSubstring(`the authorization server refused: "access_denied"`)))
	})

	It("does not wait for ever for a login", func(ctx SpecContext) {
		p := newProvider()
		_, err := wire.Capture(ctx, wire.Target{URL: p.URL + "/mcp"}, wire.Options{
			Authorizer: handler(auth.Config{URL: p.URL + "/mcp", Show: func(string) {}}),
			Timeouts:   wire.Timeouts{Authorize: 100 * time.Millisecond}})
		Expect(err).To(MatchError(ContainSubstring("nobody logged in within the time limit")))
	})

	DescribeTable("whose stored token is no good is an error before anything is sent",
		func(text string, mode os.FileMode, want string) {
			directory := GinkgoT().TempDir()
			h := handler(auth.Config{URL: "http://127.0.0.1:1/", Directory: directory})
			Expect(h.Token(context.Background())).To(BeEmpty())
			p := newProvider()
			_, err := capture(context.Background(), p, handler(auth.Config{URL: p.URL + "/mcp", Directory: directory}))
			Expect(err).NotTo(HaveOccurred())
			files, _ := filepath.Glob(filepath.Join(directory, "*.json"))
			Expect(files).To(HaveLen(1))
			if text != "" {
				Expect(os.WriteFile(files[0], []byte(text), 0o600)).To(Succeed())
			}
			Expect(os.Chmod(files[0], mode)).To(Succeed())
			_, err = auth.New(auth.Config{URL: p.URL + "/mcp", Directory: directory})
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(err.Error()).NotTo(ContainSubstring("access-token"))
		},
		Entry("readable by others", "", os.FileMode(0o644), "can be read by others (mode 644)"),
		Entry("broken", `{"token": access-token-1`, os.FileMode(0o600), "is no conform-token/1 file"),
		Entry("of another server", `{"format":"conform-token/1","url":"http://other","token":{"access_token":"x"}}`, os.FileMode(0o600), "for this server"),
	)

	It("cannot be logged in to by a machine without a secret", func() {
		_, err := auth.New(auth.Config{URL: "http://127.0.0.1:1/", Machine: true, ClientID: "x"})
		Expect(err).To(MatchError(ContainSubstring("needs a client id, and a client secret or a private key")))
	})
})
