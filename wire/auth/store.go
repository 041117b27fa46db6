package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/oauth2"
)

// saved is one stored token with what its refresh needs.
type saved struct {
	Format       string        `json:"format"` // conform-token/1
	URL          string        `json:"url"`
	ClientID     string        `json:"client_id"`
	ClientSecret string        `json:"client_secret,omitempty"`
	TokenURL     string        `json:"token_url"`
	AuthStyle    int           `json:"auth_style,omitempty"`
	Scopes       []string      `json:"scopes,omitempty"`
	Token        *oauth2.Token `json:"token"`
}

const tokenFormat = "conform-token/1"

func newSaved(url string, config *oauth2.Config, token *oauth2.Token) *saved {
	return &saved{Format: tokenFormat, URL: url, ClientID: config.ClientID, ClientSecret: config.ClientSecret,
		TokenURL: config.Endpoint.TokenURL, AuthStyle: int(config.Endpoint.AuthStyle), Scopes: config.Scopes, Token: token}
}

func (s *saved) config() *oauth2.Config {
	return &oauth2.Config{ClientID: s.ClientID, ClientSecret: s.ClientSecret, Scopes: s.Scopes,
		Endpoint: oauth2.Endpoint{TokenURL: s.TokenURL, AuthStyle: oauth2.AuthStyle(s.AuthStyle)}}
}

// store is the file of one server's token; the zero value stores nothing.
type store struct{ path, url string }

func newStore(directory, url string) store {
	if directory == "" {
		return store{}
	}
	name := sha256.Sum256([]byte(url))
	return store{filepath.Join(directory, hex.EncodeToString(name[:12])+".json"), url}
}

// load returns the stored token, nil when there is none.
func (s store) load() (*saved, error) {
	if s.path == "" {
		return nil, nil
	}
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the stored token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the stored token %s can be read by others (mode %o); make it 0600, or delete it and log in again", s.path, info.Mode().Perm())
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("reading the stored token: %w", err)
	}
	var v saved
	// The text of a JSON error may quote the token, so it is not passed on.
	if err := json.Unmarshal(text, &v); err != nil || v.Format != tokenFormat || v.Token == nil || v.URL != s.url {
		return nil, fmt.Errorf("the stored token %s is no %s file for this server; delete it and log in again", s.path, tokenFormat)
	}
	return &v, nil
}

// save writes the token so that only the user can read it, and so that a crash
// leaves the old file or the new one.
func (s store) save(v *saved) error {
	if s.path == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.path), 0o700)
	}
	if err != nil {
		return fmt.Errorf("storing the token: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(s.path), ".token-*") // 0600
	if err != nil {
		return fmt.Errorf("storing the token: %w", err)
	}
	_, err = temporary.Write(append(text, '\n'))
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), s.path)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("storing the token: %w", err)
	}
	return nil
}

// keeping stores a token whenever its source gives a new one. That it cannot be
// stored does not stop the run: the token works.
type keeping struct {
	source oauth2.TokenSource
	store  store

	mu    sync.Mutex
	saved *saved
}

func (k *keeping) current() *saved {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.saved
}

// Token returns the source's token.
func (k *keeping) Token() (*oauth2.Token, error) {
	token, err := k.source.Token()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if token.AccessToken != k.saved.Token.AccessToken {
		fresh := *k.saved
		fresh.Token = token
		k.saved = &fresh
		_ = k.store.save(k.saved)
	}
	return token, nil
}
