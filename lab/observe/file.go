package observe

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Format is the "format" member of the first line of an observation file.
const Format = "conform-observation/1"

// Header is the first line of an observation file.
type Header struct {
	Format       string                        `json:"format"`
	Host         string                        `json:"host"`
	Version      string                        `json:"version"`
	Platform     string                        `json:"platform"`
	Date         string                        `json:"date"`
	Origin       string                        `json:"origin"`
	Probes       string                        `json:"probes"`
	Observations int                           `json:"observations"`
	ClientInfo   json.RawMessage               `json:"client_info,omitempty"`
	Handshakes   map[string][]Step             `json:"handshakes,omitempty"`  // by mode
	Counts       map[string]map[string]Counted `json:"counts,omitempty"`      // long lists, by mode and server
	Without      map[string]string             `json:"without,omitempty"`     // probe servers that were left out, and why
	Again        map[string][]string           `json:"asked_again,omitempty"` // servers of which a first start said less, by mode
	Same         map[string]string             `json:"same,omitempty"`        // modes that showed just what another did: not written twice
	Left         []string                      `json:"left_behind,omitempty"` // processes that outlived the host
}

// Write returns the file: the header, then one line per observation.
func Write(h Header, lines []Line) ([]byte, error) {
	h.Format, h.Observations = Format, len(lines)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("the header of %s %s: %w", h.Host, h.Version, err)
	}
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, fmt.Errorf("observation %s: %w", l.ID, err)
		}
	}
	return b.Bytes(), nil
}
