package wire

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

func TestMeasure(t *testing.T) {
	g := NewWithT(t)
	for text, want := range map[string][2]int{
		`1`:                            {0, 1},
		`{"a":[1,2,{"b":"]}{[\\\""}]}`: {3, 6},
		`"a string: [[[[ , \" ,"`:      {0, 1},
		strings.Repeat("[", 100_000):   {100_000, 100_001},
	} {
		depth, values := measure([]byte(text))
		g.Expect([2]int{depth, values}).To(Equal(want), "%.40s", text)
	}
}

func TestDropDeep(t *testing.T) {
	g := NewWithT(t)
	deep := `{"name":"deep","inputSchema":` + strings.Repeat(`{"a":`, 60) + `1` + strings.Repeat(`}`, 60) + `}`
	for list, want := range map[string]string{
		deep:                               `[]`,
		deep + `, {"name":"b"}`:            `[{"name":"b"}]`,
		`{"name":"a"}, ` + deep:            `[{"name":"a"}]`,
		`{"name":"a"},` + deep + `,null,1`: `[{"name":"a"},null,1]`,
	} {
		out, dropped, ok := dropDeep([]byte(` {"jsonrpc":"2.0", "result" : {"nextCursor":"]","tools": [`+list+`]}, "id":1}`), 50)
		g.Expect(ok).To(BeTrue())
		g.Expect(dropped).To(Equal([]string{"deep"}))
		g.Expect(string(out)).To(Equal(` {"jsonrpc":"2.0", "result" : {"nextCursor":"]","tools": ` + want + `}, "id":1}`))
	}
	_, _, ok := dropDeep([]byte(`{"result":{"tools":[],"x":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`}}`), 50)
	g.Expect(ok).To(BeFalse())
}

// FuzzSplit: split stays within bounds on any bytes, and finds the members of
// every object that the parser accepts.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{`{"a":1,"b":[2,{"c":"}"}]}`, `[`, `{"a`, `{:,}`, `{"a\"b":"\\"}`, "{\"a\":1}}}", `[1,[2,3],"]"]`, `{"a":{"b":[{"c":1},2]},"a":3}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		start := firstByte(raw)
		parts := split(raw, start)
		for _, p := range parts {
			if p.start < 0 || p.end > len(raw) || p.start >= p.end {
				t.Fatalf("%+v is out of bounds", p)
			}
		}
		measure(raw)
		dropDeep(raw, 3)
		v, err := schema.Parse(raw, schema.Limits{})
		if err != nil || (v.Kind != schema.Object && v.Kind != schema.Array) {
			return
		}
		got := make([]string, len(parts))
		for i, p := range parts {
			got[i] = string(raw[p.start:p.end])
		}
		var want []string
		for _, m := range v.Members {
			want = append(want, string(raw[m.Value.Start:m.Value.End]))
		}
		for _, item := range v.Items {
			want = append(want, string(raw[item.Start:item.End]))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("split %q: got %q, want %q", raw, got, want)
		}
	})
}
