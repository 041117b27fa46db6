package validators

import "github.com/hostmatrix/conform/schema"

// Refusal says why the specification's own reading of a schema refuses an instance:
// by draft-07 where $schema names it, else by 2020-12. It is "" where the schema
// takes the instance, and where that can't be told.
func Refusal(document, instance *schema.Value) string {
	profile := bowtieDialects[0].profile
	named, _ := document.Get("$schema").IsString()
	for _, d := range bowtieDialects {
		if d.uri == named || d.uri == named+"#" {
			profile = d.profile
		}
	}
	v, err := Compile(profile, document)
	if err != nil {
		return ""
	}
	if r := v.Validate(instance); r.Outcome == Invalid {
		return r.Text
	}
	return ""
}
