package shape_test

import (
	"os"
	"testing"

	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/schema"
)

// FuzzCheck runs every shape on arbitrary JSON: no panic, an issue has a message
// and a text, and what was accepted has an output.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
		`{"tools":[null,5,{"name":null,"inputSchema":[],"annotations":{"readOnlyHint":"yes"},"icons":[{}]}],"nextCursor":1e400}`,
		`{"content":[{"type":"image","data":"???"},{"type":"resource","resource":null},5,null,{"type":"zz"}],"structuredContent":null,"isError":0}`,
		`{"resultType":"input_required"}`, `{"content":[{"type":"text","text":"\ud800","annotations":{"priority":2,"audience":["x"]}}]}`,
		`{"protocolVersion":1,"capabilities":{"tools":true,"experimental":{"x":1}},"serverInfo":{}}`,
	} {
		f.Add([]byte(seed))
	}
	set, err := shape.Load(os.DirFS(shapeDir))
	if err != nil {
		f.Fatal(err)
	}
	ids := set.IDs()
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := schema.Parse(text, schema.Limits{Bytes: 1 << 16, Depth: 300})
		if err != nil {
			return
		}
		for _, id := range ids {
			sh, _ := set.Lookup(id)
			for _, part := range []string{"initialize", "discover", "list", "result"} {
				issues := sh.Check(part, v)
				if issues == nil {
					sh.Output(part, v)
					continue
				}
				if sh.Text(part, issues) == "" {
					t.Fatalf("%s %s: refused without a text", id, part)
				}
			}
			if issues := sh.CheckTool(v); issues != nil && sh.Text("list", issues) == "" {
				t.Fatalf("%s tool: refused without a text", id)
			}
		}
	})
}

// BenchmarkCheckList parses a list of 3,000 good tools.
func BenchmarkCheckList(b *testing.B) {
	set, err := shape.Load(os.DirFS(shapeDir))
	if err != nil {
		b.Fatal(err)
	}
	tool := schema.MustParse(`{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"number"}}},"required":["a"]},"annotations":{"readOnlyHint":true}}`)
	tools := make([]*schema.Value, 3000)
	for i := range tools {
		tools[i] = tool
	}
	list := schema.Obj(schema.Member{Key: "tools", Value: schema.List(tools...)})
	for _, id := range []string{"ts-sdk-1.23", "ts-client-2-legacy", "rmcp", "mcp-python-1", "go-sdk-1.8"} {
		sh, _ := set.Lookup(id)
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				if sh.Check("list", list) != nil {
					b.Fatal("refused")
				}
			}
		})
	}
}
