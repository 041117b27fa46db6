package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

func (a *app) reportCommand() *cobra.Command {
	var formats []string
	var p policy
	var manifest string
	var redact bool
	cmd := &cobra.Command{
		Use:  "report [flags] RUN.json",
		Args: exactly(1, "one report, as `conform run --format json=RUN.json` writes it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			outs, err := outputs(formats)
			if err != nil {
				return err
			}
			if err := p.check(); err != nil {
				return err
			}
			r, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			if redact {
				reports.RedactResults(r, nil)
			}
			if err := a.write(outs, r, reports.Options{Verbose: a.verbose, Quiet: a.quiet, Manifest: manifest, FailOn: p.verdict()}); err != nil {
				return err
			}
			if !cmd.Flags().Changed("fail-on") && !cmd.Flags().Changed("max-unknown") {
				return nil // re-rendering succeeds whatever the report holds
			}
			return p.judge(r)
		},
	}
	helpFor(cmd, "report")
	cmd.Long += "\n\n" + formatList()
	cmd.Flags().StringArrayVar(&formats, "format", nil, "output format, or format=FILE; repeatable")
	completeFormats(cmd)
	manifestFlag(cmd, &manifest)
	redactFlag(cmd, &redact)
	p.flags(cmd, "never")
	return cmd
}

// formatList is the part of the help that comes from the registry.
func formatList() string {
	out := "Formats:"
	for _, f := range reports.Formats() {
		out += "\n  " + f.Name + spaces(12-len(f.Name)) + f.Doc
	}
	return out
}

func spaces(n int) string {
	out := ""
	for range n {
		out += " "
	}
	return out
}

// readReport reads a canonical report from a file, or from stdin for "-".
func (a *app) readReport(name string) (*verdict.Report, error) {
	var data []byte
	var err error
	if name == "-" {
		name = "stdin"
		data, err = io.ReadAll(a.stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, usage("%w%s", err, nearFile(name))
	}
	r, err := reports.Read(name, data)
	if err != nil {
		return nil, usage("%w", err)
	}
	return r, nil
}
