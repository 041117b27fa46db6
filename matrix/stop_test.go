package matrix_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("An evaluation that is stopped", func() {
	// numbered lists tools t0, t1 ... with a validator to ask about each.
	numbered := func(tools int) *recording.Capture {
		var list []string
		for i := range tools {
			list = append(list, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"const":%d}}}}`, i, i))
		}
		c, err := recording.ReadCase("stop.json", []byte(`{"format":"conform-case/1","id":"stop","family":"result","title":"t","protocol_version":"2025-11-25","tools":[`+
			strings.Join(list, ",")+`],"results":[],"expect":[]}`))
		Expect(err).NotTo(HaveOccurred())
		return c.Capture()
	}

	It("knows nothing of a host that a page not read before the interrupt would tell of", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		for _, id := range []string{"ts-sdk-v1", "codex", "cursor"} {
			h, err := table.Resolve(id)
			Expect(err).NotTo(HaveOccurred())
			c := numbered(2)
			s := c.Sessions[0]
			s.Pages = append(s.Pages, recording.Page{Cursor: "2", Failed: &recording.Failure{Kind: string(wire.KindCanceled), Text: "interrupted"}})
			column := matrix.Evaluate(matrix.Input{Capture: c, Hosts: []*capabilities.Resolved{h}, Shapes: shapes})[0]
			Expect(len(column.Cells)).To(BeNumerically(">=", 2))
			for _, cell := range column.Cells {
				Expect(cell.Verdict).To(Equal(verdict.Unknown), "%s in %s: %v", cell.Tool, id, cell.Findings)
			}
		}
	})

	It("gives the same whether the columns are evaluated together or a few at a time", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		var hosts []*capabilities.Resolved
		for _, h := range table.Hosts() {
			resolved, err := table.Resolve(h.ID)
			Expect(err).NotTo(HaveOccurred())
			hosts = append(hosts, resolved)
		}
		cells := func(together int) (out [][]verdict.Cell) {
			for _, c := range matrix.Evaluate(matrix.Input{Capture: numbered(3), Hosts: hosts, Shapes: shapes, Together: together}) {
				out = append(out, c.Cells)
			}
			return out
		}
		Expect(cells(3)).To(Equal(cells(0)))
	})

	It("returns at once with what it has, the rest unknown, and leaves a hanging check behind", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		var hosts []*capabilities.Resolved
		for _, id := range []string{"ts-sdk-v1", "codex"} {
			h, err := table.Resolve(id)
			Expect(err).NotTo(HaveOccurred())
			hosts = append(hosts, h)
		}
		stop, never := make(chan struct{}), make(chan struct{})
		defer close(never)
		columns := matrix.Evaluate(matrix.Input{Capture: numbered(5), Hosts: hosts, Shapes: shapes, Workers: 1, Stop: stop, Why: "the test stopped it",
			Witness: func(declared, _ *schema.Value, _ string) stage.Search {
				if strings.Contains(declared.Compact(), `"const":3`) {
					close(stop)
					<-never
				}
				return stage.Search{}
			}})
		Expect(columns).To(HaveLen(2))
		reached := 0
		for i, c := range columns {
			Expect(c.Host).To(Equal(hosts[i]))
			Expect(c.Cells).To(HaveLen(5))
			for j, cell := range c.Cells {
				Expect(cell.Tool).To(Equal(fmt.Sprintf("t%d", j)))
				if len(cell.Findings) == 1 && cell.Findings[0].Rule == "not-evaluated" {
					Expect(cell.Verdict).To(Equal(verdict.Unknown))
					Expect(cell.Findings[0].Message).To(Equal("the test stopped it"))
					continue
				}
				reached++
				Expect(cell.Verdict).To(Equal(verdict.Works))
				Expect(cell.Basis).NotTo(BeEmpty())
			}
		}
		Expect(reached).To(BeElementOf(3, 8), "three tools of the column that hangs, and the other one if it came first")
	})

	It("before it began has a cell for everything all the same", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		h, err := table.Resolve("ts-sdk-v1")
		Expect(err).NotTo(HaveOccurred())
		stop := make(chan struct{})
		close(stop)
		for _, c := range []*recording.Capture{numbered(3), {}} {
			columns := matrix.Evaluate(matrix.Input{Capture: c, Hosts: []*capabilities.Resolved{h}, Shapes: shapes, Stop: stop, Why: "stopped"})
			Expect(columns[0].Cells).NotTo(BeEmpty())
		}
	})
})
