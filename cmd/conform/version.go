package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the module's version as the build recorded it; "devel" for a build
// from a work tree.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func (a *app) versionCommand() *cobra.Command {
	var format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "version",
		Args: noArgs("it prints the version"),
		RunE: func(*cobra.Command, []string) error {
			table, err := a.table()
			if err != nil {
				return err
			}
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				Table   string `json:"table"`
				Hosts   int    `json:"hosts"`
			}{version(), runtime.Version(), digest(table), len(table.Hosts())}
			switch {
			case asJSON || format == "json":
				return a.printJSON(v)
			case format != "text":
				return unknownFormat(format)
			}
			fmt.Fprintf(a.stdout, "conform %s (%s), table %s with %d rows\n", v.Version, v.Go, v.Table, v.Hosts)
			return nil
		},
	}
	helpFor(cmd, "version")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	return cmd
}

// printJSON writes a value as indented JSON without HTML escapes.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func unknownFormat(format string) error {
	return usage("--format %s: there are text and json", format)
}
