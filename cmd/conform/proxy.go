package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/proxy"
)

// recordBetween stands between a real host and a server. stdin and stdout belong
// to the two of them, so the recording needs a file.
func (a *app) recordBetween(ctx context.Context, o *runOptions, file, listen string) error {
	switch {
	case len(o.target.replay) > 0:
		return usage("--proxy needs a server, not --replay")
	case o.target.count() != 1:
		return usage("--proxy needs one server: a command after --, or --url")
	case file == "":
		return usage("--proxy needs a file for the recording, -o FILE: stdout belongs to the host")
	}
	target, err := o.target.wire()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return usage("-o: %w", err)
	}
	defer out.Close()
	if target.URL == "" {
		// The host gave us the environment that it means for the server.
		target.Env = append(os.Environ(), target.Env...)
	}
	redactor := recording.NewRedactor(target.Secrets()...)
	sink, err := recording.NewWriter(out, proxyHeader(target), redactor)
	if err != nil {
		return err
	}
	options := proxy.Options{MessageBytes: o.capture.limits.MessageBytes, Secret: redactor.Add, Warn: func(err error) { fmt.Fprintf(a.stderr, "conform: %v\n", err) }}
	if target.URL != "" {
		return a.proxyHTTP(ctx, target, sink, options, listen)
	}
	status, err := proxy.Stdio(ctx, target, proxy.Streams{In: a.stdin, Out: a.stdout, Err: a.stderr}, sink, options)
	switch {
	case err != nil:
		return &exitError{exitUnreachable, err}
	case ctx.Err() != nil:
		return &exitError{code: exitInterrupted}
	case status > 0:
		return &exitError{code: status} // the host sees what the server's own exit would have shown it
	}
	return nil
}

func proxyHeader(t wire.Target) recording.Header {
	h := recording.Header{Conform: version(), Recorded: time.Now().UTC().Format(time.RFC3339),
		Target: recording.Target{Name: t.Name, Transport: wire.Stdio, Command: t.Command, URL: t.URL}}
	if t.Name == "" {
		h.Target.Name = "server"
	}
	if t.URL != "" {
		h.Target.Transport = wire.StreamableHTTP
	}
	return h
}

func (a *app) proxyHTTP(ctx context.Context, target wire.Target, sink proxy.Sink, options proxy.Options, listen string) error {
	handler, err := proxy.NewHTTP(target, sink, options)
	if err != nil {
		return usage("--url: %w", err)
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return &exitError{exitUnreachable, fmt.Errorf("listening on %s: %w; choose another --listen", listen, err)}
	}
	if addr, ok := listener.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		listener.Close()
		return usage("--listen %s: a recording proxy listens on the loopback interface only", listen)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	fmt.Fprintf(a.stderr, "conform: point the host at http://%s/ ; interrupt to end the recording\n", listener.Addr())
	if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}
