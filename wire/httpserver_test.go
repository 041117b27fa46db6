package wire_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
)

// exchange is one POST at a test server.
type exchange struct {
	http.ResponseWriter
	request
	r *http.Request
}

// json answers with a body of application/json.
func (x exchange) json(status int, body string) {
	x.Header().Set("Content-Type", "application/json")
	x.WriteHeader(status)
	_, _ = io.WriteString(x, body)
}

// stream answers with an event stream, written and flushed piece by piece.
func (x exchange) stream(pieces ...string) {
	x.Header().Set("Content-Type", "text/event-stream")
	x.WriteHeader(http.StatusOK)
	for _, piece := range pieces {
		_, _ = io.WriteString(x, piece)
		x.ResponseWriter.(http.Flusher).Flush()
	}
}

// serve starts an HTTP server that answers as an honest legacy one does, but for
// the methods in special. "GET" and "DELETE" are the HTTP methods.
func serve(special map[string]func(exchange)) *httptest.Server {
	server := newServer(special)
	DeferCleanup(server.Close)
	return server
}

func newServer(special map[string]func(exchange)) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		x := exchange{w, parseRequest(body), r}
		if r.Method != http.MethodPost {
			x.method = r.Method
		}
		if answer := special[x.method]; answer != nil {
			answer(x)
			return
		}
		if answer := special["*"]; answer != nil {
			answer(x)
			return
		}
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case x.id == "":
			w.WriteHeader(http.StatusAccepted)
		default:
			x.json(http.StatusOK, honest(x.request))
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	return server
}

// only answers one method specially.
func only(method string, answer func(exchange)) *httptest.Server {
	return serve(map[string]func(exchange){method: answer})
}

func status(code int, headers ...string) func(exchange) {
	return func(x exchange) {
		for i := 0; i < len(headers); i += 2 {
			x.Header().Set(headers[i], headers[i+1])
		}
		x.WriteHeader(code)
		_, _ = io.WriteString(x, "sorry \x1b[1m")
	}
}

// bomb is 64 MB in 64 kB.
var bomb = sync.OnceValue(func() []byte { return gzipped(io.MultiReader(strings.NewReader("data: "), zeros(64<<20))) })

func gzipped(body io.Reader) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.Copy(w, body)
	_ = w.Close()
	return b.Bytes()
}

// zeros is n bytes of "0".
func zeros(n int64) io.Reader { return io.LimitReader(zeroReader{}, n) }

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// chop splits a text into pieces of one byte.
func chop(s string) []string { return strings.Split(s, "") }
