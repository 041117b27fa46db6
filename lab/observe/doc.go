// Package observe turns the raw logs of a run into observations
// (conform-observation/1): what the server sent, what the model was offered, how
// often the server was called, and what the model saw. Nothing in a line depends
// on time, process ids or the order in which servers started, so that two runs of
// one version give the same file but for its date.
package observe
