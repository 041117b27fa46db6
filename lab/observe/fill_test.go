package observe_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// listed is the offer of the tools of the long list at some places.
func listed(places ...int) model.Record {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	s, _ := c.Server("count")
	var record model.Record
	for _, at := range places {
		t := s.Tools()[at-1]
		record.Tools = append(record.Tools, offer(model.ProbeOf(t.Get("description").Text), t.Get("description").Text))
	}
	return record
}

func upTo(n int) []int {
	var out []int
	for i := 1; i <= n; i++ {
		out = append(out, i)
	}
	return out
}

var _ = Describe("A long list", func() {
	DescribeTable("is counted", func(places []int, want observe.Counted) {
		Expect(run("count", listed(places...)).Counts()).To(Equal(map[string]observe.Counted{"count": want}))
	},
		Entry("whole", upTo(600), observe.Counted{Listed: 600, Offered: 600, First: 600}),
		Entry("cut", upTo(128), observe.Counted{Listed: 600, Offered: 128, First: 128}),
		Entry("searched", []int{1, 40, 600}, observe.Counted{Listed: 600, Offered: 3, First: 1}),
	)

	It("is not lost where only fillers are left of it", func() {
		l := find(run("count", listed(2, 3)).Lines(), "count_600")
		Expect(l.Offered.Present).To(BeFalse())
		Expect(l.Offered.Lost).To(BeFalse())
		Expect(l.Siblings).To(BeEmpty())
		Expect(*l.Before).To(Equal(probe.Range{Name: "item_{i}", From: 1, To: 599, Width: 4}))
		Expect(l.After).To(BeNil())
	})
})

var _ = Describe("A server that answers oddly", func() {
	It("is written down with what the host sent to it and what it said", func() {
		r := run("version_2099_01_01", model.Record{})
		t := r.Traffic["version_2099_01_01"]
		t.Listed, t.Handshake, r.Listing = false, []observe.Step{{Method: "initialize", Version: "2025-11-25"}}, true
		r.Lost = map[string]string{"version_2099_01_01": "not supported: 2099-01-01"}
		l := find(r.Lines(), "version_2099_01_01")
		Expect(l.Handshake).To(Equal(t.Handshake))
		Expect(l.Offered).To(BeNil())
		Expect(l.Note).To(And(ContainSubstring("initialize is answered with 2099-01-01"), ContainSubstring("not supported: 2099-01-01")))
	})
})

var _ = Describe("Arguments", func() {
	DescribeTable("that the server got are written down where the host changed them", func(got string, want string) {
		r := run("wrong_arguments", model.Record{Tools: []model.Tool{offer("arg_number_text", sent("arg_number_text"))},
			Answers: []model.Answer{{Probe: "arg_number_text", Arguments: json.RawMessage(`{"n":"7"}`), Texts: []string{"CT_arg_number_text"}}}})
		r.Traffic["wrong_arguments"].Received = map[string]json.RawMessage{"arg_number_text": json.RawMessage(got)}
		Expect(string(find(r.Lines(), "arg_number_text").Received)).To(Equal(want))
	},
		Entry("the same", `{ "n": "7" }`, ""),
		Entry("another type", `{"n":7}`, `{"n":7}`),
	)
})
