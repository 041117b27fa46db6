package witness

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

// Equivalent reports whether a profile must give the same verdict as the dialect
// on every instance, under [ground.Assumption], because the schema holds nothing on
// which the two differ: every keyword is one that both read alike in the form in
// which it stands there. It is only meaningful for a schema that both compile.
// why names the ground. The rule is tested against the validators themselves, in
// process and, where they are installed, against the real libraries.
func Equivalent(document *schema.Value, dialect, profile string) (why string, ok bool) {
	if dialect == profile || dialect == dispatch && profile == "2020-12" && !document.Has("$schema") {
		return "the host reads the schema as its own dialect does", true
	}
	if !validators.Alike(document, dialect, profile) {
		return "", false
	}
	return "every keyword of the schema is one that the host reads as the dialect does, " + ground.Assumption, true
}
