package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// defaultWidth is how wide texts are where the width of a terminal is not known.
const defaultWidth = 100

// width is how many columns texts on stdout may take.
func (a *app) width() int {
	if w := columns(a.stdout); w > 0 {
		return max(w, 60)
	}
	return defaultWidth
}

// counted is "1 tool", "2 tools".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// are is "1 cell is", "2 cells are".
func are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return counted(n, noun) + " are"
}

// usageText prints the usage of a command, its flags wrapped between words at the
// width of the terminal. Behind a wide flag pflag begins the help on a line of its
// own.
func (a *app) usageText(cmd *cobra.Command) error {
	var b strings.Builder
	if cmd.Runnable() {
		fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", cmd.NamePadding(), c.Name(), c.Short)
			}
		}
	}
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s\n", strings.TrimRight(cmd.LocalFlags().FlagUsagesWrapped(a.width()), " \n"))
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nGlobal Flags:\n%s\n", strings.TrimRight(cmd.InheritedFlags().FlagUsagesWrapped(a.width()), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}
