package operation

import (
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// NothingShown reports whether a result carries something that can be looked for
// and the model sees none of it: no text block, no image, no value of its
// structuredContent. Such a call is of no use to the model, which is more than a
// degradation (public reports of it: llama.cpp #26410, mcp2cli #87).
func NothingShown(v *View) bool {
	if v.Result == nil || v.IsError || len(v.Cuts) > 0 {
		return false
	}
	text, images := v.Text()
	if images > 0 {
		return false
	}
	squeezed := sync.OnceValue(func() string { return squeeze(text) })
	carries := false
	for _, b := range v.sent() {
		kind, _ := b.Get("type").IsString()
		block, isText := b.Get("text").IsString()
		switch {
		case isText && strings.TrimSpace(block) == "":
		case isText && kind == "text":
			if shows(text, block) || showsJSON(squeezed, block) {
				return false
			}
			carries = true
		case kind == "image":
			if strings.TrimSpace(text) != "" {
				return false // a placeholder or a path says at least that there is one
			}
			carries = true
		default:
			return false // what a host makes of other blocks is not looked for here
		}
	}
	if v.Structured == nil {
		return carries
	}
	if strings.Contains(text, v.Structured.Stringify("")) {
		return false
	}
	f := &finder{text: text, left: searchBytes}
	shown, leaves := f.anyLeaf(v.Structured)
	return leaves && !shown
}

// anyLeaf reports whether one of a value's leaves occurs in the text, and whether it
// has any that can be looked for; 0, true and "" say too little.
func (f *finder) anyLeaf(v *schema.Value) (shown, leaves bool) {
	if v == nil {
		return false, false
	}
	var children []*schema.Value
	switch v.Kind {
	case schema.Array:
		children = v.Items
	case schema.Object:
		for _, m := range v.Unique() {
			children = append(children, m.Value)
		}
	case schema.String, schema.Number:
		if len(v.Text) < 2 {
			return false, false
		}
		leaf, _ := f.hiddenLeaf(v)
		return leaf == "", true
	}
	for _, c := range children {
		s, l := f.anyLeaf(c)
		leaves = leaves || l
		if s {
			return true, true
		}
	}
	return false, leaves
}
