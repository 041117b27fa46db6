package oracle

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// ErrTimeout is wrapped by the error of Ask and AskAll when no answer came within
// the process's Patience: a pattern that runs away, for instance. The process has
// been killed then; start another.
var ErrTimeout = errors.New("the real library did not answer in time")

// defaultPatience covers the start of a runtime on a busy machine.
const defaultPatience = 60 * time.Second

// Process is a running oracle of one profile. It is not safe for concurrent use.
type Process struct {
	// Patience is the longest wait for one answer line (default 60 s).
	Patience time.Duration

	profile string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stderr  tail
	lines   chan []byte // answer lines; closed at the end of the output
	dead    error       // why the process cannot be asked any more
}

// Start starts the runner of a profile. It ends with ctx, or by Close. Errors
// wrap [ErrNotInstalled] when the library is not there.
func Start(ctx context.Context, profile string) (*Process, error) {
	return start(ctx, profile)
}

// start is Start with further arguments to the runner.
func start(ctx context.Context, profile string, arguments ...string) (*Process, error) {
	dir, err := locate(profile)
	if err != nil {
		return nil, err
	}
	cache, err := CacheDir()
	if err != nil {
		return nil, err
	}
	rt := oracles[profile]
	scripts, err := rt.scripts(cache)
	if err != nil {
		return nil, err
	}
	argv := append(rt.command(scripts, dir, profile), arguments...)
	p := &Process{Patience: defaultPatience, profile: profile, lines: make(chan []byte, 64)}
	p.cmd = exec.CommandContext(ctx, argv[0], argv[1:]...)
	// A fixed hash seed, in case more of Python's words follow the order of a set.
	p.cmd.Env = append(p.cmd.Environ(), "CONFORM_ORACLE_CACHE="+cache, "PYTHONHASHSEED=0")
	p.cmd.Stderr = &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the oracle of %s (%s): %w", profile, argv[0], err)
	}
	go p.read(stdout)
	return p, nil
}

func (p *Process) read(stdout io.Reader) {
	defer close(p.lines)
	r := bufio.NewReaderSize(stdout, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		p.lines <- line
	}
}

// Ask sends one schema with its instances, each as JSON text, and waits for the
// answer. Text that is not JSON is an error, not a verdict.
func (p *Process) Ask(schema string, instances []string) (Answer, error) {
	answers, err := p.AskAll([]Request{{schema, instances}})
	if err != nil {
		return Answer{}, err
	}
	return answers[0], nil
}

// AskAll sends many requests in one go and returns the answers in order. On an
// error the answers received so far are returned with it; the request that
// failed is the one after them.
func (p *Process) AskAll(requests []Request) ([]Answer, error) {
	if p.dead != nil {
		return nil, p.dead
	}
	go func() {
		// A write error means that the process has ended; reading will tell.
		w := bufio.NewWriterSize(p.stdin, 1<<16)
		for _, r := range requests {
			w.WriteString(r.Line())
			w.WriteByte('\n')
		}
		w.Flush()
	}()
	answers := make([]Answer, 0, len(requests))
	timer := time.NewTimer(p.Patience)
	defer timer.Stop()
	for _, r := range requests {
		timer.Reset(p.Patience)
		select {
		case line, ok := <-p.lines:
			if !ok {
				return answers, p.end(fmt.Errorf("the oracle of %s ended while asked %.300s: %s", p.profile, r.Line(), p.stderr.String()))
			}
			answer, err := ParseAnswer(bytes.TrimSpace(line))
			if err != nil {
				return answers, p.end(fmt.Errorf("oracle of %s asked %.300s: %w", p.profile, r.Line(), err))
			}
			answers = append(answers, answer)
		case <-timer.C:
			return answers, p.end(fmt.Errorf("oracle of %s, %v, asked %.300s: %w", p.profile, p.Patience, r.Line(), ErrTimeout))
		}
	}
	return answers, nil
}

// end kills the process and remembers why.
func (p *Process) end(why error) error {
	p.dead = why
	p.cmd.Process.Kill()
	return why
}

// Close ends the process and waits for it.
func (p *Process) Close() error {
	p.stdin.Close()
	for range p.lines { // let the reader reach the end
	}
	err := p.cmd.Wait()
	if p.dead != nil {
		return nil // the error was returned when it happened
	}
	return err
}

// tail keeps the end of a stream of diagnostics.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - tailSize; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}
