package conformtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// Command is the program of a server and its arguments, spoken to on stdin and
// stdout.
type Command []string

// Replay names recording or case files of one server.
type Replay []string

// Handler answers one JSON-RPC message of a client; nil is no answer, as to a
// notification. The answer is encoded as JSON.
type Handler func(ctx context.Context, message json.RawMessage) any

// target is a server in one of its forms: live, or captured already.
type target struct {
	live    wire.Target
	capture *recording.Capture
	close   func()
}

// targetOf finds out what a test gave as its server.
func targetOf(server any) (target, error) {
	none := func() {}
	switch s := server.(type) {
	case *mcp.Server:
		if s == nil {
			return target{}, fmt.Errorf("the *mcp.Server is nil; give the one that mcp.NewServer returned")
		}
		return serve(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)), nil
	case http.Handler: // a Handler is one
		return serve(s), nil
	case func(context.Context, json.RawMessage) any:
		return serve(Handler(s)), nil
	case *httptest.Server:
		return target{live: wire.Target{URL: s.URL}, close: none}, nil
	case *url.URL:
		return target{live: wire.Target{URL: s.String()}, close: none}, nil
	case wire.Target:
		return target{live: s, close: none}, nil
	case *recording.Capture:
		return target{capture: s}, nil
	case Replay:
		return replay(s...)
	case Command:
		return command(s, nil, "")
	case []string:
		return command(s, nil, "")
	case *exec.Cmd:
		return command(append([]string{s.Path}, s.Args[min(1, len(s.Args)):]...), s.Env, s.Dir)
	case string:
		if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
			return target{live: wire.Target{URL: s}, close: none}, nil
		}
		if _, err := os.Stat(s); err != nil {
			return target{}, fmt.Errorf("%q is neither a URL nor a file that can be read (%w); a command is written conformtest.Command{%q}", s, err, s)
		}
		return replay(s)
	}
	if h := handlerOf(server); h != nil {
		return serve(h), nil
	}
	return target{}, fmt.Errorf("a %T is no server; give a *mcp.Server, an http.Handler, a conformtest.Handler, a conformtest.Command, a URL or a recording", server)
}

// handlerOf finds the method by which mcp-go's *server.MCPServer answers messages
// within a process (seen in v1.2.1). Its result has a type of that module, so no
// interface of ours describes the method; this package does not need the module.
func handlerOf(server any) Handler {
	method := reflect.ValueOf(server)
	if method.IsValid() {
		method = method.MethodByName("HandleMessage")
	}
	if !method.IsValid() {
		return nil
	}
	t := method.Type()
	if t.NumIn() != 2 || t.In(0) != reflect.TypeFor[context.Context]() || t.In(1) != reflect.TypeFor[json.RawMessage]() || t.NumOut() != 1 {
		return nil
	}
	return func(ctx context.Context, message json.RawMessage) any {
		return method.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(message)})[0].Interface()
	}
}

func command(args, env []string, dir string) (target, error) {
	if len(args) == 0 {
		return target{}, fmt.Errorf("the command is empty")
	}
	return target{live: wire.Target{Command: slices.Clone(args), Env: env, Dir: dir}, close: func() {}}, nil
}

func replay(files ...string) (target, error) {
	opened, err := recording.Open(recording.Limits{}, files...)
	if err != nil {
		return target{}, err
	}
	captures := make([]*recording.Capture, len(opened))
	for i, o := range opened {
		captures[i] = o.Capture
	}
	return target{capture: recording.Merge(captures...)}, nil
}

// maxMessage bounds one message of our own client, in bytes.
const maxMessage = 64 << 20

// ServeHTTP is the least of Streamable HTTP: a message in, its answer out.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "this server has no stream of its own", http.StatusMethodNotAllowed)
		return
	}
	message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := h(r.Context(), message)
	if answer == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	body, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, fmt.Sprintf("the answer of the handler does not encode: %v", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}
