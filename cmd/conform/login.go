package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/auth"
)

// loginOptions say how to get access to a server that wants OAuth.
type loginOptions struct {
	storedOnly   bool
	machine      bool
	clientID     string
	secretEnv    string
	keyFile      string
	metadataURL  string
	scopes       []string
	redirectPort int
	tokens       string
}

func (l *loginOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&l.storedOnly, "stored-auth-only", false, "use stored tokens and never ask a person to log in; without a terminal it is always so")
	f.BoolVar(&l.machine, "client-credentials", false, "log in as a machine: needs --client-id, and a secret or a key")
	f.StringVar(&l.clientID, "client-id", "", "id of an OAuth client that was registered before; without it one is registered")
	f.StringVar(&l.secretEnv, "client-secret-env", "", "environment variable that holds the client's secret")
	f.StringVar(&l.keyFile, "client-key", "", "file with the client's private key (PEM), which signs in place of a secret")
	f.StringVar(&l.metadataURL, "client-metadata-url", "", "address of a client id metadata document, for servers that take one")
	f.StringSliceVar(&l.scopes, "scope", nil, "scope to ask for in place of those that the server names; repeatable")
	f.IntVar(&l.redirectPort, "redirect-port", 0, "port of this machine to which the browser returns after a login; 0: a free one")
	f.StringVar(&l.tokens, "token-dir", "", "folder of stored tokens (default conform/tokens in the user's configuration folder)")
}

// authorizer returns what gets tokens for a target over HTTP, nil for others and
// for those with an Authorization header of their own. The caller closes it.
func (l *loginOptions) authorizer(target wire.Target, stderr io.Writer) (*auth.Handler, error) {
	if target.URL == "" || target.Headers.Get("Authorization") != "" {
		return nil, nil
	}
	config := auth.Config{URL: target.URL, ClientID: l.clientID, Machine: l.machine, MetadataURL: l.metadataURL,
		Scopes: l.scopes, RedirectPort: l.redirectPort, Directory: l.tokens,
		StoredOnly: l.storedOnly || terminal(stderr) == 0 && !l.machine}
	if config.Directory == "" {
		if dir, err := os.UserConfigDir(); err == nil {
			config.Directory = filepath.Join(dir, "conform", "tokens")
		}
	}
	if l.secretEnv != "" {
		if config.ClientSecret = os.Getenv(l.secretEnv); config.ClientSecret == "" {
			return nil, usage("--client-secret-env %s: the variable is not set or empty", l.secretEnv)
		}
	}
	if l.keyFile != "" {
		key, err := os.ReadFile(l.keyFile)
		if err != nil {
			return nil, usage("--client-key: %w", err)
		}
		config.PrivateKey = string(key)
	}
	config.Show = func(address string) {
		fmt.Fprintf(stderr, "conform: the server wants a login; open this address in a browser:\n  %s\n", wire.Printable([]byte(address), 4000))
	}
	handler, err := auth.New(config)
	if err != nil {
		return nil, usage("logging in to %s: %w", target, err)
	}
	return handler, nil
}
