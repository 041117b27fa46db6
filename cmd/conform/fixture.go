package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/fixture"
)

func (a *app) fixtureCommand() *cobra.Command {
	var set, address string
	var list bool
	cmd := &cobra.Command{
		Use:  "fixture",
		Args: noArgs("choose the tools with --set"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if list {
				for _, s := range fixture.Sets() {
					fmt.Fprintf(a.stdout, "%-22s %s\n", s.ID, s.About)
				}
				return nil
			}
			chosen, err := fixture.Find(set)
			if err != nil {
				return usage("--set: %w", err)
			}
			if address != "" {
				return a.serveHTTP(cmd.Context(), chosen, address)
			}
			err = fixture.Serve(cmd.Context(), chosen, a.stdin, a.stdout)
			if errors.Is(err, context.Canceled) {
				return &exitError{code: exitInterrupted}
			}
			return err
		},
	}
	helpFor(cmd, "fixture")
	cmd.Flags().StringVar(&set, "set", "demo", "tools to serve; --list prints the sets")
	cmd.Flags().StringVar(&address, "http", "", "serve Streamable HTTP at this address, e.g. :8080; a port alone listens on this machine only")
	cmd.Flags().BoolVar(&list, "list", false, "print the sets and end")
	return cmd
}

// serveHTTP serves until the context ends. A port without a host listens on the
// loopback interface only: the fixture is for tests.
func (a *app) serveHTTP(ctx context.Context, set fixture.Set, address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return usage("--http %s: needs HOST:PORT or :PORT", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return &exitError{exitUnreachable, fmt.Errorf("listening on %s: %w; choose another port, or :0 for any", address, err)}
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", fixture.Handler(set))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	fmt.Fprintf(a.stderr, "conform: serving set %s at http://%s/mcp\n", set.ID, listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
