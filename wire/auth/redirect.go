package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/auth"
)

// callbackPath is where the authorization server sends the person back to.
const callbackPath = "/callback"

// redirect listens on loopback for the end of a login.
type redirect struct {
	listener net.Listener
	server   *http.Server
	results  chan outcome
}

type outcome struct {
	result *sdk.AuthorizationResult
	err    error
}

// listen opens the port; 0 takes a free one.
func listen(port int) (*redirect, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listening for the end of the login: %w", err)
	}
	r := &redirect{listener: listener, results: make(chan outcome, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+callbackPath, r.callback)
	r.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.server.Serve(listener) }()
	return r, nil
}

func (r *redirect) address() string { return "http://" + r.listener.Addr().String() + callbackPath }

// callback takes the answer of the authorization server. Its texts are not shown
// in the page: they come from outside.
func (r *redirect) callback(w http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	o := outcome{result: &sdk.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}}
	message := "You are logged in. This window can be closed."
	if o.result.Code == "" {
		o = outcome{err: fmt.Errorf("the authorization server refused: %q %q", query.Get("error"), query.Get("error_description"))}
		message = "The login failed; the terminal says why."
	}
	select {
	case r.results <- o:
	default: // nobody waits, or a second answer: the first counts
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, message+"\n")
}

// drain forgets what came back from an earlier login.
func (r *redirect) drain() {
	select {
	case <-r.results:
	default:
	}
}

// wait returns what came back, until ctx ends.
func (r *redirect) wait(ctx context.Context) (*sdk.AuthorizationResult, error) {
	select {
	case o := <-r.results:
		return o.result, o.err
	case <-ctx.Done():
		return nil, errors.New("nobody logged in within the time limit")
	}
}

func (r *redirect) close() error { return r.server.Close() }
