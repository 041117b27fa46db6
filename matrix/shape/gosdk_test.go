package shape_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// goServer is a server that answers each request with raw text.
type goServer struct {
	answers map[string]string
}

func (s *goServer) serve(in io.Reader, out io.WriteCloser) {
	defer out.Close()
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(scanner.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		answer, ok := s.answers[m.Method]
		if !ok {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
			continue
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, answer)
	}
}

// goClientSays runs the real Go SDK client against a payload; "" is acceptance.
func goClientSays(p payload) string {
	const initialize = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	server := &goServer{answers: map[string]string{"initialize": initialize, "tools/list": `{"tools":[]}`, "tools/call": `{"content":[]}`}}
	method := map[string]string{"initialize": "initialize", "discover": "server/discover", "list": "tools/list", "result": "tools/call"}[p.Part]
	server.answers[method] = p.Payload
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	go server.serve(serverIn, serverOut)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "golden", Version: "0"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err == nil {
		defer session.Close()
		switch p.Part {
		case "list":
			_, err = session.ListTools(ctx, nil)
		case "result":
			_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "plain"})
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

var _ = Describe("the Go SDK", func() {
	It("is what go-sdk-1.8 says", func() {
		sh, ok := load().Lookup("go-sdk-1.8")
		Expect(ok).To(BeTrue())
		dump := os.Getenv("SHAPE_DUMP") != ""
		for _, p := range jsonLines[payload]("testdata/golden/payloads.jsonl") {
			want := goClientSays(p)
			if dump {
				fmt.Fprintf(GinkgoWriter, "%s\t%s\n", p.ID, want)
				fmt.Printf("%s\t%s\n", p.ID, want)
				continue
			}
			issues := sh.Check(p.Part, schema.MustParse(p.Payload))
			Expect(sh.Text(p.Part, issues)).To(Equal(want), p.ID)
		}
	})
})
