package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/lab/serve"
)

func (a *app) labServeCommand() *cobra.Command {
	var address, era, out, catalogue string
	var servers []string
	cmd := &cobra.Command{
		Use:  "serve HOST VERSION",
		Args: exactly(2, "the host's id in the table, and its version"),
		RunE: func(cmd *cobra.Command, args []string) error {
			probes, err := probe.Open(catalogue)
			if err != nil {
				return usage("%w", err)
			}
			chosen, err := probeServers(probes, servers)
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "conform-lab-")
			if err != nil {
				return err
			}
			session, err := serve.Open(args[0], args[1], chosen, probe.Era(era), filepath.Join(dir, "probes.jsonl"))
			if err != nil {
				return errors.Join(usage("%w", err), os.RemoveAll(dir))
			}
			defer session.Close()
			if session.Program, err = probeProgram(catalogue); err != nil {
				return err
			}
			if err := a.serveLab(cmd, session, address); err != nil {
				return err
			}
			if nothing, err := session.Nothing(); err != nil || nothing {
				a.warn("nothing arrived: no observation file is written")
				return errors.Join(err, os.RemoveAll(dir))
			}
			path, err := saveServed(session, probes, out)
			if err != nil {
				return fmt.Errorf("%w; what arrived is in %s", err, session.LogPath)
			}
			fmt.Fprintln(a.stdout, path)
			return os.RemoveAll(dir)
		},
	}
	helpFor(cmd, "lab-serve")
	cmd.Flags().StringVar(&address, "http", "127.0.0.1:8090", "address to serve at")
	cmd.Flags().StringVar(&era, "era", string(probe.Dual), "legacy, modern or dual")
	cmd.Flags().StringVar(&catalogue, "catalogue", "", "file with probes of your own (conform-probes/1) in place of the lab's")
	cmd.Flags().StringSliceVar(&servers, "servers", nil, "only these probe servers")
	cmd.Flags().StringVar(&out, "out", observationsDir, "folder for the observation file")
	return cmd
}

// probeProgram is how a host starts a probe server of a catalogue over stdio.
func probeProgram(catalogue string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	words := []string{self, "lab", "probe-server"}
	if catalogue == "" {
		return words, nil
	}
	// The host starts it in a folder of its own.
	path, err := filepath.Abs(catalogue)
	return append(words, "--catalogue", path), err
}

// probeServers are those of a catalogue that are named, or all that stand together.
func probeServers(c *probe.Catalogue, names []string) ([]probe.Server, error) {
	if len(names) == 0 {
		return slices.DeleteFunc(c.Servers, func(s probe.Server) bool { return s.Apart }), nil
	}
	for _, name := range names {
		if _, ok := c.Server(name); !ok {
			return nil, usage("--servers %s: no such probe server; conform lab list --probes lists them", name)
		}
	}
	return slices.DeleteFunc(c.Servers, func(s probe.Server) bool { return !slices.Contains(names, s.Name) }), nil
}

// serveLab serves until the person ends it.
func (a *app) serveLab(cmd *cobra.Command, session *serve.Session, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return &exitError{exitUnreachable, fmt.Errorf("listening on %s: %w; choose another address with --http", address, err)}
	}
	server := &http.Server{Handler: session.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-cmd.Context().Done()
		server.Close()
	}()
	a.warn("open http://%s/ for what to do; end with Ctrl-C", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// saveServed writes what arrived.
func saveServed(session *serve.Session, c *probe.Catalogue, out string) (string, error) {
	run, err := session.Run()
	if err != nil {
		return "", err
	}
	f := lab.Collect(session.Host, session.Version, time.Now().UTC().Format(time.DateOnly), nil, c, []lab.Batch{{Run: run}})
	f.Header.Origin = serve.Origin
	f.Lines = slices.DeleteFunc(f.Lines, func(l observe.Line) bool { return l.Offered == nil && l.Seen == nil && l.Called == 0 })
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	return f.Save(out)
}
