package propose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/derive"
	"github.com/hostmatrix/conform/lab/propose"
)

func TestPropose(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "propose")
}

// row is a capability file: list.pages is the row's own claim, from version 2 on.
const row = `{"format":"conform-host/1","id":"h","name":"H","kind":"host","claims":{
  "list.pages":[{"since":"≤2.0.0","value":{"follow":"all","max":9},"evidence":["old"]}]},
  "evidence":{"old":{"basis":"reported","url":"https://example.invalid/1","date":"2026-01-01","version":"2.0.0"}}}`

func claim(key, member, value string) derive.Claim {
	return derive.Claim{Key: key, Members: map[string]json.RawMessage{member: json.RawMessage(value)}, From: []string{"p"}}
}

func edit(version string, claims ...derive.Claim) *capabilities.Host {
	GinkgoHelper()
	table, err := capabilities.Load(fstest.MapFS{"h.json": {Data: []byte(row)}})
	Expect(err).NotTo(HaveOccurred())
	data, err := propose.Edit(table, "h.json", []byte(row), propose.Seen{Version: version, Date: "2026-02-03", Record: "observations/h.jsonl", Claims: claims})
	Expect(err).NotTo(HaveOccurred())
	h, err := capabilities.Decode("h.json", data)
	Expect(err).NotTo(HaveOccurred())
	return h
}

var _ = Describe("A proposal", func() {
	It("adds its evidence to a claim that agrees", func() {
		h := edit("2.1.0", claim("list.pages", "follow", `"all"`))
		Expect(h.Claims["list.pages"]).To(HaveLen(1))
		Expect(h.Claims["list.pages"][0].Evidence).To(Equal([]string{"old", "lab-2.1.0"}))
		Expect(h.Evidence["lab-2.1.0"]).To(Equal(capabilities.Evidence{Basis: capabilities.Observed, Version: "2.1.0", Date: "2026-02-03", Record: "observations/h.jsonl"}))
	})

	It("ends a range where another behaviour was seen, and keeps what was not decided", func() {
		ranges := edit("2.1.0", claim("list.pages", "follow", `"first"`)).Claims["list.pages"]
		Expect(ranges).To(HaveLen(2))
		Expect(ranges[0].Until).To(Equal("2.1.0"))
		Expect(ranges[1].Since).To(Equal("2.1.0"))
		Expect(ranges[1].Value).To(MatchJSON(`{"follow":"first","max":9}`))
		Expect(ranges[1].Evidence).To(Equal([]string{"lab-2.1.0"}))
	})

	It("moves the start of what was there earlier than the table says", func() {
		text := strings.Replace(row, `"evidence":["old"]}]}`, `"evidence":["old"],"until":"3.0.0"},{"since":"3.0.0","value":{"follow":"first"},"evidence":["old"]}]}`, 1)
		table, err := capabilities.Load(fstest.MapFS{"h.json": {Data: []byte(text)}})
		Expect(err).NotTo(HaveOccurred())
		data, err := propose.Edit(table, "h.json", []byte(text), propose.Seen{Version: "2.9.0", Date: "2026-02-03", Claims: []derive.Claim{claim("list.pages", "follow", `"first"`)}})
		Expect(err).NotTo(HaveOccurred())
		h, err := capabilities.Decode("h.json", data)
		Expect(err).NotTo(HaveOccurred())
		ranges := h.Claims["list.pages"]
		Expect(ranges).To(HaveLen(2))
		Expect(ranges[0].Until).To(Equal("2.9.0"))
		Expect(ranges[1].Since).To(Equal("2.9.0"))
		Expect(ranges[1].Evidence).To(Equal([]string{"old", "lab-2.9.0"}))
	})

	It("corrects what was said of the very same version", func() {
		ranges := edit("2.0.0", claim("list.pages", "follow", `"first"`)).Claims["list.pages"]
		Expect(ranges).To(HaveLen(1))
		Expect(ranges[0].Since).To(Equal("≤2.0.0"))
		Expect(ranges[0].Value).To(MatchJSON(`{"follow":"first","max":9}`))
	})

	It("puts an older version before the ranges that are known", func() {
		ranges := edit("1.0.0", claim("list.pages", "follow", `"first"`)).Claims["list.pages"]
		Expect(ranges).To(HaveLen(2))
		Expect(ranges[1].Since).To(Equal("≤1.0.0"))
		Expect(ranges[1].Until).To(Equal("2.0.0"))
	})

	It("widens a range that is open downwards to an older version that agrees", func() {
		ranges := edit("1.0.0", claim("list.pages", "follow", `"all"`)).Claims["list.pages"]
		Expect(ranges).To(HaveLen(1))
		Expect(ranges[0].Since).To(Equal("≤1.0.0"))
		Expect(ranges[0].Evidence).To(Equal([]string{"old", "lab-1.0.0"}))
	})

	It("makes a claim that the row has not made, when enough is known for one", func() {
		h := edit("2.0.0", claim("list.duplicates", "keep", `"first"`), claim("list.shape", "on_failure", `"server"`))
		Expect(h.Claims["list.duplicates"][0].Value).To(MatchJSON(`{"keep":"first"}`))
	})

	It("leaves evidence out that nothing rests on", func() {
		Expect(edit("2.0.0").Evidence).NotTo(HaveKey("lab-2.0.0"))
	})

	It("lists what the table says differently", func() {
		table, err := capabilities.Load(fstest.MapFS{"h.json": {Data: []byte(row)}})
		Expect(err).NotTo(HaveOccurred())
		changes, err := propose.Differences(table, "h", propose.Seen{Version: "2.0.0", Claims: []derive.Claim{
			claim("list.pages", "follow", `"first"`), claim("list.duplicates", "keep", `"last"`)}})
		Expect(err).NotTo(HaveOccurred())
		Expect(changes).To(HaveLen(2))
		Expect(changes[0].Table).To(MatchJSON(`{"follow":"all","max":9}`))
		Expect(changes[1].Table).To(BeEmpty())
	})

	DescribeTable("takes a handshake whose start was seen for the whole", func(seen string, same bool) {
		text := `{"format":"conform-host/1","id":"h","name":"H","kind":"host","claims":{"connect.handshake":[{"since":"≤1","value":{"tries":[
			{"method":"server/discover","version":"2026-07-28"},{"method":"initialize","version":"2025-11-25","transports":["stdio"]}]},"evidence":["e"]}]},
			"evidence":{"e":{"basis":"inferred","text":"t"}}}`
		table, err := capabilities.Load(fstest.MapFS{"h.json": {Data: []byte(text)}})
		Expect(err).NotTo(HaveOccurred())
		changes, err := propose.Differences(table, "h", propose.Seen{Version: "1", Claims: []derive.Claim{claim("connect.handshake", "tries", seen)}})
		Expect(err).NotTo(HaveOccurred())
		Expect(len(changes) == 0).To(Equal(same))
	},
		Entry("the first was answered", `[{"method":"server/discover","version":"2026-07-28"}]`, true),
		Entry("both", `[{"method":"server/discover","version":"2026-07-28"},{"method":"initialize","version":"2025-11-25"}]`, true),
		Entry("another", `[{"method":"initialize","version":"2025-11-25"}]`, false),
	)
})
