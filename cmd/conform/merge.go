package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

func (a *app) mergeCommand() *cobra.Command {
	var formats []string
	var p policy
	var manifest string
	cmd := &cobra.Command{
		Use:  "merge [flags] SHARD.json...",
		Args: atLeast(1, "the JSON reports of all shards of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			outs, err := outputs(formats)
			if err != nil {
				return err
			}
			if err := p.check(); err != nil {
				return err
			}
			var shards []*verdict.Report
			for _, name := range args {
				r, err := a.readReport(name)
				if err != nil {
					return err
				}
				shards = append(shards, r)
			}
			merged, err := reports.Merge(args, shards)
			if err != nil {
				return usage("%w", err)
			}
			if err := a.write(outs, merged, reports.Options{Verbose: a.verbose, Quiet: a.quiet, Manifest: manifest, FailOn: p.verdict()}); err != nil {
				return err
			}
			return p.judge(merged)
		},
	}
	helpFor(cmd, "merge")
	cmd.Flags().StringArrayVar(&formats, "format", nil, "output format, or format=FILE; repeatable")
	completeFormats(cmd)
	manifestFlag(cmd, &manifest)
	p.flags(cmd, "breaks")
	return cmd
}

// shard is one part of a run.
type shard struct{ index, of int }

// shardOf reads --shard i/n, or the variables that CI systems set for a parallel
// job: CI_NODE_INDEX (from 1) and CI_NODE_TOTAL (GitLab, CircleCI counts from 0 as
// CIRCLE_NODE_INDEX), JOB_COMPLETION_INDEX (Kubernetes Indexed Job, from 0) with
// JOB_COMPLETIONS. --shard auto takes them.
func shardOf(spec string) (shard, error) {
	none := shard{1, 1}
	switch spec {
	case "":
		return none, nil
	case "auto":
		for _, v := range []struct {
			index, total string
			first        int
		}{
			{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
			{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
			{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0},
		} {
			if os.Getenv(v.index) == "" {
				continue
			}
			i, err1 := strconv.Atoi(os.Getenv(v.index))
			n, err2 := strconv.Atoi(os.Getenv(v.total))
			if err1 != nil || err2 != nil {
				return none, usage("--shard auto: %s is %q and %s is %q; both must be numbers", v.index, os.Getenv(v.index), v.total, os.Getenv(v.total))
			}
			return checkShard(i-v.first+1, n)
		}
		return none, usage("--shard auto: none of CI_NODE_INDEX, CIRCLE_NODE_INDEX and JOB_COMPLETION_INDEX is set")
	}
	left, right, ok := strings.Cut(spec, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	if !ok || err1 != nil || err2 != nil {
		return none, usage("--shard %s: needs i/n, e.g. 1/4, or auto", spec)
	}
	return checkShard(i, n)
}

func checkShard(i, n int) (shard, error) {
	if n < 1 || i < 1 || i > n {
		return shard{1, 1}, usage("--shard %d/%d: i goes from 1 to n", i, n)
	}
	return shard{i, n}, nil
}

// mine reports whether a tool of a server belongs to the shard.
func (s shard) mine(server, tool string) bool {
	return s.of <= 1 || reports.ShardOf(server, tool, s.of) == s.index
}
