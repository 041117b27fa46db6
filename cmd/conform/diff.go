package main

import (
	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/reports"
)

func (a *app) diffCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:  "diff OLD.json NEW.json",
		Args: exactly(2, "two reports, the older one first"),
		RunE: func(_ *cobra.Command, args []string) error {
			old, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			new, err := a.readReport(args[1])
			if err != nil {
				return err
			}
			d := reports.Compare(old, new)
			if err := reports.WriteDiff(a.stdout, d, format); err != nil {
				return usage("--format: %w", err)
			}
			if d.Summary.NewBreaks > 0 {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	helpFor(cmd, "diff")
	cmd.Flags().StringVar(&format, "format", "text", "text, markdown or json")
	return cmd
}
