package main

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostmatrix/conform/wire"
)

// targetOptions name the server to talk to, or the files to replay.
type targetOptions struct {
	command   []string
	url       string
	headers   []string
	others    []string // headers of a second identity
	variants  []string // of --url: other queries or addresses
	env       []string
	dir       string
	name      string
	transport string
	replay    []string
	config    configOptions
	live      *wire.Target // a server of a configuration, already read
}

func (t *targetOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.url, "url", "", "endpoint of a server over HTTP")
	f.StringArrayVar(&t.headers, "header", nil, "HTTP header, 'Name: value' or 'Name: $VARIABLE' to keep a secret off the command line; repeatable")
	f.StringArrayVar(&t.others, "second-header", nil, "like --header, for a second identity whose lists are compared under --protocol all; repeatable")
	f.StringArrayVar(&t.variants, "variant", nil, "another query ('?key=value') or address of the same --url, at which calls are made again under --protocol all and their structuredContent compared; repeatable")
	f.StringArrayVar(&t.env, "env", nil, "environment variable for the server, NAME (its value here) or NAME=value; repeatable")
	f.StringVar(&t.dir, "dir", "", "working directory of the server command")
	f.StringVar(&t.name, "name", "", "the server's key in a host's configuration, which many hosts put into tool names")
	f.StringVar(&t.transport, "transport", "", "transport of --url: streamable-http or sse; without it both are tried")
	t.config.flags(f)
	f.StringArrayVar(&t.replay, "replay", nil, "recording or case file to evaluate in place of a server; repeatable")
}

// positional takes the command after --; anything before it is a mistake.
func (t *targetOptions) positional(cmd *cobra.Command, args []string) error {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if dash > 0 && takesWatched(cmd, args[0]) {
		args, dash = args[1:], dash-1
	}
	if dash > 0 {
		shown := wire.Target{Command: args}
		return usage("unexpected argument %q; the server's command comes after --, as in `%s -- %s`",
			args[0], cmd.CommandPath(), shown)
	}
	t.command = args[dash:]
	switch {
	case len(t.config.servers) > 0 && !t.config.given():
		return usage("--server takes a server out of a configuration; name that with --config or --from")
	case len(t.variants) > 0 && t.url == "" && !t.config.given():
		return usage("--variant is about the address of a server; it needs --url")
	case len(t.config.inputs) > 0 && !t.config.given():
		return usage("--input is for what a configuration asks for; name that with --config or --from")
	}
	return nil
}

// takesWatched takes a folder or file that follows --watch for its value: the flag
// works without one, so the parser leaves the word behind.
func takesWatched(cmd *cobra.Command, word string) bool {
	flag := cmd.Flags().Lookup("watch")
	if flag == nil || !flag.Changed {
		return false
	}
	paths, ok := flag.Value.(pflag.SliceValue)
	if !ok {
		return false
	}
	given := paths.GetSlice()
	if _, err := os.Stat(word); err != nil || len(given) != 1 || given[0] != flag.NoOptDefVal {
		return false
	}
	return paths.Replace([]string{word}) == nil
}

// count is how many kinds of target were given.
func (t *targetOptions) count() int {
	n := 0
	for _, given := range []bool{len(t.command) > 0, t.url != "", len(t.replay) > 0, t.config.given() || t.live != nil} {
		if given {
			n++
		}
	}
	return n
}

// wire returns the live target.
func (t *targetOptions) wire() (wire.Target, error) {
	if t.config.given() && t.live == nil {
		targets, err := t.config.targets(func(string, ...any) {})
		if err != nil {
			return wire.Target{}, err
		}
		if len(targets) > 1 {
			return wire.Target{}, usage("%s names %d servers; take one with --server: %s", t.config.name(), len(targets), strings.Join(namesOf(targets), ", "))
		}
		t.live = &targets[0]
	}
	out := wire.Target{Name: t.name, Command: t.command, Dir: t.dir, URL: t.url, Transport: t.transport}
	if t.live != nil {
		out = *t.live
	}
	for _, e := range t.env {
		name, _, given := strings.Cut(e, "=")
		if name == "" {
			return out, usage("--env %q: needs the name of a variable", e)
		}
		if !given {
			value, set := os.LookupEnv(name)
			if !set {
				return out, usage("--env %s: no such variable is set here; set it, or give --env %s=value", name, name)
			}
			e = name + "=" + value
		}
		out.Env = append(out.Env, e)
	}
	given, err := headers("--header", t.headers)
	if out.Headers = maps.Clone(out.Headers); out.Headers == nil {
		out.Headers = given
	} else {
		maps.Copy(out.Headers, given)
	}
	return out, err
}

// second is the target under the second identity, nil when none is given.
func (t *targetOptions) second(target wire.Target) (*wire.Target, error) {
	if len(t.others) == 0 {
		return nil, nil
	}
	h, err := headers("--second-header", t.others)
	if err != nil {
		return nil, err
	}
	target.Headers = h
	return &target, nil
}

// variantsOf are the target at the addresses of --variant.
func (t *targetOptions) variantsOf(target wire.Target) (out []wire.Target, err error) {
	for _, v := range t.variants {
		if target.URL == "" {
			return nil, usage("--variant %q: is about the address of a server; it needs --url", v)
		}
		base, err := url.Parse(target.URL)
		if err != nil {
			return nil, usage("--url %q: %w", target.URL, err)
		}
		other, err := base.Parse(v)
		if err != nil || other.Host != base.Host || other.Scheme != base.Scheme {
			return nil, usage("--variant %q: needs a query such as '?key=value', or another path of %s", v, base.Host)
		}
		if strings.HasPrefix(v, "?") { // added to what the address has
			query := base.Query()
			maps.Copy(query, other.Query())
			other.RawQuery = query.Encode()
		}
		variant := target
		variant.URL = other.String()
		out = append(out, variant)
	}
	return out, nil
}

// headers reads "Name: value" and "Name: $VARIABLE"; nil for none.
func headers(flag string, lines []string) (http.Header, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	out := http.Header{}
	for _, h := range lines {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" {
			return nil, usage("%s: needs 'Name: value', got a text without a colon", flag)
		}
		if variable, isVariable := strings.CutPrefix(value, "$"); isVariable {
			if value = os.Getenv(variable); value == "" {
				return nil, usage("%s %s: the variable %s is not set or empty", flag, name, variable)
			}
		}
		out.Add(name, value)
	}
	return out, nil
}
