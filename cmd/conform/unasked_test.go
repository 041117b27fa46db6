//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A server that sends more than it announced gets an error, and none of its words to
// stderr through the HTTP library's own log.
func TestUnaskedBytesAreNotLogged(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"+strings.Repeat("HTTP unasked ::error::x\r\n", 100))
				_, _ = io.Copy(io.Discard, c)
			}()
		}
	}()
	cmd, output := program(t, "run", "--host", "ts-sdk-v1", "--start-timeout", "5s", "--url", "http://"+listener.Addr().String())
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitIncomplete && code != exitUnreachable {
		t.Errorf("exit code %d: %s", code, output)
	}
	if strings.Contains(output.String(), "nsolicited") || strings.Contains(output.String(), "unasked") {
		t.Errorf("it printed %s", output)
	}
}
