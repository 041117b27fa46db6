package adapters

import (
	"slices"
	"time"

	"github.com/hostmatrix/conform/lab/probe"
)

// The probe servers of modes that look at one thing.
var (
	plainServers = []string{"probe"}
	countServers = []string{"count"}
	longServers  = []string{"long"}
	oddServers   = []string{"deep", "version_2024_10_07", "version_2024_11_05", "version_2025_03_26", "version_2025_06_18", "version_2025_11_25", "version_2026_07_28",
		"version_2099_01_01", "hello_no_info", "hello_no_capabilities", "hello_no_tools", "hello_null_instructions", "hello_extra", "hello_info_no_version",
		"wrong_arguments", "apps"}
	quietServers = []string{"quiet_control", "quiet_initialize", "quiet_discover", "quiet_list", "quiet_call"}
)

// quietLimit is how long a host may wait for servers that never answer: three waits
// of a minute, which is what most clients wait for one answer, and a start.
const quietLimit = 5 * time.Minute

// Besides lists the modes that hosts are run in besides their own: they vary a
// host's first mode.
func Besides() []Mode {
	return []Mode{
		{Name: "count", Only: countServers, About: "a list of 600 tools"},
		{Name: "long", Only: longServers, About: "ladders of lengths: texts, structured results, descriptions, schemas, names"},
		{Name: "odd", Only: oddServers, About: "many pages, odd answers to initialize, wrong arguments, tools with pages of their own"},
		{Name: "quiet", Only: quietServers, Limit: quietLimit, Waits: true, About: "servers that never answer one kind of request; takes minutes"},
		{Name: "modernserver", Only: plainServers, Era: probe.Modern, About: "a server that knows no initialize"},
		{Name: "dualserver", Only: plainServers, Era: probe.Dual, About: "a server of both eras"},
		{Name: "http", Only: plainServers, HTTP: true, About: "over Streamable HTTP"},
		{Name: "http_modernserver", Only: plainServers, HTTP: true, Era: probe.Modern, About: "over Streamable HTTP, a server that knows no initialize"},
		{Name: "http_dualserver", Only: plainServers, HTTP: true, Era: probe.Dual, About: "over Streamable HTTP, a server of both eras"},
	}
}

// everyMode adds these modes to each adapter. One that the adapter has under the
// same name, or that differs in nothing from one that it has, is left out.
func everyMode(list []Adapter) []Adapter {
	for i := range list {
		a := &list[i]
		for _, m := range Besides() {
			m.Model, m.Flag = a.Modes[0].Model, a.Modes[0].Flag
			same := func(have Mode) bool {
				return have.Name == m.Name || have.HTTP == m.HTTP && have.Era == m.Era && have.Flag == m.Flag && have.Model == m.Model && slices.Equal(have.Only, m.Only)
			}
			if !slices.ContainsFunc(a.Modes, same) {
				a.Modes = append(slices.Clone(a.Modes), m)
			}
		}
	}
	return list
}
