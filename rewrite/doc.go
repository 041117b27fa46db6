// Package rewrite holds named, small transformations of a tool's schemas that
// keep what the author meant and use only forms that hosts read alike, and finds
// for a broken tool the smallest set of them that makes every chosen host work.
//
// Nothing is suggested that was not verified: the matrix is run again on the
// rewritten tool with all real samples and with instances made from the old and
// the new schema (see package witness), and what the new schema newly allows or
// forbids is shown by probes.
//
// A rewrite is a value ([Rewrite]); adding one means adding it to a table in one
// of the files of this package. This package knows no host.
package rewrite
