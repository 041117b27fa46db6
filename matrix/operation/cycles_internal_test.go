package operation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

func TestOperation(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "operation")
}

// references is a document whose definition i refers to those of to[i].
func references(to [][]int) *schema.Value {
	var defs []string
	for i, targets := range to {
		var refs []string
		for _, t := range targets {
			refs = append(refs, fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, t))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[%s]}`, i, strings.Join(refs, ",")))
	}
	return schema.MustParse(`{"$defs":{` + strings.Join(defs, ",") + `}}`)
}

var _ = Describe("References that lead back to themselves", func() {
	It("are those that a walk from each one finds again", func() {
		dice := rand.New(rand.NewPCG(7, 7))
		for range 400 {
			to := make([][]int, 2+dice.IntN(6))
			for i := range to {
				for range dice.IntN(3) {
					to[i] = append(to[i], dice.IntN(len(to)))
				}
			}
			c := newCycles(references(to))
			for i := range to {
				reached := map[int]bool{}
				var walk func(int)
				walk = func(from int) {
					for _, next := range to[from] {
						if !reached[next] {
							reached[next] = true
							walk(next)
						}
					}
				}
				walk(i)
				Expect(c.leadsBack(fmt.Sprintf("#/$defs/d%d", i))).To(Equal(reached[i]), "%v of %v", i, to)
			}
		}
	})

	It("are found in a chain of thousands in one pass", func() {
		to := make([][]int, 20_000)
		for i := range len(to) - 1 {
			to[i] = []int{i + 1}
		}
		root := references(to)
		started := time.Now()
		c := newCycles(root)
		for i := range to {
			Expect(c.leadsBack(fmt.Sprintf("#/$defs/d%d", i))).To(BeFalse())
		}
		Expect(time.Since(started)).To(BeNumerically("<", 5*time.Second)) // a quadratic walk takes minutes
	})
})
