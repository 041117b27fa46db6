package main

import (
	"github.com/spf13/cobra"
)

func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usage("`%s` needs %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usage("`%s` needs %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("`%s` takes %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

// noArgs refuses positional arguments with a hint.
func noArgs(hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage("`%s` takes no argument, got %q; %s", cmd.CommandPath(), args[0], hint)
		}
		return nil
	}
}
