package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/hostconfig"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
)

// completeRest completes, in a command and those below it, what no command completes
// by itself: hosts, names, and each flag whose help lists its words.
func (a *app) completeRest(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		a.completeRest(sub)
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if _, done := cmd.GetFlagCompletionFunc(f.Name); done {
			return
		}
		switch f.Name {
		case "host":
			completeWith(cmd, f.Name, a.hostIDs)
		case "from":
			completeWith(cmd, f.Name, hostconfig.Hosts)
		case "protocol":
			completeWith(cmd, f.Name, func() []string { return append(append([]string{}, revisions...), "all") })
		case "set":
			completeWith(cmd, f.Name, func() []string {
				var out []string
				for _, s := range fixture.Sets() {
					out = append(out, s.ID+"\t"+s.About)
				}
				return out
			})
		case "show-offered":
			a.completeOffered(cmd)
		default:
			if words := wordsOf(f.Usage); len(words) > 0 {
				completeWith(cmd, f.Name, func() []string { return words })
			}
		}
	})
}

var listOfWords = regexp.MustCompile(`(?:^|: )([a-z0-9-]+(?:, [a-z0-9-]+)*,? (?:or )?[a-z0-9-]+)(?: \(.*\))?$`)

// wordsOf are the words that the help of a flag lists as all it takes: "text or json",
// "least verdict that fails: breaks, degraded, never".
func wordsOf(usage string) []string {
	m := listOfWords.FindStringSubmatch(usage)
	if m == nil {
		return nil
	}
	words := strings.FieldsFunc(strings.ReplaceAll(m[1], " or ", ", "), func(r rune) bool { return r == ',' })
	for i, w := range words {
		words[i] = strings.TrimSpace(w)
		if strings.Contains(words[i], " ") || words[i] == "" {
			return nil
		}
	}
	if len(words) < 2 {
		return nil
	}
	return words
}

// completeCommands completes the words of a command, for help.
func completeCommands(cmd *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if at, rest, err := cmd.Root().Find(words); err == nil && len(rest) == 0 {
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() {
				out = append(out, c.Name()+"\t"+c.Short)
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeOffered completes TOOL@HOST: tools where a recording is given, then hosts.
func (a *app) completeOffered(cmd *cobra.Command) {
	err := cmd.RegisterFlagCompletionFunc("show-offered", func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if tool, _, has := strings.Cut(typed, "@"); has {
			for _, id := range a.hostIDs() {
				out = append(out, tool+"@"+id)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		}
		files, err := cmd.Flags().GetStringArray("replay")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		opened, err := recording.Open(recording.Limits{}, files...)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, o := range opened {
			for _, s := range o.Capture.Sessions {
				for _, t := range s.Tools {
					if name := t.Name + "@"; t.Name != "" && !slices.Contains(out, name) {
						out = append(out, name)
					}
				}
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
	if err != nil {
		panic(err) // the flag does not exist: a build fault
	}
}

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
