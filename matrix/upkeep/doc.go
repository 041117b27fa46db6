// Package upkeep is how the capability table is kept true: it finds faults that a
// strict reading of the files alone does not find ([Lint]), writes files in one
// canonical form ([Format]), counts what is known ([Count]), and compares two
// tables ([Diff]).
package upkeep
