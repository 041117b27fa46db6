package ground

import (
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// Verdict is what every library must say.
type Verdict uint8

const (
	Unsure Verdict = iota // ask the library
	Valid
	Invalid
)

// maxSteps bounds one judgement, in schemas applied and names and values looked up.
const maxSteps = 50_000

// judged is one answer to keep: profiles ask for the same pair one after another.
type judged struct {
	instance *schema.Value
	verdict  Verdict
}

// kept is how many answers a schema keeps.
const kept = 4

// Judge decides an instance. The document must use no feature on which the profile
// in question leaves the ground.
func (s *Schema) Judge(instance *schema.Value) Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.recent {
		if j.instance == instance {
			return j.verdict
		}
	}
	verdict := s.judge(instance)
	if len(s.recent) == kept {
		s.recent = append(s.recent[:0], s.recent[1:]...)
	}
	s.recent = append(s.recent, judged{instance, verdict})
	return verdict
}

func (s *Schema) judge(instance *schema.Value) Verdict {
	if !plain(instance) {
		return Unsure
	}
	j := &judge{Schema: s}
	switch ok := j.at(s.root, instance); {
	case j.unsure:
		return Unsure
	case ok:
		return Valid
	}
	return Invalid
}

// judge applies schemas. Once unsure, its answers mean nothing.
type judge struct {
	*Schema
	steps, depth int
	unsure       bool
}

func (j *judge) doubt() bool {
	j.unsure = true
	return false
}

// spend counts what is looked up for one keyword.
func (j *judge) spend(n int) { j.steps += n / 8 }

func (j *judge) at(s, v *schema.Value) bool {
	if s.Kind == schema.Bool {
		return s.Bool
	}
	if j.steps++; j.unsure || j.steps > maxSteps || j.depth > 2*maxDepth {
		return j.doubt()
	}
	j.depth++
	defer func() { j.depth-- }()
	if target := j.targets[s]; target != nil && !j.at(target, v) {
		return false // whatever stands beside it
	}
	for _, m := range s.Members {
		if !j.keyword(s, m.Key, m.Value, v) {
			if j.targets[s] != nil || s.Has("propertyNames") && len(v.Members) == 0 {
				return j.doubt() // hidden by some, see [Siblings] and [Names]
			}
			return false
		}
	}
	return !j.unsure
}

// keyword reports whether the value passes one keyword.
func (j *judge) keyword(s *schema.Value, name string, k, v *schema.Value) bool {
	switch name {
	case "type":
		return j.types(k, v)
	case "enum":
		j.spend(len(k.Items))
		return j.oneOf(k.Items, v)
	case "const":
		return j.oneOf([]*schema.Value{k}, v)
	case "not":
		return !j.at(k, v) && !j.unsure
	case "if":
		branch := s.Get("then")
		if !j.at(k, v) {
			branch = s.Get("else")
		}
		return !j.unsure && (branch == nil || j.at(branch, v))
	case "allOf", "anyOf", "oneOf":
		return j.branches(name, k.Items, v)
	}
	switch v.Kind {
	case schema.Object:
		return j.object(s, name, k, v)
	case schema.Array:
		return j.array(name, k, v)
	case schema.String:
		return j.text(name, k, v)
	case schema.Number:
		return j.number(name, k, v)
	}
	return true
}

// branches tries all of them: a library that stops early and one that does not must
// both get through.
func (j *judge) branches(name string, branches []*schema.Value, v *schema.Value) bool {
	passed := 0
	for _, b := range branches {
		if j.at(b, v) {
			passed++
		}
	}
	switch {
	case j.unsure:
		return false
	case name == "allOf":
		return passed == len(branches)
	case name == "anyOf":
		return passed > 0
	}
	return passed == 1
}

func (j *judge) object(s *schema.Value, name string, k, v *schema.Value) bool {
	switch name {
	case "required":
		j.spend(len(k.Items))
		for _, item := range k.Items {
			if !v.Has(item.Text) {
				return false
			}
		}
	case "properties":
		j.spend(len(k.Members))
		for _, m := range k.Members {
			if member := v.Get(m.Key); member != nil && !j.at(m.Value, member) {
				return false
			}
		}
	case "additionalProperties":
		declared := s.Get("properties")
		j.spend(len(v.Members))
		for _, m := range v.Members {
			if !declared.Has(m.Key) && !j.at(k, m.Value) {
				return false
			}
		}
	case "propertyNames":
		for _, m := range v.Members {
			if !j.at(k, schema.Str(m.Key)) {
				return false
			}
		}
	case "minProperties":
		return len(v.Members) >= count(k)
	case "maxProperties":
		return len(v.Members) <= count(k)
	}
	return true
}

func (j *judge) array(name string, k, v *schema.Value) bool {
	switch name {
	case "items":
		for _, item := range v.Items {
			if !j.at(k, item) {
				return false
			}
		}
	case "minItems":
		return len(v.Items) >= count(k)
	case "maxItems":
		return len(v.Items) <= count(k)
	case "uniqueItems":
		return !k.Bool || j.unique(v.Items)
	}
	return true
}

// unique: texts only; how numbers, arrays and objects are compared differs.
func (j *judge) unique(items []*schema.Value) bool {
	j.spend(len(items))
	for _, item := range items {
		if item.Kind != schema.String {
			return len(items) < 2 || j.doubt()
		}
	}
	return allDifferent(items)
}

func (j *judge) text(name string, k, v *schema.Value) bool {
	switch name {
	case "minLength":
		return j.length(v.Text) >= count(k)
	case "maxLength":
		return j.length(v.Text) <= count(k)
	case "pattern":
		matched, sure := j.patterns[k].match(v.Text)
		return matched && sure || !sure && j.doubt()
	case "format":
		fits := formats[k.Text]
		return fits != nil && len(v.Text) <= maxSubject && fits.MatchString(v.Text) || j.doubt()
	}
	return true
}

// length is in characters; a character beyond U+FFFF is two for some.
func (j *judge) length(text string) int {
	for _, r := range text {
		if r > 0xFFFF {
			j.unsure = true
		}
	}
	return utf8.RuneCountInString(text)
}

func (j *judge) number(name string, k, v *schema.Value) bool {
	switch name {
	case "minimum":
		return v.Float() >= k.Float()
	case "maximum":
		return v.Float() <= k.Float()
	case "exclusiveMinimum":
		return v.Float() > k.Float()
	case "exclusiveMaximum":
		return v.Float() < k.Float()
	case "multipleOf": // by division of doubles, in JavaScript
		return (v.HasFraction() || !isPlainNumber(v.Text)) && j.doubt() || whole(v)%whole(k) == 0
	case "format":
		return formats[k.Text] != nil || fitsNumber(k.Text, v) || j.doubt()
	}
	return true
}
