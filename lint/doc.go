// Package lint holds the rules that no host decides: what the protocol demands of
// a server in each revision, what one era promises the other, what a model must be
// able to read in a definition, and that the two surfaces of a result say the same.
//
// A rule is a value ([Rule]); its help text, its page in docs/rules.md and what
// `conform explain` prints are that value. [Run] evaluates rules over a capture
// and keeps apart what was found ([verdict.Advice]) from what could not be checked
// ([NotChecked]). Nothing here talks to a server: the answers to deliberately wrong
// requests are in [recording.Capture].Probes when the recorder made them.
//
// Captures are taken to be hostile: walks are bounded, a rule that panics becomes
// an entry of NotChecked, and each rule reports a bounded number of findings.
//
//go:generate go test . -run TestLint -ginkgo.focus docs -update
package lint
