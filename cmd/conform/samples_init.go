package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

func (a *app) samplesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "samples", Args: cobra.ArbitraryArgs, RunE: group}
	helpFor(cmd, "samples")
	cmd.AddCommand(a.samplesInitCommand())
	return cmd
}

func (a *app) samplesInitCommand() *cobra.Command {
	o := &runOptions{}
	file := ""
	cmd := &cobra.Command{
		Use: "init [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.target.positional(cmd, args); err != nil {
				return err
			}
			session, _, err := a.listOnly(cmd, o)
			if err != nil {
				return err
			}
			return a.writeNew(file, recording.InitSamples(session))
		},
	}
	helpFor(cmd, "samples-init")
	o.target.flags(cmd)
	o.capture.connecting(cmd)
	cmd.Flags().StringVarP(&file, "output", "o", defaultSamples, "file to write, - for stdout")
	return cmd
}

// listOnly makes one session with the server, lists its tools and calls none.
func (a *app) listOnly(cmd *cobra.Command, o *runOptions) (*recording.Session, *recording.Capture, error) {
	switch n := o.target.count(); {
	case n == 0:
		return nil, nil, &exitError{exitUsage, errNoTarget}
	case n > 1:
		return nil, nil, usage("more than one target: give a server command, or --url, or --replay")
	}
	capture, err := a.listed(cmd.Context(), o)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range capture.Sessions {
		if s.InitError == nil {
			return s, capture, nil
		}
	}
	return nil, nil, &exitError{exitIncomplete, fmt.Errorf("no session of it worked, so its tools are not known")}
}

func (a *app) listed(ctx context.Context, o *runOptions) (*recording.Capture, error) {
	if len(o.target.replay) > 0 {
		return replay(o.target.replay)
	}
	target, options, closing, err := a.live(o)
	if err != nil {
		return nil, err
	}
	defer closing()
	return wire.Capture(ctx, target, options)
}

// writeNew writes a file that must not be there yet: what a person wrote is never
// overwritten.
func (a *app) writeNew(name string, text []byte) error {
	if name == "-" {
		_, err := io.Copy(a.stdout, bytes.NewReader(text))
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage("%s is there already and may hold what somebody wrote; remove it or choose another -o", name)
	case err != nil:
		return usage("%w; choose a place that can be written to", err)
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	a.warn("wrote %s", name)
	return f.Close()
}
