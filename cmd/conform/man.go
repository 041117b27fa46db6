package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes the manual pages. They are made from the help texts, so there
// is one source for both.
func (a *app) manCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "man [DIR]",
		Args: atMost(1, "one folder at most"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := a.stdout.Write(manPage(cmd.Root()))
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return usage("%w", err)
			}
			return writeManPages(args[0], cmd.Root())
		},
	}
	helpFor(cmd, "man")
	return cmd
}

func writeManPages(dir string, cmd *cobra.Command) error {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(dir, name), manPage(cmd), 0o644); err != nil {
		return err
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			if err := writeManPages(dir, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// manPage is the page of one command in the man macros of troff.
func manPage(cmd *cobra.Command) []byte {
	var b bytes.Buffer
	title := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"conform %s\" \"User Commands\"\n", strings.ToUpper(roff(title)), roff(version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(title), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	fmt.Fprint(&b, ".SH DESCRIPTION\n")
	for _, paragraph := range strings.Split(cmd.Long, "\n\n") {
		fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(&b, ".SH COMMANDS\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(c.Name()), roff(c.Short))
			}
		}
	}
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-")))
	}
	return b.Bytes()
}

func manFlags(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(name), roff(usage))
	})
}

// roff escapes what troff reads as its own: backslashes, hyphens (which are minus
// signs in options) and control characters at the start of a line.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
