package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/process"
)

// Streams are the three streams that the host gave us.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Stdio runs the target's command between the host's streams and the server's
// until the server ends, or the host closes its end, or ctx ends. The server
// gets exactly target.Env: give it the environment that the host gave us. It
// returns the server's exit status (-1 for a signal), or an error when the
// command cannot be started.
func Stdio(ctx context.Context, target wire.Target, streams Streams, sink Sink, o Options) (status int, err error) {
	o = o.withDefaults()
	if len(target.Command) == 0 {
		return 0, errors.New("a stdio proxy needs the server's command")
	}
	server, err := process.Start(target.Command, target.Dir, target.Env)
	if err != nil {
		return 0, fmt.Errorf("starting %s: %w", target, err)
	}
	defer server.Release()
	r := newRecorder(sink, o)
	session := recording.ProxyPrefix + o.Mark
	hostLeft := make(chan struct{})
	go func() {
		// Not waited for: a read of our stdin cannot be interrupted.
		defer close(hostLeft)
		pass(server.Stdin, streams.In, o.MessageBytes, func(line []byte) { r.message(session, "client", kindOf(line), line) })
		server.Stdin.Close()
	}()
	var outputs sync.WaitGroup
	outputs.Go(func() {
		pass(streams.Out, server.Stdout, o.MessageBytes, func(line []byte) { r.message(session, "server", kindOf(line), line) })
	})
	outputs.Go(func() {
		pass(streams.Err, server.Stderr, o.MessageBytes, func(line []byte) { r.message(session, "server", "stderr", line) })
	})
	select {
	case <-server.Exited():
	case <-hostLeft:
		// A server that heeds the end of stdin may still have answers to write.
	case <-ctx.Done():
	}
	server.Stop(o.Stop)
	server.Unblock(time.Now().Add(o.Stop))
	outputs.Wait()
	return server.ExitCode(), nil
}

// pass hands bytes on as they come and gives every line to f, without its line
// break and before its last byte is handed on: else an answer might be recorded
// before its question.
func pass(to io.Writer, from io.Reader, max int, f func(line []byte)) {
	tap := &tap{max: max, line: f}
	_, _ = io.Copy(io.MultiWriter(tap, to), from)
	tap.flush()
}
