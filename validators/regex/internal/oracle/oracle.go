// Package oracle asks the real engines what a pattern does, and reads and
// writes the goldens made from their answers.
package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/hostmatrix/conform/validators/regex"
)

// Case is one pattern with the strings it is tried on and what an engine
// answered: Error when it does not compile, else one boolean per string.
type Case struct {
	Pattern string
	Strings []string
	Error   string
	Matches []bool
}

// Dialects by their name in requests, file names and flags.
var Dialects = map[string]regex.Dialect{
	"ecma-u": regex.ECMAUnicode,
	"ecma":   regex.ECMA,
	"python": regex.Python,
	"java":   regex.Java,
}

// MarshalJSON writes a case on one line, in ASCII.
func (c Case) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, `{"p":%s,"s":[%s]`, Quote(c.Pattern), quoteAll(c.Strings))
	switch {
	case c.Error != "":
		fmt.Fprintf(&b, `,"e":%s`, Quote(c.Error))
	case c.Matches != nil:
		m, err := json.Marshal(c.Matches)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `,"m":%s`, m)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func quoteAll(ss []string) string {
	out := make([]string, len(ss))
	for i, s := range ss {
		out[i] = Quote(s)
	}
	return strings.Join(out, ",")
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Case) UnmarshalJSON(data []byte) error {
	var raw struct {
		P, E json.RawMessage
		S    []json.RawMessage
		M    []bool
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*c = Case{Matches: raw.M}
	var err error
	if raw.P != nil {
		if c.Pattern, err = Unquote(raw.P); err != nil {
			return err
		}
	}
	if raw.E != nil {
		if c.Error, err = Unquote(raw.E); err != nil {
			return err
		}
	}
	for _, r := range raw.S {
		s, err := Unquote(r)
		if err != nil {
			return err
		}
		c.Strings = append(c.Strings, s)
	}
	return nil
}

// ReadCases reads one case per line.
func ReadCases(r io.Reader) ([]Case, error) {
	var out []Case
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if len(strings.TrimSpace(in.Text())) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("reading case %d, %.80s: %w", len(out)+1, in.Text(), err)
		}
		out = append(out, c)
	}
	return out, in.Err()
}

// Engine is a running process of a real engine.
type Engine struct {
	dialect string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// Start runs the engine of a dialect; scripts is the folder with the oracle
// scripts.
func Start(dialect, scripts string) (*Engine, error) {
	var cmd *exec.Cmd
	switch dialect {
	case "ecma-u", "ecma":
		cmd = exec.Command("node", scripts+"/oracle.js")
	case "python":
		cmd = exec.Command("python3", scripts+"/oracle.py")
	case "java":
		cmd = exec.Command("java", scripts+"/Oracle.java")
	default:
		return nil, fmt.Errorf("starting an engine: no dialect %q", dialect)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the %s engine: %w", dialect, err)
	}
	return &Engine{dialect: dialect, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16)}, nil
}

// Ask fills in the engine's answers. It sends all cases before it reads, on
// a goroutine of its own, so that no pipe fills up.
func (e *Engine) Ask(cases []Case) error {
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(e.in)
		for _, c := range cases {
			fmt.Fprintf(w, `{"d":%s,"p":%s,"s":[%s]}`+"\n", Quote(e.dialect), Quote(c.Pattern), quoteAll(c.Strings))
		}
		sent <- w.Flush()
	}()
	for i := range cases {
		line, err := e.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("asking the %s engine about %q: %w", e.dialect, cases[i].Pattern, err)
		}
		var answer Case
		if err := json.Unmarshal(line, &answer); err != nil {
			return fmt.Errorf("reading the %s engine's answer %.200s: %w", e.dialect, line, err)
		}
		cases[i].Error, cases[i].Matches = answer.Error, answer.Matches
	}
	return <-sent
}

// Close ends the process.
func (e *Engine) Close() error {
	e.in.Close()
	return e.cmd.Wait()
}
