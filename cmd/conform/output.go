package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// output is one --format NAME[=FILE].
type output struct {
	format reports.Format
	file   string // "" is stdout
}

// outputs reads the --format flags. At most one of them may go to stdout, so that
// stdout stays one document.
func outputs(specs []string) ([]output, error) {
	if len(specs) == 0 {
		specs = []string{"text"}
	}
	var out []output
	onStdout := ""
	for _, spec := range specs {
		name, file, toFile := strings.Cut(spec, "=")
		f, err := reports.Lookup(name)
		if err != nil {
			return nil, usage("--format %s: %w", spec, err)
		}
		if toFile && file == "" {
			return nil, usage("--format %s: the file's name is empty; write --format %s=FILE", spec, name)
		}
		if !toFile {
			if onStdout != "" {
				return nil, usage("--format %s and --format %s both go to stdout; give one of them a file, as in --format %s=FILE", onStdout, name, name)
			}
			onStdout = name
		}
		out = append(out, output{f, file})
	}
	return out, nil
}

// manifestFlag adds the flag that says where findings are shown in formats that
// need a file.
func manifestFlag(cmd *cobra.Command, manifest *string) {
	cmd.Flags().StringVar(manifest, "manifest", "", "file of the repository at which sarif, github and gitlab show findings; conform run checks a server.json too")
}

// redactFlag adds the flag for reports that leave the house.
func redactFlag(cmd *cobra.Command, redact *bool) {
	cmd.Flags().BoolVar(redact, "redact-results", false, "leave what real results hold out of every format: the results, and their values in messages and hosts' words")
}

// write renders the report in every format. A file appears complete or not at all.
func (a *app) write(outs []output, r *verdict.Report, o reports.Options) error {
	for _, out := range outs {
		if out.file == "" {
			to := o
			to.Width, to.Color = columns(a.stdout), coloured(a.stdout)
			if err := out.format.Write(a.stdout, r, to); err != nil {
				return fmt.Errorf("writing %s to stdout: %w", out.format.Name, err)
			}
			continue
		}
		if err := writeFile(out.file, false, func(w io.Writer) error { return out.format.Write(w, r, o) }); err != nil {
			return fmt.Errorf("writing %s: %w", out.format.Name, err)
		}
	}
	return nil
}

// writeFile writes a file in place of the one that is there, at once: nobody sees
// half of it. private is for what only the user may read, whatever the umask and
// whoever could read the old one.
func writeFile(name string, private bool, write func(io.Writer) error) error {
	temp, regular := name+".part", true
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		temp, regular = name, false // a pipe or device cannot be replaced
	}
	mode := fs.FileMode(0o644)
	if private {
		mode = 0o600
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if private && regular {
		if err := f.Chmod(mode); err != nil { // a leftover of that name may be open to others
			return errors.Join(err, f.Close())
		}
	}
	buffered := bufio.NewWriterSize(f, 64<<10)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	switch {
	case !regular:
		return err
	case err != nil:
		os.Remove(temp)
		return err
	}
	return os.Rename(temp, name)
}
