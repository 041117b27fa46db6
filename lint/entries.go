package lint

import (
	"regexp"
	"slices"
	"strings"
)

// Entry is an entry of the lists of what is to be checked, from which the rules were
// made, with the rules that stand for it: T1 … TC13 of the protocol, R1 … R52 of the
// project's requirements.
type Entry struct {
	ID        string   `json:"id"`
	What      string   `json:"what,omitempty"` // of a requirement
	Rules     []string `json:"rules"`          // ids, in the order of docs/rules.md
	Elsewhere string   `json:"elsewhere,omitempty"`
	Unseen    string   `json:"unseen,omitempty"` // what of it no rule checks, and why
}

// entryID is how such an entry is called.
var entryID = regexp.MustCompile(`^[A-Z]{1,2}\d{1,2}$`)

// FindEntry returns an entry of the lists by its id, in any case of letters; ok is
// false for what is no entry.
func FindEntry(id string) (e Entry, ok bool) {
	e = Entry{ID: strings.ToUpper(id), Rules: []string{}}
	if !entryID.MatchString(e.ID) {
		return e, false
	}
	e.Rules = append(e.Rules, covering(e.ID)...)
	for _, r := range requirements {
		if r.id == e.ID {
			e.What, e.Elsewhere, ok = r.what, strings.ReplaceAll(r.elsewhere, "`", ""), true
		}
	}
	var unseenTexts []string
	for _, u := range unseen {
		if slices.Contains(strings.FieldsFunc(u.IDs, func(r rune) bool { return strings.ContainsRune(" ,()", r) }), e.ID) {
			unseenTexts = append(unseenTexts, u.What+": "+u.Why)
		}
	}
	e.Unseen = strings.Join(unseenTexts, "; ")
	return e, ok || len(e.Rules) > 0 || e.Unseen != ""
}
