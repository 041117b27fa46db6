package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/matrix/verify"
)

func (a *app) capsVerifyCommand() *cobra.Command {
	var format, only string
	cmd := &cobra.Command{
		Use:  "verify FILE...",
		Args: atLeast(1, "files with observations (conform-observation/1), .gz or not"),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return unknownFormat(format)
			}
			report, err := a.verify(args, only)
			if err != nil {
				return err
			}
			return a.printVerified(report, format)
		},
	}
	helpFor(cmd, "caps-verify")
	cmd.Flags().StringVar(&only, "host", "", "only observations of this host")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) verify(files []string, only string) (*verify.Report, error) {
	table, err := a.table()
	if err != nil {
		return nil, err
	}
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	runner := verify.Runner{Table: table, Shapes: set, Only: only}
	report := &verify.Report{Format: verify.Format, Results: []verify.Result{}}
	for _, name := range files {
		in, err := open(name)
		if err != nil {
			return nil, usage("%w%s", err, nearFile(name))
		}
		results, err := runner.Read(name, in)
		in.Close()
		if err != nil {
			return nil, usage("%w", err)
		}
		report.Results = append(report.Results, results...)
	}
	report.Summary = verify.Sum(report.Results)
	return report, nil
}

// open opens a file, unpacked when its name ends in .gz.
func open(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

func (a *app) printVerified(r *verify.Report, format string) error {
	disagree := 0
	for _, result := range r.Results {
		if result.Why != "" {
			disagree++
		}
	}
	if format == "json" {
		e := json.NewEncoder(a.stdout)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			return err
		}
	} else {
		for _, result := range r.Results {
			if result.Why != "" && !a.quiet {
				fmt.Fprintf(a.stdout, "DIFF %s %s: %s\n", result.Host, result.ID, strings.ReplaceAll(result.Why, "\n", "\\n"))
			}
		}
		hosts := make([]string, 0, len(r.Summary.ByHost))
		for h := range r.Summary.ByHost {
			hosts = append(hosts, h)
		}
		sort.Strings(hosts)
		fmt.Fprintf(a.stdout, "%-28s %16s %16s %16s\n", "", "offered", "called", "seen")
		for _, h := range hosts {
			s := r.Summary.ByHost[h]
			fmt.Fprintf(a.stdout, "%-28s %16s %16s %16s\n", h, counter(s.Offered), counter(s.Called), counter(s.Seen))
		}
		s := r.Summary
		fmt.Fprintf(a.stdout, "%-28s %16s %16s %16s\n", "all", counter(s.Offered), counter(s.Called), counter(s.Seen))
	}
	if disagree > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

func counter(c verify.Counter) string {
	if c.Compared == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d %.1f%%", c.Agree, c.Compared, 100*float64(c.Agree)/float64(c.Compared))
}
