package conformtest

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/hostmatrix/conform/wire"
)

// memory is a network of one host within the process: no port is opened, so that a
// match works in a sandbox and beside any number of others.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

// Accept implements net.Listener.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (m *memory) Close() error {
	m.close.Do(func() { close(m.done) })
	return nil
}

// Addr implements net.Listener.
func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "localhost:80" }

func (m *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case m.conns <- server:
		return client, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve answers in memory until the match is over.
func serve(h http.Handler) target {
	m := &memory{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(m) }()
	return target{live: wire.Target{URL: "http://localhost/mcp", Dial: m.dial}, close: func() { _ = server.Close() }}
}
