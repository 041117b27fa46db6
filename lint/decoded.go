package lint

import (
	"slices"

	"github.com/hostmatrix/conform/recording"
)

// know takes over what the recorder has decoded already: all messages of 2,900
// tools once more are 120 MB.
func (c *shared) know(capture *recording.Capture) *shared {
	for _, s := range slices.Concat(capture.Sessions, capture.Probes) {
		for _, m := range s.Messages {
			if m.Decoded != nil && len(m.Bytes) > 0 {
				c.parsed[&m.Bytes[0]] = parsedMessage{len(m.Bytes), m.Decoded}
			}
		}
	}
	return c
}
