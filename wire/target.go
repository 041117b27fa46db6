package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/hostmatrix/conform/recording"
)

// Names of the transports, as they stand in [recording.Session.Transport].
const (
	Stdio          = "stdio"
	StreamableHTTP = "streamable-http"
	SSE            = "sse" // HTTP+SSE of 2024-11-05
)

// Target is a server: a command that speaks on stdin and stdout, or a URL.
type Target struct {
	// Name is the server's key in a host's configuration; "server" when empty.
	Name string
	// Command is the program and its arguments, for stdio.
	Command []string
	// Env is added to the base environment ([BaseEnv]) as NAME=value. Values of
	// variables whose name or look says secret are redacted wherever the server
	// sends them.
	Env []string
	// Dir is the working directory of the process; "" means ours.
	Dir string
	// URL is the endpoint, http or https.
	URL string
	// Headers are sent with every HTTP request; their values are secrets.
	Headers http.Header
	// Private are further texts that must never be shown, wherever they stand.
	Private []string
	// Transport forces [StreamableHTTP] or [SSE] on a URL; "" tries them in the
	// order of the specification.
	Transport string
	// Dial makes the connections to a URL; nil is the network. A server in this process
	// needs none.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// BaseEnv returns the variables of our own environment that every server
// process gets: enough to find programs and a home, and no secrets. The list is
// the TypeScript SDK's getDefaultEnvironment plus locale, time zone, temporary
// and XDG directories.
func BaseEnv() []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TZ", "TMPDIR",
			"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE",
			"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "PROGRAMFILES":
			env = append(env, entry)
		default:
			if strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
				env = append(env, entry)
			}
		}
	}
	return env
}

// String is the command line or URL with secrets redacted.
func (t Target) String() string {
	if t.URL != "" {
		return t.redactedURL()
	}
	return strings.Join(t.redactedCommand(), " ")
}

// describe returns the target as a capture names it.
func (t Target) describe() recording.Target {
	d := recording.Target{Name: t.Name, Transport: Stdio}
	if d.Name == "" {
		d.Name = "server"
	}
	if t.URL != "" {
		d.Transport, d.URL = StreamableHTTP, t.redactedURL()
		if t.Transport != "" {
			d.Transport = t.Transport
		}
		return d
	}
	d.Command = t.redactedCommand()
	return d
}

// check says what is wrong with the target, nil when nothing is.
func (t Target) check() *Error {
	fail := func(text, hint string) *Error {
		return &Error{Kind: KindUsage, On: t.String(), Text: text, Hint: hint}
	}
	switch {
	case t.URL == "" && (len(t.Command) == 0 || t.Command[0] == ""):
		return &Error{Kind: KindUsage, On: "target", Text: "neither a command nor a URL is given", Hint: "Give a command after -- or a --url"}
	case t.URL != "" && len(t.Command) > 0:
		return fail("both a command and a URL are given", "Give one of them")
	case t.URL == "":
		return nil
	}
	u, err := url.Parse(t.URL)
	if err != nil {
		// url.Error quotes the whole URL, which may hold a secret.
		return fail("the URL cannot be parsed", "Give an absolute http:// or https:// URL")
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fail(fmt.Sprintf("the URL has the scheme %q and the host %q", u.Scheme, u.Host), "Give an absolute http:// or https:// URL")
	}
	switch t.Transport {
	case "", StreamableHTTP, SSE:
		return nil
	}
	return fail(fmt.Sprintf("no transport is called %q", t.Transport), "Use "+StreamableHTTP+" or "+SSE)
}
