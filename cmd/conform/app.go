package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/hostmatrix/conform/capabilities"
)

// app is what every command gets from its surroundings.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	quiet, verbose bool
	hostsDir       string
}

//go:embed help/*.txt
var helpFiles embed.FS

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := unknownCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err != nil {
		complain(stderr, err)
	}
	return codeOf(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{Use: "conform", SilenceErrors: true, SilenceUsage: true, Args: cobra.ArbitraryArgs,
		RunE: group}
	helpFor(root, "conform")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetUsageFunc(a.usageText)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &exitError{exitUsage, flagError(cmd, err)} })
	flags := root.PersistentFlags()
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "print only findings and errors")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "print everything that was established, and on stderr every message that passes (secrets redacted, 4,000 bytes of each)")
	flags.StringVar(&a.hostsDir, "hosts-dir", "", "folder with capability files that replace or join the built-in ones")
	root.AddCommand(a.runCommand(), a.initCommand(), a.samplesCommand(), a.recordCommand(), a.reportCommand(), a.diffCommand(), a.mergeCommand(), a.baselineCommand(),
		a.casesCommand(), a.hostsCommand(), a.explainCommand(), a.fixCommand(), a.capsCommand(), a.validateCommand(), a.fixtureCommand(), a.labCommand(), a.manCommand(), a.versionCommand())
	a.completeRest(root)
	root.SetHelpCommand(&cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command", ValidArgsFunction: completeCommands,
		RunE: func(_ *cobra.Command, words []string) error {
			cmd, rest, err := root.Find(words)
			if err != nil || len(rest) > 0 {
				return group(cmd, rest)
			}
			return cmd.Help()
		},
	})
	return root
}

// unknownCommand refuses a word that no command has before its flags are read: of
// `conform rnu --demo` the word is the mistake, not the flag, and the help of
// another command answers no question about a wrong word.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return nil // asked by a shell; no command that people see
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, rest, err := root.Find(args)
	if err != nil || !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil // for the command itself to judge
	}
	return group(cmd, rest)
}

// helpFor takes a command's help from help/NAME.txt: a line, a text, and
// examples after a line "Examples:". The texts are files because they name hosts,
// which no Go file may.
func helpFor(cmd *cobra.Command, name string) {
	data, err := helpFiles.ReadFile("help/" + name + ".txt")
	if err != nil {
		panic(err) // embedded; its absence is a build fault that every test meets
	}
	text, examples, _ := strings.Cut(string(data), "\nExamples:\n")
	short, long, _ := strings.Cut(text, "\n")
	cmd.Short, cmd.Long, cmd.Example = short, strings.TrimSpace(short+"\n"+long), strings.TrimRight(examples, "\n")
}

var unknownFlag = regexp.MustCompile(`^unknown flag: --(\S+)`)

func flagError(cmd *cobra.Command, err error) error {
	m := unknownFlag.FindStringSubmatch(err.Error())
	hint := fmt.Sprintf("`%s --help` lists the flags", cmd.CommandPath())
	if m == nil {
		return fmt.Errorf("%w; %s", err, hint)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := capabilities.Nearest(m[1], known); near != "" {
		return fmt.Errorf("unknown flag --%s; did you mean --%s? %s", m[1], near, hint)
	}
	return fmt.Errorf("unknown flag --%s; %s", m[1], hint)
}

// oneOf says what is wrong with the value of a flag that takes one of a few words.
func oneOf(flag, value string, known ...string) error {
	hint := ""
	if near := capabilities.Nearest(value, known); near != "" {
		hint = "did you mean " + near + "? "
	}
	return usage("--%s %s: %sthere are %s and %s", flag, value, hint, strings.Join(known[:len(known)-1], ", "), known[len(known)-1])
}

// group is the RunE of a command that only holds others: it shows its help, and
// says which of them an unknown word may mean.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	hint := ""
	if near := capabilities.Nearest(args[0], known); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return usage("`%s` has no command %q%s `%s --help` lists them", cmd.CommandPath(), args[0], cmp.Or(hint, ";"), cmd.CommandPath())
}

// warn prints a line that is not the result.
func (a *app) warn(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.stderr, "conform: "+format+"\n", args...)
	}
}

// terminal returns the width of w when it is a terminal, else 0.
func terminal(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// columns is how wide w is: the terminal's width, or what the environment says of a
// pipe (COLUMNS=80 conform … | less), or 0.
func columns(w io.Writer) int {
	if width := terminal(w); width > 0 {
		return width
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 0
}

// coloured says whether w takes colours: a terminal, unless the environment says
// no (https://no-color.org).
func coloured(w io.Writer) bool {
	return terminal(w) > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
