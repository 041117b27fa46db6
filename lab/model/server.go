package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hostmatrix/conform/schema"
)

// maxBody bounds a request, in bytes: a whole conversation comes with each one.
const maxBody = 64 << 20

// Server is the model as an HTTP handler.
type Server struct {
	mu     sync.Mutex
	script *script
	log    io.Writer
	asked  time.Time // when the call that is pending was made
}

// New returns a model that will make the calls of plan, in order. Every request is
// written to log as one line of JSON.
func New(plan []Step, log io.Writer) *Server { return &Server{script: newScript(plan), log: log} }

// Record returns what the model saw so far.
func (s *Server) Record() Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script.finish()
}

// Pending returns the probe whose call the host has not answered, and for how long;
// "" when it is the host's turn for no call.
func (s *Server) Pending() (string, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script.pending, time.Since(s.asked)
}

// face is the HTTP interface of one vendor.
type face struct {
	name    string
	matches func(path string) bool
	read    func(body *schema.Value) request
	write   func(e emitter, body *schema.Value, t turn)
}

var faces = []face{chatFace, responsesFace, messagesFace, geminiFace}

// ServeHTTP answers a conversation by the script and everything else that hosts
// ask (model lists, token counts) with the least that satisfies them.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(r, data)
	e := emitter{w: w, path: r.URL.Path, n: s.script.record.Requests + 1}
	for _, f := range faces {
		if !f.matches(r.URL.Path) {
			continue
		}
		body, err := schema.Parse(data, schema.Limits{})
		if err != nil {
			http.Error(w, "not JSON: "+err.Error(), http.StatusBadRequest)
			return
		}
		t := s.script.next(f.read(body))
		s.script.pending, s.asked = s.script.calls[t.id].Probe, time.Now()
		f.write(e, body, t)
		return
	}
	s.script.record.Side = appendNew(s.script.record.Side, r.Method+" "+r.URL.Path)
	e.side()
}

// write logs a request; the log is evidence, so a failure to write it is told.
func (s *Server) write(r *http.Request, body []byte) {
	entry := map[string]any{"method": r.Method, "path": r.URL.RequestURI()}
	if json.Valid(body) {
		entry["body"] = json.RawMessage(body)
	} else {
		entry["text"] = string(body)
	}
	line, err := json.Marshal(entry)
	if err == nil {
		_, err = s.log.Write(append(line, '\n'))
	}
	if err != nil {
		s.script.record.Side = appendNew(s.script.record.Side, fmt.Sprintf("log: %v", err))
	}
}

func appendNew(list []string, item string) []string {
	for _, have := range list {
		if have == item {
			return list
		}
	}
	return append(list, item)
}

// emitter writes answers in the shapes that all interfaces share.
type emitter struct {
	w    http.ResponseWriter
	path string
	n    int // number of the request, for ids
}

func (e emitter) json(v any) { e.status(http.StatusOK, v) }

func (e emitter) status(code int, v any) {
	e.w.Header().Set("Content-Type", "application/json")
	e.w.WriteHeader(code)
	_, _ = e.w.Write(encode(v)) // a host that hung up is seen by its missing answer
}

// stream writes server-sent events; an event that has a "type" is named by it.
func (e emitter) stream(named bool, events ...any) {
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("Cache-Control", "no-cache")
	for _, event := range events {
		if m, ok := event.(map[string]any); ok && named {
			fmt.Fprintf(e.w, "event: %s\n", m["type"])
		}
		if text, ok := event.(string); ok {
			fmt.Fprintf(e.w, "data: %s\n\n", text)
			continue
		}
		fmt.Fprintf(e.w, "data: %s\n\n", encode(event))
	}
}

func encode(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only maps, slices, strings and raw JSON of our own
	}
	return []byte(strings.TrimRight(b.String(), "\n"))
}

// side answers what is no conversation.
func (e emitter) side() {
	switch {
	case strings.Contains(e.path, "/models"):
		e.json(map[string]any{"object": "list", "data": []any{map[string]any{"id": "fake-model", "object": "model", "created": 1, "owned_by": "lab"}}, "models": []any{}})
	case strings.Contains(e.path, "count_tokens"):
		e.json(map[string]any{"input_tokens": 10})
	case strings.HasSuffix(e.path, "countTokens"):
		e.json(map[string]any{"totalTokens": 10})
	default:
		e.status(http.StatusNotFound, map[string]any{"error": map[string]any{"message": "not in the lab", "type": "not_found"}})
	}
}

// raw keeps JSON as it is written.
func raw(v *schema.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	return json.RawMessage(v.Compact())
}

func str(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}

func items(v *schema.Value) []*schema.Value {
	if v == nil || v.Kind != schema.Array {
		return nil
	}
	return v.Items
}
