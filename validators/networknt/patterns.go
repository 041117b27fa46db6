package networknt

import (
	"errors"
	"strings"

	"github.com/hostmatrix/conform/validators/regex"
)

// stepsPerMatch is what a match costs of maxSteps: thousands of names under thousands
// of patterns are no more than half a million.
const stepsPerMatch = 4

// expression is a pattern as java.util.regex has it, used with find().
type expression struct{ *regex.Regexp }

func (x *expression) find(e *execution, s string) bool {
	if e.steps += stepsPerMatch; e.steps > maxSteps {
		giveUp("validation takes more than %d steps", maxSteps)
	}
	matched, err := x.MatchString(s)
	if err != nil {
		giveUp("%v", err)
	}
	return matched
}

// compile is JDKRegularExpression: "$" becomes \z and long names of Unicode
// categories become short before Java sees the pattern.
func (b *builder) compile(pattern string) *expression {
	if found := b.patterns[pattern]; found != nil {
		return found
	}
	compiled, err := regex.Compile(regex.Java, replaceCategories(replaceDollars(pattern)))
	var syntax *regex.SyntaxError
	switch {
	case errors.As(err, &syntax):
		throw("java.util.regex.PatternSyntaxException: %s", strings.TrimPrefix(syntax.Msg, "java.util.regex.PatternSyntaxException: "))
	case err != nil:
		giveUp("%v", err)
	}
	x := &expression{compiled}
	b.patterns[pattern] = x
	return x
}

// scan passes the pieces of a pattern outside \Q…\E: an escape of two characters,
// or one character with the state of being in a class. The scan is naive about
// classes, as the library's.
func scan(pattern string, out *strings.Builder, other func(rest string, inClass bool) int) {
	inClass := false
	for i := 0; i < len(pattern); {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern) && pattern[i+1] == 'Q':
			end := strings.Index(pattern[i:], `\E`)
			if end < 0 {
				end = len(pattern) - i - 2
			}
			out.WriteString(pattern[i : i+end+2])
			i += end + 2
			continue
		case pattern[i] == '[':
			inClass = true
		case pattern[i] == ']':
			inClass = false
		}
		if n := other(pattern[i:], inClass); n > 0 {
			i += n
			continue
		}
		if pattern[i] == '\\' && i+1 < len(pattern) {
			out.WriteString(pattern[i : i+2])
			i += 2
			continue
		}
		out.WriteByte(pattern[i])
		i++
	}
}

func replaceDollars(pattern string) string {
	if !strings.Contains(pattern, "$") {
		return pattern
	}
	var out strings.Builder
	scan(pattern, &out, func(rest string, inClass bool) int {
		if rest[0] == '$' && !inClass {
			out.WriteString(`\z`)
			return 1
		}
		return 0
	})
	return out.String()
}

var longCategories = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt", "Cased_Letter": "L&",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Non_Spacing_Mark": "Mn", "Spacing_Combining_Mark": "Mc",
	"Enclosing_Mark": "Me", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
	"Number": "N", "Decimal_Digit_Number": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P",
	"Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
	"Final_Punctuation": "Pf", "Connector_Punctuation": "Pc", "Other_Punctuation": "Po", "Other": "C", "Control": "Cc",
	"Format": "Cf", "Private_Use": "Co", "Surrogate": "Cs", "Unassigned": "Cn", "digit": "Nd",
}

func replaceCategories(pattern string) string {
	if !strings.Contains(pattern, `\p{`) {
		return pattern
	}
	var out strings.Builder
	scan(pattern, &out, func(rest string, inClass bool) int {
		if inClass || !strings.HasPrefix(rest, `\p{`) {
			return 0
		}
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return 0
		}
		name := rest[3:end]
		if short := longCategories[name]; short != "" {
			name = short
		}
		out.WriteString(`\p{` + name + `}`)
		return end + 1
	})
	return out.String()
}
