package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// connection is one request of a client, to be answered as it pleases.
type connection struct {
	net.Conn
	message
	path string
}

// speak is what is written in answer to tools/list when kind misbehaves in HTTP itself.
var speak = map[string]func(*connection){
	"silent":            func(*connection) { forever() },
	"drops":             func(*connection) {},
	"informational":     repeat("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0),
	"headers-endless":   repeat("HTTP/1.1 200 OK\r\n", "X-A: "+strings.Repeat("b", 8000)+"\r\n", 0),
	"header-8MB":        once("HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("b", 8<<20) + "\r\nContent-Length: 2\r\n\r\n{}"),
	"headers-drip":      repeat("HTTP/1.1 200 OK\r\nX-A: ", "b", 100*time.Millisecond),
	"body-drips":        repeat(head("application/json", "Transfer-Encoding: chunked\r\n"), "1\r\n \r\n", 100*time.Millisecond),
	"body-endless":      repeat(head("application/json", "Transfer-Encoding: chunked\r\n"), "8000\r\n"+strings.Repeat(" ", 0x8000)+"\r\n", 0),
	"trailers":          repeat(head("application/json", "Transfer-Encoding: chunked\r\nTrailer: X\r\n")+"2\r\n{}\r\n0\r\n", "X: "+strings.Repeat("y", 8000)+"\r\n", 0),
	"chunk-extensions":  repeat(head("application/json", "Transfer-Encoding: chunked\r\n")+"1;", "e=f;", 0),
	"many-extensions":   repeat(head("application/json", "Transfer-Encoding: chunked\r\n"), "1;"+strings.Repeat("e=f;", 500)+"\r\n \r\n", 0),
	"events-comments":   repeat(head("text/event-stream", ""), ": ping\n\n", 0),
	"events-line":       repeat(head("text/event-stream", ""), strings.Repeat("a", 64<<10), 0),
	"events-data":       repeat(head("text/event-stream", ""), "data: aaaaaaaa\n", 0),
	"events-others":     repeat(head("text/event-stream", ""), "event: ping\ndata: {}\n\n", 0),
	"events-notices":    repeat(head("text/event-stream", ""), `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`+"\n\n", 0),
	"events-requests":   repeat(head("text/event-stream", ""), `data: {"jsonrpc":"2.0","id":"r","method":"roots/list"}`+"\n\n", 0),
	"events-empty":      repeat(head("text/event-stream", ""), "data:\n\n", 0),
	"events-retry":      once(head("text/event-stream", "") + "id: 1\nretry: 999999999999\ndata:\n\n"),
	"events-retry-fast": once(head("text/event-stream", "") + "id: 1\nretry: 0\ndata:\n\n"),
	"redirect":          once("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/elsewhere\r\nContent-Length: 0\r\n\r\n"),
	"redirect-loop": func(c *connection) {
		fmt.Fprintf(c, "HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
	},
	"html":             once(head("text/html", "") + "<html>login\x1b[31m\n::error::x"),
	"401":              once("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"x\"\r\nContent-Length: 0\r\n\r\n"),
	"429":              once("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n"),
	"500":              once("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5\r\n\r\nsorry"),
	"ssh":              once("SSH-2.0-OpenSSH_9.6\r\n"),
	"length-lie":       once("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"jsonrpc\""),
	"gzip-bomb":        func(c *connection) { bomb(c, "application/json") },
	"gzip-bomb-events": func(c *connection) { bomb(c, "text/event-stream") },
	"gzip-none":        once(head("application/json", "Content-Encoding: gzip\r\n") + "{}"),
	"utf-16":           once(head("application/json; charset=utf-16", "") + "\xff\xfe{\x00}\x00"),
	"events-cr": func(c *connection) {
		fmt.Fprint(c, head("text/event-stream", ""), "data: ", honest(c.message), "\r\r")
	},
	"body-drips-honest": func(c *connection) {
		text := honest(c.message)
		fmt.Fprint(c, head("application/json", fmt.Sprintf("Content-Length: %d\r\n", len(text))))
		for i := range text {
			fmt.Fprint(c, text[i:i+1])
			time.Sleep(5 * time.Millisecond)
		}
	},
}

// head is the head of a response that the end of the connection ends.
func head(kind, more string) string {
	return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + kind + "\r\n" + more + "\r\n"
}

func once(text string) func(*connection) {
	return func(c *connection) { _, _ = io.WriteString(c, text) }
}

// repeat writes the piece until the client is gone, as fast as it reads or with a pause.
func repeat(first, piece string, pause time.Duration) func(*connection) {
	if pause == 0 {
		piece = strings.Repeat(piece, 1+(64<<10)/len(piece))
	}
	return func(c *connection) {
		_, err := io.WriteString(c, first)
		for err == nil {
			_, err = io.WriteString(c, piece)
			time.Sleep(pause)
		}
	}
}

// bomb is 2 GB of spaces in 2 MB.
func bomb(c *connection, kind string) {
	_, _ = io.WriteString(c, head(kind, "Content-Encoding: gzip\r\n"))
	z, block := gzip.NewWriter(c), bytes.Repeat([]byte(" "), 1<<20)
	for range 2048 {
		if _, err := z.Write(block); err != nil {
			return
		}
	}
	_ = z.Close()
}

// serveHTTP answers on a loopback port until stdin ends, and prints its URL.
func serveHTTP(kind string) {
	if speak[kind] == nil && answers[kind] == nil && kind != "sse-elsewhere" && kind != "deaf" {
		fmt.Fprintln(os.Stderr, "no kind", kind, "of", sorted(answers), sorted(speak))
		os.Exit(64)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(65)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go converse(c, kind)
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// converse answers the requests of one connection.
func converse(c net.Conn, kind string) {
	defer c.Close()
	if kind == "deaf" { // reads nothing, says nothing
		forever()
	}
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		q := &connection{Conn: c, path: r.URL.Path}
		_ = json.Unmarshal(body, &q.message)
		switch {
		case kind == "sse-elsewhere" && r.Method == http.MethodPost:
			fmt.Fprint(c, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
		case kind == "sse-elsewhere":
			fmt.Fprint(c, head("text/event-stream", ""), "event: endpoint\ndata: http://127.0.0.1:9/messages\n\n")
			forever()
		case q.Method == "":
			fmt.Fprint(c, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
		case q.ID == nil:
			fmt.Fprint(c, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
		case q.Method == "tools/list" && speak[kind] != nil:
			speak[kind](q)
			return
		default:
			answer := honest
			if a := answers[kind]; a != nil {
				answer = a
			}
			text := answer(q.message)
			if text == "" {
				forever()
			}
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
		}
	}
}
