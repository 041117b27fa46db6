package cfworker

// release is what differs between the two releases of @cfworker/json-schema that
// hosts run. The zero value is 4.1.1, bundled into @modelcontextprotocol/client
// 2.0.0 to 2.4.0; @modelcontextprotocol/sdk 1.21 to 1.32.2 asks for ^4.1.1 and
// gets 4.1.6. Differences observed by running both.
type release struct {
	ownProperties       bool // looks for members with hasOwnProperty, not with in
	encodesHash         bool // "#" in a member name becomes %23
	normalizesFragments bool // see resolve
	sameSchemaTwice     bool // a schema found twice under one URI is no duplicate
	skipsDependents     bool // dereference does not enter dependentRequired
	exactMultiples      bool // multipleOf on decimal digits, not with a tolerance
	evaluatesFailures   bool // a member that failed its schema is not additional
	separateIf          bool // what a failed if evaluated does not count
	containsWithMax     bool // contains must match also beside maxContains
	strictCompare       bool // {} is not [] in const and enum
	strictLists         bool // anyOf and allOf must be arrays
	formats             map[string]format
}

var release411 = &release{formats: formats411}

var release416 = &release{
	ownProperties: true, encodesHash: true, normalizesFragments: true, sameSchemaTwice: true,
	skipsDependents: true, exactMultiples: true, evaluatesFailures: true, separateIf: true,
	containsWithMax: true, strictCompare: true, strictLists: true, formats: formats416,
}
