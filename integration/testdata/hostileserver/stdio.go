//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// processes are servers that misbehave as processes do: in time, streams, signals.
var processes = map[string]func(*speaker){
	"silent":     func(*speaker) { forever() },
	"slow-start": func(s *speaker) { time.Sleep(3 * time.Second); s.each(honest) },
	"exits":      func(*speaker) { fmt.Fprintln(os.Stderr, "fatal: no licence\x1b[31m"); os.Exit(3) },
	"segfault": func(s *speaker) {
		s.read()
		_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, os.Environ())
	},
	"dies-mid-answer": func(s *speaker) { s.read(); s.say(`{"jsonrpc":"2.0","id":1,"result":{"protocolVer`); os.Exit(9) },
	"dies-in-list": func(s *speaker) {
		s.each(on("tools/list", func(message) string { s.say(`{"jsonrpc":"2.0","id":2,"result":{"tools":[`); os.Exit(9); return "" }))
	},
	"closes-stdin": func(s *speaker) {
		m, _ := s.read()
		s.say(honest(m) + "\n")
		os.Stdin.Close()
		forever()
	},
	"closes-stdout": func(s *speaker) { s.read(); os.Stdout.Close(); forever() },
	"deaf":          func(s *speaker) { m, _ := s.read(); s.say(honest(m) + "\n"); forever() },
	"drips":         drips,
	"endless-line":  func(s *speaker) { s.read(); s.flood("[") },
	"noise-flood":   func(s *speaker) { s.read(); s.flood("not a message, again\n") },
	"stderr-flood":  stderrFlood,
	"notice-flood":  during(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d"}}`),
	"request-flood": during(`{"jsonrpc":"2.0","id":"r%d","method":"roots/list"}`),
	"ping-flood":    during(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`),
	"answer-flood":  during(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[]}}`),
	"big-notices": func(s *speaker) {
		n, filler := 0, strings.Repeat("f", 1<<20)
		s.each(on("tools/list", func(m message) string {
			for ; ; n++ {
				s.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d%s"}}`+"\n", n, filler))
			}
		}))
	},
	"forks":         func(s *speaker) { fork(false); s.each(honest) },
	"daemon":        func(s *speaker) { fork(true); s.each(honest) },
	"fork-and-exit": func(s *speaker) { fork(false); m, _ := s.read(); s.say(honest(m) + "\n") },
	"stubborn": func(s *speaker) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
		s.each(honest)
		forever()
	},
}

// during floods while tools/list is waited for; %d counts.
func during(format string) func(*speaker) {
	return func(s *speaker) {
		s.each(on("tools/list", func(message) string {
			for n := 1000; ; n++ {
				fmt.Fprintf(s.out, format+"\n", n)
				if n%1000 == 0 {
					s.say("")
				}
			}
		}))
	}
}

// drips answers a byte at a time, and never to the end.
func drips(s *speaker) {
	s.each(on("tools/list", func(m message) string {
		for {
			s.say(" ")
			time.Sleep(100 * time.Millisecond)
		}
	}))
}

// stderrFlood writes to stderr as fast as it is read, and answers honestly.
func stderrFlood(s *speaker) {
	go func() {
		text := strings.Repeat(strings.Repeat("e", 99)+"\n", 10_000)
		for {
			if _, err := io.WriteString(os.Stderr, text); err != nil {
				return
			}
		}
	}()
	s.each(honest)
}

// fork starts a child that holds the pipes and would live for minutes.
func fork(session bool) {
	child := exec.Command("sleep", "307")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	_ = child.Start()
}
