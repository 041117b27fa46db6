package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
)

func (a *app) hostsCompareCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "compare HOST HOST...",
		ValidArgsFunction: a.completeHostArgs,
		Args:              atLeast(2, "two hosts or more, each id[:mode][+api][@version]"),
		RunE: func(_ *cobra.Command, args []string) error {
			var columns []*capabilities.Resolved
			for _, spec := range args {
				c, _, err := a.column(spec)
				if err != nil {
					return err
				}
				columns = append(columns, c)
			}
			return a.compareHosts(columns, format)
		},
	}
	helpFor(cmd, "hosts-compare")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// difference is one claim in which columns differ; "" where a column has none.
type difference struct {
	Key    string                     `json:"key"`
	Values map[string]json.RawMessage `json:"values"`
	Words  map[string]string          `json:"words"`
	same   bool
}

func (a *app) compareHosts(columns []*capabilities.Resolved, format string) error {
	title := func(c *capabilities.Resolved) string { return strings.TrimSuffix(c.ID+"@"+c.Version, "@") }
	diffs := []difference{}
	for _, key := range capabilities.ClaimKeys() {
		d := difference{Key: key, Values: map[string]json.RawMessage{}, Words: map[string]string{}, same: true}
		first := ""
		for i, c := range columns {
			value := ""
			if f := c.Find(key); f != nil {
				d.Values[title(c)] = compactJSON(f.Claim.Value)
				d.Words[title(c)] = wordsFor(c.Host, key, f)
				value = string(d.Values[title(c)])
			}
			if i == 0 {
				first = value
			}
			d.same = d.same && value == first
		}
		if !d.same {
			diffs = append(diffs, d)
		}
	}
	sort.SliceStable(diffs, func(i, j int) bool { return stageRank(diffs[i].Key) < stageRank(diffs[j].Key) })
	switch format {
	case "json":
		return a.printJSON(diffs)
	case "text":
	default:
		return unknownFormat(format)
	}
	if len(diffs) == 0 {
		fmt.Fprintln(a.stdout, "the table holds the same claims about them")
	}
	for _, d := range diffs {
		fmt.Fprintln(a.stdout, d.Key)
		for _, c := range columns {
			words := "not modelled"
			if text := d.Words[title(c)]; text != "" {
				words = upperFirst(text) + "."
			}
			fmt.Fprintf(a.stdout, "  %s\n", title(c))
			a.hang("    ", words)
			if raw, ok := d.Values[title(c)]; ok && a.verbose {
				fmt.Fprintf(a.stdout, "    = %s\n", printable(string(raw)))
			}
		}
	}
	return nil
}
