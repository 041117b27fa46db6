package oracle

// StartWith is Start with further arguments to the runner.
var StartWith = start
