// Command speed does with the Go profiles what js/load.mjs does with the real
// TypeScript SDK client: it parses a load of tools and results, compiles each
// outputSchema and validates each result, for every profile that is named. It
// prints one JSON line with the CPU seconds and the peak memory of the process.
//
//	go run ./validators/oracle/speed PAGES RESULTS [PROFILE…]
//
// speed.sh runs both and prints the ratio.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
)

// cost is the answer line.
type cost struct {
	Tools    int `json:"tools"`
	Profiles int `json:"profiles"`
	// Verdicts counts results judged, over all profiles; Valid those accepted, Refused
	// those whose schema a profile does not compile, Unknown those it cannot tell.
	Verdicts int     `json:"verdicts"`
	Valid    int     `json:"valid"`
	Refused  int     `json:"refused"`
	Unknown  int     `json:"unknown"`
	CPU      float64 `json:"cpu_seconds"`
	PeakMiB  int64   `json:"peak_mib"`
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: speed PAGES RESULTS [PROFILE…]")
		os.Exit(2)
	}
	c, err := run(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(2)
	}
	if err := json.NewEncoder(os.Stdout).Encode(c); err != nil {
		os.Exit(2)
	}
}

func run(pages, results string, profiles []string) (cost, error) {
	if len(profiles) == 0 {
		for _, p := range validators.Profiles() {
			profiles = append(profiles, p.ID)
		}
	}
	returned, err := readResults(results)
	if err != nil {
		return cost{}, err
	}
	c := cost{Profiles: len(profiles)}
	err = eachLine(pages, func(line []byte) error {
		message, err := schema.Parse(line, schema.Limits{})
		if err != nil {
			return err
		}
		for _, tool := range message.Get("result").Get("tools").Items {
			name, _ := tool.Get("name").IsString()
			c.Tools++
			if err := c.judge(tool.Get("outputSchema"), returned[name], profiles); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return cost{}, err
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return cost{}, err
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	c.CPU, c.PeakMiB = seconds(usage.Utime)+seconds(usage.Stime), usage.Maxrss/1024
	return c, nil
}

// judge validates one tool's result under every profile.
func (c *cost) judge(document, instance *schema.Value, profiles []string) error {
	if document == nil || instance == nil {
		return nil
	}
	for _, profile := range profiles {
		c.Verdicts++
		validator, err := validators.Compile(profile, document)
		switch err.(type) {
		case nil:
		case *validators.CompileError:
			c.Refused++
			continue
		case *validators.UnknownError:
			c.Unknown++
			continue
		default:
			return err
		}
		switch validator.Validate(instance).Outcome {
		case validators.Valid:
			c.Valid++
		case validators.Unknown:
			c.Unknown++
		}
	}
	return nil
}

// readResults returns the structuredContent of each tool's result.
func readResults(name string) (map[string]*schema.Value, error) {
	out := map[string]*schema.Value{}
	err := eachLine(name, func(line []byte) error {
		v, err := schema.Parse(line, schema.Limits{})
		if err != nil {
			return err
		}
		tool, _ := v.Get("tool").IsString()
		out[tool] = v.Get("result").Get("structuredContent")
		return nil
	})
	return out, err
}

func eachLine(name string, take func([]byte) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var source io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if source, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	r := bufio.NewReaderSize(source, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			if err := take(line); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
