package model

import (
	"encoding/json"
	"regexp"
)

// Record is what one run showed the model.
type Record struct {
	Tools      []Tool   `json:"tools"`           // probe tools in the order in which they were first offered
	Answers    []Answer `json:"answers"`         // one per answered call
	Unanswered []string `json:"unanswered"`      // probes whose call never came back
	Again      []string `json:"again,omitempty"` // probes that were called a second time, because the first answer did not come back
	Named      []string `json:"named,omitempty"` // probes that a prompt named as deferred tools
	Requests   int      `json:"requests"`
	Side       []string `json:"side"` // method and path of requests that are no conversation
	Looped     bool     `json:"looped,omitempty"`
}

// Tool is a probe tool as the model was offered it.
type Tool struct {
	Probe       string          `json:"probe"`
	Name        string          `json:"name"`
	Namespace   string          `json:"namespace,omitempty"` // tools of a server offered as a group
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema,omitempty"`   // parameters, as written
	Rendered    string          `json:"rendered,omitempty"` // declaration in a programming language
	Output      json.RawMessage `json:"output,omitempty"`   // outputSchema, where the client shows it
	Strict      *bool           `json:"strict,omitempty"`
	Deferred    bool            `json:"defer_loading,omitempty"`
	Via         string          `json:"via,omitempty"` // the host's tool that disclosed it
	Copies      int             `json:"copies,omitempty"`
}

// Answer is the output of one call as it reached the model.
type Answer struct {
	Probe     string          `json:"probe"`
	Arguments json.RawMessage `json:"arguments"`
	Texts     Texts           `json:"texts"` // text parts in order
	Images    int             `json:"images"`
	After     int             `json:"images_after,omitempty"` // images of a message of the user that follows the answer
	Other     []string        `json:"other"`                  // types of further parts
	IsError   *bool           `json:"is_error,omitempty"`     // nil where the interface has no such mark
	Channel   string          `json:"channel,omitempty"`
	Value     json.RawMessage `json:"value,omitempty"` // what a program got, where a program made the call
	Thrown    string          `json:"thrown,omitempty"`
	Code      json.RawMessage `json:"code,omitempty"`
}

var tagged = regexp.MustCompile(`\[\[P:([A-Za-z0-9_]+)\]\]`)

// ProbeOf returns the probe id in a description, or "".
func ProbeOf(description string) string {
	if m := tagged.FindStringSubmatch(description); m != nil {
		return m[1]
	}
	return ""
}
