package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/recording"
)

func (a *app) recordCommand() *cobra.Command {
	o := &runOptions{}
	file, listen := "", ""
	between := false
	cmd := &cobra.Command{
		Use: "record [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.target.positional(cmd, args); err != nil {
				return err
			}
			if between {
				return a.recordBetween(cmd.Context(), o, file, listen)
			}
			return a.record(cmd.Context(), o, file)
		},
	}
	helpFor(cmd, "record")
	o.target.flags(cmd)
	o.capture.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&file, "output", "o", "", "file to write; without it the recording goes to stdout")
	f.BoolVar(&between, "proxy", false, "stand between a real host and the server and record what passes; put this command into the host's configuration")
	f.StringVar(&listen, "listen", "127.0.0.1:0", "with --proxy and --url: address for the host to talk to")
	f.StringSliceVar(&o.select_.hosts, "host", nil, "make the handshakes of these hosts only; repeatable")
	f.StringSliceVar(&o.select_.sets, "host-set", nil, "make the handshakes of these sets of hosts; repeatable")
	f.StringVar(&o.protocol, "protocol", "", "protocol revision to speak in place of what the hosts speak, or all")
	a.completeHosts(cmd)
	return cmd
}

// record captures a server and writes what passed, secrets redacted. With
// --replay it rewrites other files as one recording.
func (a *app) record(ctx context.Context, o *runOptions, file string) error {
	table, err := a.table()
	if err != nil {
		return err
	}
	columns, _, err := splitSelection(o.select_).resolve(table)
	if err != nil {
		return err
	}
	started := time.Now().UTC().Format(time.RFC3339)
	capture, captureErr := a.obtain(ctx, o, columns)
	if capture == nil {
		return captureErr
	}
	if captureErr != nil && len(capture.Sessions) == 0 {
		return captureErr
	}
	target, err := o.target.wire()
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		return recording.WriteCapture(w, capture, version(), cmp.Or(capture.Recorded, started), recording.NewRedactor(target.Secrets()...))
	}
	if file == "" {
		err = write(a.stdout)
	} else {
		err = writeFile(file, true, write)
	}
	if err != nil {
		return fmt.Errorf("writing the recording: %w", err)
	}
	a.warn("%s", recorded(capture))
	if captureErr != nil {
		return &exitError{codeOf(captureErr), fmt.Errorf("the recording holds what was established before this: %w", captureErr)}
	}
	return nil
}

// recorded sums a capture up in one line.
func recorded(c *recording.Capture) string {
	tools, calls := 0, 0
	for _, s := range c.Sessions {
		tools = max(tools, len(s.Tools))
		calls += len(s.Calls)
	}
	return fmt.Sprintf("recorded %s with %s and %s", counted(len(c.Sessions), "session"), counted(tools, "tool"), counted(calls, "call"))
}
