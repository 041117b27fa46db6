package rewrite

// Neighbours is for the tests of this folder, which are outside the package.
var Neighbours = neighbours
