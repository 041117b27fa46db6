package lint

const docsHead = `# Rules

Made from the rule values of package lint by ` + "`go generate ./lint`" + `; a test holds this page and the
values together. ` + "`conform explain RULE`" + ` prints one section of it. Rule ids are stable and never
reused. "Covers" names entries of the protocol's list of checkable rules (T1 … TC13) and of the
project's requirements (R1 … R52).

A finding is an error where the specification says MUST or its schema.json demands it, a warning
where it says SHOULD or where models and people are worse off, and info where nothing is lost.
What a capture does not show is reported as "could not check" with the reason, never as passed.
`

const docsMeasured = `
## Measured

`

// unseen are the entries of the lists that no rule of this package checks.
var unseen = []Unseen{}
