package eventstream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire/eventstream"
)

// read returns every event of a stream as "name|data|last id|retry".
func read(in io.Reader, max int) ([]string, error) {
	r := eventstream.NewReader(in, max, "")
	var out []string
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, fmt.Sprintf("%s|%s|%s|%s", e.Name, e.Data, r.LastID(), e.Retry))
	}
}

var _ = Describe("A stream", func() {
	DescribeTable("is read as events, whatever pieces it comes in",
		func(stream string, want ...string) {
			for _, in := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream)), iotest.DataErrReader(strings.NewReader(stream))} {
				Expect(read(in, 1000)).To(HaveExactElements(want))
			}
		},
		Entry("LF", "data: a\n\ndata: b\n\n", "message|a||0s", "message|b||0s"),
		Entry("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "message|a||0s", "message|b||0s"),
		Entry("CR", "data: a\r\rdata: b\r\r", "message|a||0s", "message|b||0s"),
		Entry("mixed line ends", "data: a\r\n\rdata: b\n\r\n", "message|a||0s", "message|b||0s"),
		Entry("BOM", "\ufeffdata: a\n\n", "message|a||0s"),
		Entry("a BOM in the middle is text", "data: a\n\n\ufeffdata: b\n\n", "message|a||0s"),
		Entry("comments", ": hi\n\n:\ndata: a\n: more\n\n", "message|a||0s"),
		Entry("several data fields", "data: a\ndata\ndata:  b\n\n", "message|a\n\n b||0s"),
		Entry("a name", "event: endpoint\ndata: /x\n\n", "endpoint|/x||0s"),
		Entry("a name without data is no event", "event: ping\n\ndata: a\n\n", "message|a||0s"),
		Entry("ids last", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", "message|a|1|0s", "message|b|1|0s", "message|c||0s"),
		Entry("an id with NUL is ignored", "id: 1\x002\ndata: a\n\n", "message|a||0s"),
		Entry("retry", "retry: 1500\ndata: a\n\nretry: soon\nretry: -1\ndata: b\n\n", "message|a||1.5s", "message|b||0s"),
		Entry("an id and a retry alone", "id: 7\nretry: 10\n\n", "message||7|10ms"),
		Entry("unknown fields", "foo: x\ndata: a\nbar\n\n", "message|a||0s"),
		Entry("an event that is cut off", "data: a\n\ndata: b\n", "message|a||0s"),
		Entry("nothing", ""),
	)

	It("gives an event at once, although a CR might be half of a CRLF", func() {
		in, out := io.Pipe()
		defer in.Close()
		go func() { _, _ = io.WriteString(out, "data: a\r\r") }()
		r := eventstream.NewReader(in, 100, "")
		got := make(chan string, 1)
		go func() {
			e, _ := r.Next()
			got <- string(e.Data)
		}()
		Eventually(got).WithTimeout(5 * time.Second).Should(Receive(Equal("a")))
	})

	It("is bounded", func() {
		_, err := read(strings.NewReader("data: "+strings.Repeat("x", 101)), 100)
		Expect(err).To(MatchError(eventstream.ErrTooLong))
		_, err = read(strings.NewReader(strings.Repeat("data: x\n", 20)), 100)
		Expect(err).To(MatchError(eventstream.ErrTooLong))
		Expect(read(strings.NewReader(strings.Repeat(": alive\n\n", 9)+"data: x\n\n"+strings.Repeat(": alive\n\n", 9)), 100)).To(HaveLen(1))
		_, err = read(strings.NewReader(strings.Repeat(": alive\n\n", 12)), 100)
		Expect(err).To(MatchError(eventstream.ErrTooLong))
	})

	It("keeps the id of the stream that it resumes", func() {
		r := eventstream.NewReader(strings.NewReader("data: a\n\n"), 100, "old")
		_, err := r.Next()
		Expect(err).NotTo(HaveOccurred())
		Expect(r.LastID()).To(Equal("old"))
	})
})

// FuzzReader: any bytes give the same events whole and byte by byte.
func FuzzReader(f *testing.F) {
	f.Add("data: a\r\n\r\n\ufeffid: 1\rretry: 5\n\n")
	f.Fuzz(func(t *testing.T, stream string) {
		whole, err1 := read(strings.NewReader(stream), 1<<20)
		bytewise, err2 := read(iotest.OneByteReader(strings.NewReader(stream)), 1<<20)
		if fmt.Sprint(whole, err1) != fmt.Sprint(bytewise, err2) {
			t.Fatalf("%q: %q %v, byte by byte %q %v", stream, whole, err1, bytewise, err2)
		}
	})
}
