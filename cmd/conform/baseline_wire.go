package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

const (
	defaultWireGolden = "conform.wire.golden"
	// wireFormat is the first line of a golden of the wire. After it each answer is a
	// line of JSON, a [wireHead], then that many raw bytes and a line feed: the bytes
	// are kept as they are, because to write them as JSON would be to change them.
	wireFormat = "conform-wire/1"
)

// wireHead names an answer in a golden.
type wireHead struct {
	Revision string `json:"revision"`
	Request  string `json:"request"`
	Bytes    int    `json:"bytes"`
}

func (a *app) baselineWireCommand() *cobra.Command {
	o := &runOptions{}
	var file, check string
	cmd := &cobra.Command{
		Use: "wire [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.target.positional(cmd, args); err != nil {
				return err
			}
			if check != "" && cmd.Flags().Changed("output") {
				return usage("--check compares and writes nothing; leave out --output, or --check")
			}
			if o.protocol != legacyRevisions && (o.protocol == "all" || recording.EraOf(o.protocol) == recording.Modern) {
				return usage("--protocol %s: the golden holds legacy answers; name a revision before 2026-07-28", o.protocol)
			}
			if check != "" {
				return a.checkWire(cmd.Context(), o, check)
			}
			return a.writeWire(cmd.Context(), o, file)
		},
	}
	helpFor(cmd, "baseline-wire")
	o.target.flags(cmd)
	o.capture.connecting(cmd) // one call at a time: the order of the answers is the server's, not ours
	o.capture.samples.flags(cmd)
	cmd.Flags().StringVarP(&file, "output", "o", defaultWireGolden, "file to write")
	cmd.Flags().StringVar(&check, "check", "", "compare with this golden in place of writing one")
	cmd.Flags().StringVar(&o.protocol, "protocol", legacyRevisions, "legacy revision to speak, or all of them")
	return cmd
}

func (a *app) writeWire(ctx context.Context, o *runOptions, file string) error {
	answers, err := a.wireAnswers(ctx, o)
	if err != nil {
		return err
	}
	if err := writeFile(file, false, func(w io.Writer) error { return encodeWire(w, answers) }); err != nil {
		return fmt.Errorf("writing the golden: %w", err)
	}
	a.warn("wrote %d legacy answers to %s", len(answers), file)
	return nil
}

// checkWire prints where each answer first differs from the golden; any difference
// is exit code 1.
func (a *app) checkWire(ctx context.Context, o *runOptions, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return usage("--check: %w%s; `conform baseline wire -o FILE` makes one", err, nearFile(file))
	}
	golden, err := decodeWire(data)
	if err != nil {
		return usage("--check %s: %w", file, err)
	}
	if o.protocol != legacyRevisions { // the rest of the golden was not asked for
		golden = slices.DeleteFunc(golden, func(w lint.WireAnswer) bool { return w.Session != o.protocol })
	}
	now, err := a.wireAnswers(ctx, o)
	if err != nil {
		return err
	}
	differences, all := compareWire(golden, now)
	shown := map[string]bool{} // a server that agrees to one revision only says the same several times
	for _, d := range differences {
		if !shown[d] {
			shown[d] = true
			fmt.Fprintln(a.stdout, d)
		}
	}
	if len(differences) > 0 {
		return &exitError{exitFindings, fmt.Errorf("%d of %d legacy answers are not those of %s", len(differences), all, file)}
	}
	fmt.Fprintf(a.stdout, "%d legacy answers, byte for byte those of %s\n", len(now), file)
	return nil
}

// wireAnswers are the answers of the legacy sessions, secrets redacted.
func (a *app) wireAnswers(ctx context.Context, o *runOptions) ([]lint.WireAnswer, error) {
	capture, err := a.obtain(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	var secrets []string
	if len(o.target.replay) == 0 {
		target, err := o.target.wire()
		if err != nil {
			return nil, err
		}
		secrets = target.Secrets()
	}
	redactor := recording.NewRedactor(secrets...)
	var out []lint.WireAnswer
	for _, answer := range lint.WireAnswers(capture) {
		if recording.EraOf(answer.Session) == recording.Modern || o.protocol != legacyRevisions && answer.Session != o.protocol {
			continue
		}
		answer.Request = strings.TrimSpace(answer.Request)
		answer.Bytes = redactor.Clean(answer.Bytes)
		out = append(out, answer)
	}
	if len(out) == 0 {
		return nil, &exitError{exitIncomplete, fmt.Errorf("the server answered no tools/list in a legacy revision (--protocol %s), so there is nothing to keep or compare", o.protocol)}
	}
	return out, nil
}

// compareWire returns a text for each answer that differs, is gone or is new, and how
// many answers there are in either. The n-th answer to a request is compared with its
// n-th in the golden.
func compareWire(golden, now []lint.WireAnswer) (out []string, all int) {
	type key struct {
		session, request string
		n                int
	}
	keyed := func(answers []lint.WireAnswer) (keys []key, bytes map[key][]byte) {
		count, bytes := map[key]int{}, map[key][]byte{}
		for _, w := range answers {
			k := key{session: w.Session, request: w.Request}
			count[k]++
			k.n = count[k]
			keys, bytes[k] = append(keys, k), w.Bytes
		}
		return keys, bytes
	}
	before, was := keyed(golden)
	after, is := keyed(now)
	for _, k := range before {
		answer, there := is[k]
		if !there {
			out = append(out, fmt.Sprintf("%s %q: no longer answered", k.session, k.request))
			continue
		}
		if d := lint.CompareWire(was[k], answer); d != nil {
			out = append(out, fmt.Sprintf("%s %q: first differs at byte %d\n  golden: %q\n  now:    %q", k.session, k.request, d.Offset, d.Golden, d.Now))
		}
	}
	all = len(before)
	for _, k := range after {
		if _, there := was[k]; !there {
			all++
			out = append(out, fmt.Sprintf("%s %q: not in the golden", k.session, k.request))
		}
	}
	return out, all
}

func encodeWire(w io.Writer, answers []lint.WireAnswer) error {
	var b bytes.Buffer
	b.WriteString(wireFormat + "\n")
	for _, answer := range answers {
		head, err := json.Marshal(wireHead{answer.Session, answer.Request, len(answer.Bytes)})
		if err != nil {
			return err
		}
		b.Write(head)
		b.WriteByte('\n')
		b.Write(answer.Bytes)
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// decodeWire reads what encodeWire wrote; anything else is an error with its place.
func decodeWire(data []byte) (out []lint.WireAnswer, err error) {
	rest, is := bytes.CutPrefix(data, []byte(wireFormat+"\n"))
	if !is {
		return nil, fmt.Errorf("is no golden of the wire: its first line is not %s", wireFormat)
	}
	for len(rest) > 0 {
		at := len(data) - len(rest)
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		var head wireHead
		if err := json.Unmarshal(line, &head); err != nil {
			return nil, fmt.Errorf("byte %d: names no answer: %w", at, err)
		}
		if head.Bytes < 0 || head.Bytes >= len(after) || after[head.Bytes] != '\n' {
			return nil, fmt.Errorf("byte %d: the answer to %s is not %d bytes long; was the file edited, or its line ends converted?", at, head.Request, head.Bytes)
		}
		out = append(out, lint.WireAnswer{Session: head.Revision, Request: head.Request, Bytes: after[:head.Bytes]})
		rest = after[head.Bytes+1:]
	}
	return out, nil
}
