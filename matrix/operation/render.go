package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

// View is a result on its way to the model. Render steps read Result and change
// the rest; the last state of Parts is what the model sees.
type View struct {
	Tool         *schema.Value // the entry of tools/list as sent
	Name         string        // the name under which the model knows the tool
	Server       string        // the server's name in the host's configuration
	Arguments    *schema.Value
	Result       *schema.Value // the CallToolResult as sent; nil for an error
	RPCError     *schema.Value // the JSON-RPC error object; nil for a result
	FailureWords string        // template of what the host says of a JSON-RPC error (claim result.error)
	Rejected     string        // the host's words when it rejected the result at an earlier stage
	Malformed    bool          // it was rejected by the parser of results
	Refused      bool          // the host answered the call itself, the server never saw it
	Structured   *schema.Value // structuredContent as it stands
	Content      []*schema.Value
	IsError      bool

	Parts []Part
	// ErrorShown: the wire to the model has an error mark and it is set; nil when it has none.
	ErrorShown *bool
	// Cuts lists what was cut off.
	Cuts []CutMark

	stripped    []string // MIME types of data that the host took out
	omitted     int      // pictures that the host could not read and left out
	markUnknown bool     // nobody knows whether the model can tell an error

	done bool // a step has shown the result; only wrapping and cutting follow
}

// Part is one piece of what the model sees.
type Part struct {
	Kind string // "text", "json", "image", "image-beside" (in a message of its own), "audio"
	Text string
}

// CutMark is one place where text was cut.
type CutMark struct {
	Kept, Of int    // UTF-16 units
	Marker   string // the host's own mark
}

// RenderFunc changes the view in place.
type RenderFunc func(*View) error

// Render is a step on the way of a result to the model.
type Render struct {
	Name string
	Doc  string
	New  func(params json.RawMessage) (RenderFunc, error)
}

// Text returns the text parts joined by newlines, and the number of images.
func (v *View) Text() (text string, images int) {
	first := true
	for _, p := range v.Parts {
		switch p.Kind {
		case "text", "json":
			if !first {
				text += "\n"
			}
			first = false
			text += p.Text
		case "image":
			images++
		}
	}
	return text, images
}
