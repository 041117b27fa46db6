package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hostmatrix/conform/fixture"
)

// httpserver starts a server on the loopback interface and sets $URL:
// httpserver unauthorized | fixture SET.
func httpserver(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: httpserver unauthorized | fixture SET")
	}
	var handler http.Handler
	switch args[0] {
	case "unauthorized":
		handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://example.com/meta"`)
			http.Error(w, "no token", http.StatusUnauthorized)
		})
	case "fixture":
		set, err := fixture.Find(args[1])
		ts.Check(err)
		handler = fixture.Handler(set)
	default:
		ts.Fatalf("httpserver: no kind %q", args[0])
	}
	server := httptest.NewServer(handler)
	ts.Defer(server.Close)
	ts.Setenv("URL", server.URL)
}
