package operation

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/hostmatrix/conform/capabilities"
)

// Named is a tool's name as the model gets it.
type Named struct {
	Name      string
	Namespace string
	Cut       bool // the name exceeded the limit and was shortened
}

// ApplyName builds the name of a tool by the host's rule (claim offer.name). A
// *[DropError] says that the host drops the tool over its name.
func ApplyName(rule capabilities.Name, server, tool string) (Named, error) {
	if tool == "" && rule.Empty != "" {
		if rule.Empty == "tool" {
			return Named{}, &DropError{"this host drops a tool without a name"}
		}
		tool = rule.Empty
	}
	own := capabilities.Part{Allow: rule.Allow, Replace: rule.Replace, Runs: rule.Runs, Lower: rule.Lower == "all", Per: rule.Per, Encode: rule.Encode}
	serverPart := own
	if rule.Server != nil {
		serverPart = *rule.Server
	} else if rule.Lower == "server" {
		serverPart.Lower = true
	}
	cleanServer, err := sanitise(serverPart, server)
	if err != nil {
		return Named{}, err
	}
	cleanTool, err := sanitise(own, tool)
	if err != nil {
		return Named{}, err
	}
	changed := cleanTool != tool || cleanServer != server
	template := rule.Template
	if rule.Bare != "" && strings.HasPrefix(cleanTool, rule.Bare) {
		before, _, _ := strings.Cut(template, "{server}")
		_, after, _ := strings.Cut(template, "{tool}")
		template = before + "{server}{tool}" + after
	}
	whole := expand(template, cleanServer, cleanTool)
	original := hashed(rule, server, tool)
	if rule.Start != "" {
		ok, err := classMatch(rule.Start, firstRune(whole))
		if err != nil {
			return Named{}, err
		}
		if !ok {
			whole = rule.StartFix + whole
		}
	}
	n := Named{Namespace: expand(rule.Namespace, cleanServer, cleanTool)}
	limit := rule.Max
	if rule.Namespace != "" && limit > 0 {
		limit -= len(n.Namespace) + len("__")
	}
	length := len(utf16.Encode([]rune(whole)))
	over := limit > 0 && length > limit
	switch {
	case over && rule.Overflow == "tool":
		return Named{}, &DropError{fmt.Sprintf("this host drops a tool whose whole name exceeds %d characters (%q has %d)", rule.Max, whole, length)}
	case over || (rule.HashWhen == "changed" && changed):
		whole = shorten(rule, limit, whole, original)
		n.Cut = over
	}
	n.Name = whole
	return n, nil
}

// shorten applies the overflow rule to a name that is too long, or appends the
// hash to one that was changed.
func shorten(rule capabilities.Name, limit int, whole, original string) string {
	switch rule.Overflow {
	case "cut":
		return cut(whole, limit)
	case "middle-ellipsis":
		head, tail := rule.Head, rule.Tail
		units := utf16.Encode([]rune(whole))
		return string(utf16.Decode(units[:min(head, len(units))])) + rule.Joint +
			string(utf16.Decode(units[max(0, len(units)-tail):]))
	case "hash":
		suffix := rule.Joint + hashOf(rule.Hash, original, rule.HashLen)
		head := rule.Head
		if head == 0 {
			head = limit - len(suffix)
		}
		return cut(whole, head) + suffix
	}
	return whole
}

func cut(s string, n int) string {
	units := utf16.Encode([]rune(s))
	if n < 0 || len(units) <= n {
		return s
	}
	return string(utf16.Decode(units[:n]))
}

// hashed is the text whose hash tells names apart: the unsanitised whole name,
// where the rule does not say otherwise.
func hashed(rule capabilities.Name, server, tool string) string {
	template := rule.HashOf
	if template == "" {
		template = rule.Template
	}
	return expand(template, server, tool)
}

// expand fills the names into a template in one pass, so that a tool that is called
// "{server}" stays what it is.
func expand(template, server, tool string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(template, '{')
		if at < 0 {
			b.WriteString(template)
			return b.String()
		}
		b.WriteString(template[:at])
		template = template[at:]
		switch {
		case strings.HasPrefix(template, "{server}"):
			b.WriteString(server)
			template = template[len("{server}"):]
		case strings.HasPrefix(template, "{tool}"):
			b.WriteString(tool)
			template = template[len("{tool}"):]
		default:
			b.WriteByte('{')
			template = template[1:]
		}
	}
}

// hashOf returns the first n characters of the named hash of s.
func hashOf(name, s string, n int) string {
	var sum string
	switch name {
	case "fnv1a-36": // FNV-1a, 32 bits, over UTF-16 units, seven digits in base 36
		h := uint32(2166136261)
		for _, unit := range utf16.Encode([]rune(s)) {
			h = (h ^ uint32(unit)) * 16777619
		}
		sum = fmt.Sprintf("%07s", strconv.FormatUint(uint64(h), 36))
	case "sha256":
		h := sha256.Sum256([]byte(s))
		sum = hex.EncodeToString(h[:])
	default:
		h := sha1.Sum([]byte(s))
		sum = hex.EncodeToString(h[:])
	}
	if n > 0 && n < len(sum) {
		sum = sum[:n]
	}
	return sum
}

// Disambiguate gives the name of the i-th of several tools whose names collide.
func Disambiguate(rule capabilities.Name, server, tool, name string, i int) string {
	if rule.Collision == "number" || rule.Collision == "sorted-last" {
		if rule.Collision == "sorted-last" { // the digit takes the place of the last character
			if i == 0 {
				return name
			}
			digit := strconv.Itoa(i + 1)
			return cut(name, utf16Len(name)-len(digit)) + digit
		}
		if i == 0 {
			return name
		}
		return name + strconv.Itoa(i)
	}
	return name + rule.Joint + hashOf(rule.Hash, hashed(rule, server, tool), rule.HashLen)
}

// sanitise keeps the allowed characters of s and replaces the others.
func sanitise(p capabilities.Part, s string) (string, error) {
	if p.Lower {
		s = strings.ToLower(s)
	}
	if p.Encode == "punycode" {
		s = punycodeLabels(s)
	}
	if p.Allow != "" {
		re, err := classRegexp(p.Allow)
		if err != nil {
			return "", err
		}
		var b strings.Builder
		inRun := false
		for _, r := range s {
			if re.MatchString(string(r)) {
				b.WriteRune(r)
				inRun = false
				continue
			}
			if p.Runs && inRun {
				continue
			}
			inRun = true
			// JavaScript and Rust differ on what one character is; hosts that replace
			// per UTF-16 unit replace an astral character twice.
			times := max(1, utf16.RuneLen(r))
			if p.Per == "character" || p.Runs {
				times = 1
			}
			b.WriteString(strings.Repeat(p.Replace, times))
		}
		s = b.String()
	}
	if p.Max > 0 {
		s = cut(s, p.Max)
	}
	return s, nil
}

var classCache sync.Map // class text -> *regexp.Regexp

func classRegexp(class string) (*regexp.Regexp, error) {
	if re, ok := classCache.Load(class); ok {
		return re.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile("^" + class + "$")
	if err != nil {
		return nil, fmt.Errorf("character class %q: %w", class, err)
	}
	classCache.Store(class, re)
	return re, nil
}

func classMatch(class, s string) (bool, error) {
	re, err := classRegexp(class)
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
