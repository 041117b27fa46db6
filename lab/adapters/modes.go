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

// everyMode adds to each adapter the modes that any host can be run in: long lists
// and texts, odd and silent servers, servers of another era, and servers over
// HTTP. They vary the adapter's first mode. One that the adapter has under the
// same name, or that differs in nothing, is left as it is.
func everyMode(list []Adapter) []Adapter {
	for i := range list {
		a := &list[i]
		for _, m := range []Mode{
			{Name: "count", Only: countServers},
			{Name: "long", Only: longServers},
			{Name: "odd", Only: oddServers},
			{Name: "quiet", Only: quietServers, Limit: quietLimit},
			{Name: "modernserver", Only: plainServers, Era: probe.Modern},
			{Name: "dualserver", Only: plainServers, Era: probe.Dual},
			{Name: "http", Only: plainServers, HTTP: true},
			{Name: "http_modernserver", Only: plainServers, HTTP: true, Era: probe.Modern},
			{Name: "http_dualserver", Only: plainServers, HTTP: true, Era: probe.Dual},
		} {
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
