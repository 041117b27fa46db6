// Package witness looks for instances that tell two readings of one schema
// apart: the dialect that the schema itself declares, and a host's validator.
//
// A real sample shows what a server said once. A [Searcher] builds instances
// from the schema (every branch, every boundary, optional members there and
// gone, tuples too short and too long, odd but valid texts and numbers), keeps
// those that the schema's own dialect accepts, asks the host's profile, and
// shrinks what the host rejects to the smallest instance that still shows it.
// The answer for one schema and one profile is one of [Kind]:
//
//	Proven        both readings are equivalent by structure (see equivalent.go)
//	Found         an instance that the dialect accepts and the host rejects
//	Tried         neither; the answer says how many instances were tried
//	Uncompilable  the host cannot compile the schema at all
//	Undecided     no dialect reads the schema, or the emulation cannot tell
//
// The same schema, options and seed give the same answer. Work is bounded: by
// instances (Options.Budget), by steps of the generator, by size and depth of an
// instance, and by the step budgets of the validators themselves.
package witness
