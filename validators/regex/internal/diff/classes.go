package main

import "github.com/hostmatrix/conform/validators/regex"

// escape makes an escape outside a class.
func (g *generator) escape() string {
	common := []string{
		`\d`, `\D`, `\s`, `\S`, `\w`, `\W`, `\d`, `\w`, `\n`, `\t`, `\r`, `\f`, `\v`, `\.`, `\*`, `\/`, `\\`, `\(`, `\]`, `\{`,
		`\x61`, `\x6`, `\u0061`, `\u006`, `\0`, `\-`, `\_`, `\a`, `\e`, `\q`, `\é`, `\08`, `\012`, `\1`, `\8`, `\377`, `\400`,
	}
	switch g.dialect {
	case regex.ECMA, regex.ECMAUnicode:
		common = append(common, `\u{61}`, `\u{1F600}`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ca`, `\c1`, `\c`, `\cZ`, `\k`, `\k<n>`, g.property(), g.property(), g.property())
	case regex.Python:
		common = append(common, `\U0001F600`, `\U00110000`, `\U1`, `\p{L}`, `\A`, `\Z`, `\101`, `\N{DIGIT ONE}`, `\@`, `\#`)
	case regex.Java:
		common = append(common, `\p{L}`, `\p{Lu}`, `\pL`, `\P{L}`, `\p{Alpha}`, `\p{IsLatin}`, `\p{IsAlphabetic}`, `\h`, `\H`, `\R`, `\v`, `\V`, `\Qa.b\E`, `\x{1F600}`, `\cA`, `\p{Foo}`)
	}
	return g.pick(common...)
}

func (g *generator) property() string {
	name := g.pick("L", "Lu", "Ll", "Letter", "Nd", "Script=Greek", "sc=Latn", "scx=Grek", "Script=Han", "Alphabetic", "ASCII", "Any", "Emoji", "ID_Start",
		"White_Space", "Uppercase", "gc=Lu", "General_Category=Decimal_Number", "P", "S", "Zs", "Cs", "Latin", "lu", "Foo", "sc=", "=", "", "Lu ", "Script", "Emoji_Presentation")
	return g.pick(`\p{`, `\p{`, `\P{`) + name + "}"
}

// class makes a character class.
func (g *generator) class() string {
	s := "["
	if g.chance(4) {
		s += "^"
	}
	for range g.r.IntN(4) {
		switch g.r.IntN(8) {
		case 0, 1:
			s += g.pick("a-z", "A-Z", "0-9", "a-b", "z-a", "\\x00-\\x7f", "à-ÿ", "a-\\d", "\\w-z", "A-z", "!--", "😀-😂", "٠-٩", "α-ω", "\u2000-\u2030")
		case 2, 3:
			s += g.escape()
		case 4:
			s += g.pick("-", "^", "b", "[", "&", "|", "~", "\\b", "\\]", "\\-", "\\c_", "\\c", ".", "$", "(", "{")
			if g.dialect == regex.Java {
				s += g.pick("", "", "&&", "[a-c]", "&&[^b]")
			}
		default:
			s += g.literal()
		}
	}
	return s + "]"
}
