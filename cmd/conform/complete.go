package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/reports"
)

// completeWith completes a flag's values in the shell; a value may carry a
// description after a tab. The last part of a comma-separated list is completed.
func completeWith(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		head := typed[:strings.LastIndex(typed, ",")+1]
		out := values()
		for i := range out {
			out[i] = head + out[i]
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag does not exist: a build fault
	}
}

// completeHosts completes --host and --host-set where a command has them.
func (a *app) completeHosts(cmd *cobra.Command) {
	if cmd.Flags().Lookup("host") != nil {
		completeWith(cmd, "host", func() []string { return append(a.hostIDs(), "all") })
	}
	if cmd.Flags().Lookup("host-set") != nil {
		completeWith(cmd, "host-set", func() []string {
			table, err := a.table()
			if err != nil {
				return nil
			}
			return setNames(table)
		})
	}
}

func (a *app) hostIDs() []string {
	table, err := a.table()
	if err != nil {
		return nil
	}
	var out []string
	for _, h := range table.Hosts() {
		out = append(out, h.ID+"\t"+h.Name)
		for _, m := range h.ModeIDs() {
			out = append(out, h.ID+":"+m+"\t"+h.Modes[m].Name)
		}
	}
	return out
}

// completeHostArgs completes the ids of hosts as arguments.
func (a *app) completeHostArgs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.hostIDs(), cobra.ShellCompDirectiveNoFileComp
}

func completeFormats(cmd *cobra.Command) {
	completeWith(cmd, "format", func() []string {
		var out []string
		for _, f := range reports.Formats() {
			out = append(out, f.Name+"\t"+f.Doc)
		}
		return out
	})
}
