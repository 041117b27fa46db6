package derive

import (
	"strings"

	"github.com/hostmatrix/conform/lab/observe"
)

// blocks: what becomes of each kind of content block. Hosts that show the raw result,
// or of which a program takes the object, have nothing to say here; nor do models that
// report in words what they saw.
func blocks(s Set) *Claim {
	if shown := surface(s); shown == nil || string(shown.Members["prefers"]) == `"raw"` {
		return nil
	}
	c := claim("view.blocks")
	kind := func(member, probe, data, name string) {
		l := s.line(probe)
		if l == nil || l.Called == 0 || l.Seen == nil || l.Seen.Value != nil || l.Seen.Images == nil || !strings.Contains(everything(l.Seen), "CT_"+l.Probe) {
			return
		}
		c.From = append(c.From, probe)
		c.set(member, became(l.Seen, data, name))
	}
	kind("image", "image_block", "iVBORw0KGgo", "image")
	kind("audio", "audio_block", "UklGRiQAAAB", "audio")
	kind("blob", "blob_block", "QkxPQkRBVEE", "BLOB_blob_block")
	if l := s.line("multi_block"); l != nil {
		kind("resource", "multi_block", "RESTEXT_multi_block", "RES_multi_block")
		kind("resource_link", "multi_block", "file:///LINK_multi_block", "LINKNAME_multi_block")
	}
	return c
}

// became says what a block became: an image of its own, its data as text, a word about
// it, or nothing.
func became(s *observe.Seen, data, name string) string {
	text := everything(s)
	switch {
	case name == "image" && pictures(s) > 0:
		return "image"
	case strings.Contains(text, data):
		return "text"
	case len(s.Other) > 0 || pictures(s) > 0:
		return "shown" // as a part of its own
	case mentions(text, name):
		return "placeholder"
	}
	return "lost"
}

// pictures counts the images that reached the model.
func pictures(s *observe.Seen) int { return *s.Images + s.ImagesAfter }

// mentions says that a name stands outside of the sentinels, which hold it too.
func mentions(text, name string) bool {
	for _, sentinel := range []string{"CT_image_block", "CT_audio_block", "CT_blob_block", "CT_multi_block_1", "CT_multi_block_2"} {
		text = strings.ReplaceAll(text, sentinel, "")
	}
	return strings.Contains(strings.ToLower(text), strings.ToLower(name))
}
