package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hostmatrix/conform/schema"
)

// Opened is one file that stands for what a server said.
type Opened struct {
	Path    string
	Capture *Capture
	Case    *Case // nil when the file is no case
}

// Open reads files of any kind that conform understands: case files, recordings,
// session logs of mcpsnoop, what MCP Inspector exports, logs in whose lines JSON-RPC
// messages stand, alone or among other text, and a bare result of tools/list (what MCP
// Inspector's CLI prints) or the answer that holds it. Files are returned
// one by one, in order; [Merge] makes one capture of several about one server.
func Open(limits Limits, paths ...string) ([]Opened, error) {
	limits = limits.withDefaults()
	var out []Opened
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("opening a recording: %w", err)
		}
		data, err := io.ReadAll(io.LimitReader(file, limits.Bytes+1))
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		if int64(len(data)) > limits.Bytes {
			return nil, &FormatError{path, "", fmt.Sprintf("exceeds the limit of %d bytes a file", limits.Bytes)}
		}
		opened, err := Detect(path, data, limits)
		if err != nil {
			return nil, err
		}
		out = append(out, opened)
	}
	return out, nil
}

// Detect reads the content of one file, see [Open].
func Detect(path string, data []byte, limits Limits) (Opened, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	whole, err := schema.Parse(data, caseLimits)
	var limit *schema.LimitError
	switch {
	case errors.As(err, &limit):
		return Opened{}, syntaxFault(path, err)
	case err == nil && whole.Kind == schema.Array:
		c, err := readArray(path, data, whole)
		if c == nil && err == nil {
			err = unknownKind(path)
		}
		return Opened{Path: path, Capture: c}, err
	case err == nil && whole.Get("format") == nil && whole.Get("id") == nil && whole.Get("tools") != nil:
		c, err := fromList(path, whole)
		return Opened{Path: path, Capture: c}, err
	case err == nil && whole.Get("format") == nil && whole.Get("result").Get("tools") != nil:
		c, err := fromList(path, whole.Get("result"))
		return Opened{Path: path, Capture: c}, err
	case err == nil && (isResult(whole) || isResult(whole.Get("result"))):
		return Opened{}, &FormatError{path, "", "is the result of a call and names no tool; record the session in place of it, or put it into a case (conform-case/1) with its tool"}
	case err == nil && !isLine(whole):
		c, err := readCase(path, whole)
		if err != nil {
			return Opened{}, err
		}
		return Opened{Path: path, Capture: c.Capture(), Case: c}, nil
	}
	first, firstErr := schema.Parse(firstLine(data), caseLimits)
	switch {
	case firstErr != nil && err != nil && !bytes.Contains(bytes.TrimSpace(data), []byte("\n")):
		return Opened{}, syntaxFault(path, err)
	case firstErr != nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{\n")), firstErr != nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{\r\n")):
		return Opened{}, syntaxFault(path, err) // a document over several lines that is broken
	case firstErr != nil:
		c, err := readText(path, data, limits)
		if c == nil && err == nil {
			err = unknownKind(path)
		}
		return Opened{Path: path, Capture: c}, err
	}
	var c *Capture
	switch {
	case first.Has("format"):
		c, err = Read(path, bytes.NewReader(data), limits)
	case isSnoop(first):
		c, err = readLog(path, data, limits, snoopMessage)
	case isRPC(first):
		c, err = readLog(path, data, limits, plainMessage)
	default:
		err = unknownKind(path)
	}
	return Opened{Path: path, Capture: c}, err
}

func unknownKind(path string) error {
	return &FormatError{path, "", "is neither a case (conform-case/1), nor a recording (conform-recording/1), nor a log of JSON-RPC messages, one a line"}
}

func firstLine(data []byte) []byte {
	data = bytes.TrimSpace(data)
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return data[:i]
	}
	return data
}

// isLine tells a file of a single line that belongs to a log or recording from a
// case.
func isLine(v *schema.Value) bool {
	format, _ := v.Get("format").IsString()
	return isRPC(v) || isSnoop(v) || bytes.HasPrefix([]byte(format), []byte("conform-recording/"))
}

// isResult reports whether a document is what tools/call gives.
func isResult(v *schema.Value) bool {
	content := v.Get("content")
	return v.Get("format") == nil && content != nil && content.Kind == schema.Array
}

func isRPC(v *schema.Value) bool { return v.Has("jsonrpc") }

func isSnoop(v *schema.Value) bool { return v.Has("session_id") && v.Has("direction") }

// fromList makes a capture of a bare tools/list result, which names no revision.
func fromList(path string, result *schema.Value) (*Capture, error) {
	if tools := result.Get("tools"); tools.Kind != schema.Array {
		return nil, &FormatError{path, "/tools", "must be an array, is " + kindOf(tools)}
	}
	s := &Session{ID: "list"}
	s.Negotiated, s.Era = revisionOf(result)
	s.Requested = s.Negotiated
	s.AddPage(Page{Result: result, Bytes: sizeOf(result)})
	return &Capture{Target: Target{Name: "server"}, Sessions: []*Session{s}}, nil
}

// Merge makes one capture of several that are about one server: the sessions of
// all, renamed where two have the same id. The first names the target.
func Merge(captures ...*Capture) *Capture {
	out := &Capture{}
	for i, c := range captures {
		if i == 0 {
			out.Target = c.Target
		}
		out.Recorded = max(out.Recorded, c.Recorded)
		renamed := map[string]string{}
		for _, s := range c.Sessions {
			copied := *s
			copied.ID = out.freeID(s.ID)
			renamed[s.ID] = copied.ID
			out.Sessions = append(out.Sessions, &copied)
		}
		out.Probes = append(out.Probes, c.Probes...)
		for _, s := range c.Probes {
			renamed[s.ID] = s.ID
		}
		for _, p := range c.Problems {
			if p.Session != "" {
				p.Session = renamed[p.Session]
			}
			out.Problems = append(out.Problems, p)
		}
	}
	return out
}
