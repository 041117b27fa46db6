// Package verdict holds the words of a report: verdict, stage, blast radius,
// finding, cell and the canonical report (conform-report/1) that every writer is
// a function of.
package verdict

// Verdict is what becomes of one tool in one host; the worst finding wins.
type Verdict string

// The four verdicts, best first.
const (
	Works    Verdict = "works"
	Unknown  Verdict = "unknown"
	Degraded Verdict = "degraded"
	Breaks   Verdict = "breaks"
)

var ranks = map[Verdict]int{Works: 0, Unknown: 1, Degraded: 2, Breaks: 3}

// Rank orders verdicts, 0 (works) to 3 (breaks).
func (v Verdict) Rank() int { return ranks[v] }

// Worse returns the worse of two verdicts.
func Worse(a, b Verdict) Verdict {
	if b.Rank() > a.Rank() {
		return b
	}
	return a
}

// Stage is a station of the pipeline.
type Stage string

// The six stages in the order of the data.
const (
	Connect Stage = "connect"
	List    Stage = "list"
	Offer   Stage = "offer"
	Call    Stage = "call"
	Result  Stage = "result"
	View    Stage = "view"
)

// Stages lists the pipeline in order.
var Stages = []Stage{Connect, List, Offer, Call, Result, View}

// Blast is how much goes down with one fault.
type Blast string

// The three radii, smallest first.
const (
	BlastTool    Blast = "tool"    // the tool or the call alone
	BlastServer  Blast = "server"  // every tool of the server
	BlastRequest Blast = "request" // every tool of every server in the chat turn
)

// Severity is how much a finding matters.
type Severity string

// The severities. Error breaks a cell, Warning degrades it, Info changes
// nothing, Undecided makes the cell unknown.
const (
	Error     Severity = "error"
	Warning   Severity = "warning"
	Info      Severity = "info"
	Undecided Severity = "unknown"
)

// Effect is the verdict that a finding of this severity gives its cell.
func (s Severity) Effect() Verdict {
	switch s {
	case Error:
		return Breaks
	case Warning:
		return Degraded
	case Undecided:
		return Unknown
	}
	return Works
}

// Finding is one thing that was established about a cell.
type Finding struct {
	Rule     string   `json:"rule"` // stable kebab-case id
	Severity Severity `json:"severity"`
	Stage    Stage    `json:"stage"`
	Blast    Blast    `json:"blast,omitempty"`
	Message  string   `json:"message"`
	// HostText is what the host says, in its own words; "" when it says nothing.
	HostText string `json:"host_text,omitempty"`
	// Culprit is the tool that did it, when that is another one than the cell's.
	Culprit       string `json:"culprit,omitempty"`
	SchemaPointer string `json:"schema_pointer,omitempty"`
	DataPointer   string `json:"data_pointer,omitempty"`
	// Sample is "real" or "synthesized" when the finding rests on a result.
	Sample   string   `json:"sample,omitempty"`
	Witness  string   `json:"witness,omitempty"` // the synthesized instance, compact JSON
	Basis    string   `json:"basis,omitempty"`
	Evidence []string `json:"evidence,omitempty"`
	Note     string   `json:"note,omitempty"` // why the basis is lower than the evidence
	// Fix names the verified rewrites that mend it, joined by " + ".
	Fix string `json:"fix,omitempty"`
	// FixText is Fix for people: what the rewrites do, in how many hosts that was
	// verified, and what is lost; "" in reports of older versions.
	FixText string `json:"fix_text,omitempty"`
}

// Mending is what to do about the finding in one line; "" where nothing is known.
func (f Finding) Mending() string {
	if f.FixText != "" {
		return f.FixText
	}
	return f.Fix
}

// Cell is one tool in one host. Tool is "" for a cell about the whole server.
type Cell struct {
	Tool        string  `json:"tool"`
	Host        string  `json:"host"`
	HostVersion string  `json:"host_version"`
	Verdict     Verdict `json:"verdict"`
	Stage       Stage   `json:"stage,omitempty"` // stage of the worst finding
	Blast       Blast   `json:"blast,omitempty"`
	// Checked: the host (or the emulation of its validator) looked at a result.
	Checked bool `json:"checked"`
	// Search says what was found beyond the real samples: "proven" (host and dialect
	// read the outputSchema alike), "found" (a synthesized finding), "tried" (neither),
	// or "" (the host validates no result, or a real one shows the fault).
	Search string `json:"search,omitempty"`
	// Tried is the number of results, made from the outputSchema and allowed by its own
	// dialect, that the host's validator was asked about; 0 where a proof made that
	// needless, or where none could be made (an info finding says why).
	Tried int `json:"tried,omitempty"`
	// ArgumentSearch and ArgumentsTried are the same for the arguments that a host
	// checks before the call, made from the inputSchema.
	ArgumentSearch string `json:"argument_search,omitempty"`
	ArgumentsTried int    `json:"arguments_tried,omitempty"`

	Basis    string    `json:"basis,omitempty"` // weakest basis of the claims that decided
	Modelled []string  `json:"modelled"`
	Findings []Finding `json:"findings,omitempty"`
	// App is "down" when the tool carries an MCP App and is down with it, "shown" or "lost".
	App string `json:"app,omitempty"`
}

// Host is one column of a report.
type Host struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Kind      string   `json:"kind"`
	Surface   string   `json:"surface,omitempty"` // ide, cli, desktop, web, library, api
	Modelled  []string `json:"modelled"`
	LastSeen  string   `json:"last_seen,omitempty"`  // YYYY-MM-DD of the newest observation or source reading
	StaleDays *int     `json:"stale_days,omitempty"` // nil: never observed
	Protocol  string   `json:"protocol,omitempty"`   // revision of the session that was evaluated
}

// Advice is a finding of a host-independent rule.
type Advice struct {
	Tool     string   `json:"tool"`
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Pointer  string   `json:"pointer,omitempty"`
	Session  string   `json:"session,omitempty"`
	Source   string   `json:"source,omitempty"` // specification section or other ground
}

// NotChecked is a rule that lacked what it needs: neither passed nor failed.
type NotChecked struct {
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
}

// Report is the canonical report, conform-report/1.
type Report struct {
	Format  string   `json:"format"`
	Conform Program  `json:"conform"`
	Target  Target   `json:"target"`
	Hosts   []Host   `json:"hosts"`
	Tools   []Tool   `json:"tools"`
	Cells   []Cell   `json:"cells"`
	Advice  []Advice `json:"advice"`
	// NotChecked are the rules that have no answer about this server, with the reason.
	NotChecked []NotChecked `json:"not_checked,omitempty"`
	// Evidence resolves the references of the findings.
	Evidence map[string]Evidence `json:"evidence,omitempty"`
	// Servers are the targets of a report about several servers of one configuration.
	Servers []Target `json:"servers,omitempty"`
	// Shard is set when the report holds one part of a run's tools.
	Shard   *Shard  `json:"shard,omitempty"`
	Summary Summary `json:"summary"`
}

// Shard says which part of a run a report holds.
type Shard struct {
	Index int `json:"index"` // 1 to Of
	Of    int `json:"of"`
}

// Format is the value of Report.Format.
const Format = "conform-report/1"

// Program says which program and table made the report, and when.
type Program struct {
	Version string `json:"version"`
	Table   string `json:"table"`          // digest of the capability table
	Time    string `json:"time,omitempty"` // RFC 3339; the only part that differs between two runs
}

// Target is the server that was looked at.
type Target struct {
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	Transport  string      `json:"transport"`
	Command    []string    `json:"command,omitempty"`
	URL        string      `json:"url,omitempty"`
	Handshakes []Handshake `json:"handshakes"`
	// Digest names the tool definitions of all sessions, so that two reports tell
	// whether the server changed.
	Digest string `json:"digest,omitempty"`
}

// Handshake is one session of the target.
type Handshake struct {
	ID         string `json:"id"`
	Requested  string `json:"requested"`
	Negotiated string `json:"negotiated,omitempty"`
	Tools      int    `json:"tools"`
	Error      string `json:"error,omitempty"`
}

// Tool is one row of the report: how it was sampled.
type Tool struct {
	Name    string `json:"name"`
	Samples int    `json:"samples"` // real results
	How     string `json:"how"`     // "called", "not called: ...", "recorded"
	App     string `json:"app,omitempty"`
	// Definition is the entry of tools/list as the server wrote it, on one line; ""
	// when the report does not carry it (too long, or made by an older version).
	Definition string `json:"definition,omitempty"`
	// Results are real results in the order of the calls, the first few that are
	// short enough.
	Results []string `json:"results,omitempty"`
	// Offers are the different forms in which models get the tool, for tools that do
	// not simply work everywhere.
	Offers []Offered `json:"offers,omitempty"`
}

// Offered is a tool as the models of some hosts get it.
type Offered struct {
	// Names are the hosts (id, or "id version") and what each calls the tool.
	Names       map[string]string `json:"names"`
	Description *string           `json:"description,omitempty"` // nil when it is the server's
	Schema      string            `json:"schema,omitempty"`      // JSON text; "" when it is the server's inputSchema
	Rendered    string            `json:"rendered,omitempty"`    // a declaration in another language
	// Cut: the texts are too long for the report; only the names are told.
	Cut bool `json:"cut,omitempty"`
}

// Evidence is why a claim is believed, as shown in reports.
type Evidence struct {
	Basis   string `json:"basis"`
	Version string `json:"version,omitempty"`
	Date    string `json:"date,omitempty"`
	Ref     string `json:"ref,omitempty"` // observation file, repo@commit:path or URL
	Text    string `json:"text,omitempty"`
}

// Summary counts cells by verdict.
type Summary struct {
	Cells    int `json:"cells"`
	Works    int `json:"works"`
	Degraded int `json:"degraded"`
	Breaks   int `json:"breaks"`
	Unknown  int `json:"unknown"`
}

// Count adds up the verdicts of cells.
func Count(cells []Cell) Summary {
	s := Summary{Cells: len(cells)}
	for _, c := range cells {
		switch c.Verdict {
		case Works:
			s.Works++
		case Degraded:
			s.Degraded++
		case Breaks:
			s.Breaks++
		default:
			s.Unknown++
		}
	}
	return s
}
