package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/lab/serve"
)

// labInnerCommand is the process inside the room; `lab run` starts it.
func labInnerCommand() *cobra.Command {
	return &cobra.Command{Use: "inner JOB", Hidden: true, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return lab.Inner(cmd.Context(), args[0], func(j lab.Job) (adapters.Adapter, error) {
			adapter, _, _, err := adapters.Find(j.Host)
			return adapter, err
		})
	}}
}

// labProbeServerCommand is a probe server over stdio; hosts start it.
func (a *app) labProbeServerCommand() *cobra.Command {
	var name, era, path, catalogue string
	cmd := &cobra.Command{Use: "probe-server", Hidden: true, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		c, err := probe.Open(catalogue)
		if err != nil {
			return err
		}
		server, ok := c.Server(name)
		if name == serve.ReportServer {
			server, ok = serve.Reporting(), true
		}
		if !ok {
			return usage("--server %s: no such probe server", name)
		}
		log, err := probe.OpenLog(path)
		if err != nil {
			return err
		}
		defer log.Close()
		return server.ServeStdio(probe.Era(cmp.Or(era, string(probe.Legacy))), a.stdin, a.stdout, log)
	}}
	cmd.Flags().StringVar(&name, "server", "", "probe server")
	cmd.Flags().StringVar(&era, "era", "", "legacy, modern or dual")
	cmd.Flags().StringVar(&catalogue, "catalogue", "", "file with the probes")
	cmd.Flags().StringVar(&path, "log", "", "file that gets a line per message")
	return cmd
}
