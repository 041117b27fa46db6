// Command draw writes a catalogue of probes drawn by chance, for asking hosts what the
// table was not made from: the same seed gives the same catalogue.
//
//	go run ./lab/probe/draw -seed 4 > drawn.json
//	conform lab run HOST --catalogue drawn.json
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/hostmatrix/conform/lab/probe"
)

func main() {
	seed := flag.Uint64("seed", 1, "names the catalogue")
	flag.Parse()
	text := catalogue(*seed)
	if _, err := probe.Parse([]byte(text)); err != nil {
		fmt.Fprintf(os.Stderr, "draw: seed %d: %v\n", *seed, err)
		os.Exit(2)
	}
	fmt.Print(text)
}

// How many probes of each kind a catalogue has.
const (
	goodResults  = 50
	wrongResults = 40
	outputs      = 45
	inputs       = 55
	longTexts    = 14
	alone        = 14 // definitions that may cost a list: a server each
)

// catalogue draws one.
func catalogue(seed uint64) string {
	d := drawer{rand.New(rand.NewPCG(seed, 0))}
	name := fmt.Sprintf("drawn-%d", seed)
	var servers []string
	server := func(suffix string, probes []string) {
		servers = append(servers, fmt.Sprintf(" {\"name\": %s, \"control\": true, \"probes\": [\n  %s]}", quote(fmt.Sprintf("drawn%d-%s", seed, suffix)), strings.Join(probes, ",\n  ")))
	}
	many := func(kind string, n int, draw func() string) {
		var probes []string
		for i := range n {
			probes = append(probes, fmt.Sprintf(`{"id": "d%d%s%02d", %s}`, seed, kind, i, draw()))
		}
		server(kind, probes)
	}
	many("r", goodResults, func() string { return `"result": ` + d.result() })
	many("x", wrongResults, func() string { return `"result": ` + d.wrong(d.result()) })
	many("l", longTexts, func() string { return `"result": ` + d.long() })
	many("o", outputs, d.output)
	many("i", inputs, d.input)
	for i := range alone {
		server(fmt.Sprintf("a%02d", i), []string{fmt.Sprintf(`{"id": "d%da%02d", "tool": %s}`, seed, i, d.definition())})
	}
	return fmt.Sprintf("{\"format\": %q, \"version\": %q, \"servers\": [\n%s]}\n", probe.Format, name, strings.Join(servers, ",\n"))
}
