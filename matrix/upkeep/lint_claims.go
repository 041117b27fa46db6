package upkeep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
)

// value checks what a claim names: operations and their parameters, shapes,
// validator profiles.
func (l *linter) value(key string, c capabilities.Claim, line int) {
	decode := func(target any) bool { return json.Unmarshal(c.Value, target) == nil }
	switch key {
	case "offer.schema":
		var ops []capabilities.Op
		decode(&ops)
		for _, op := range ops {
			l.op(key, line, op, func() error { _, err := operation.NewRewrite(op.Name, op.Params); return err })
		}
	case "view.render":
		var ops []capabilities.Op
		decode(&ops)
		for _, op := range ops {
			l.op(key, line, op, func() error { _, err := operation.NewRender(op.Name, op.Params); return err })
		}
	case "list.drop", "offer.precheck", "offer.api.schema":
		var checks capabilities.Checks
		decode(&checks)
		for _, c := range checks {
			l.op(key, line, c.Op, func() error { _, err := operation.NewCheck(c.Op.Name, c.Op.Params); return err })
			if !slices.Contains(onFailure, c.OnFailure) {
				l.add(Error, line, "%s: on_failure %q is none of %s", key, c.OnFailure, strings.Join(onFailure, ", "))
			}
		}
	case "list.shape", "result.shape", "connect.shape":
		var s capabilities.Shape
		decode(&s)
		for _, id := range []string{s.Shape, s.Modern} {
			if id == "" {
				continue
			}
			if _, ok := l.known.Shapes.Lookup(id); !ok {
				l.add(Error, line, "%s: no shape %q%s", key, id, nearest(id, l.known.Shapes.IDs()))
			}
		}
	case "result.validator":
		var v capabilities.Validator
		decode(&v)
		l.profile(key, line, v.Profile, v.ByTag)
	case "call.arguments":
		var a capabilities.Arguments
		decode(&a)
		l.profile(key, line, a.Profile, a.ByTag)
	}
}

func (l *linter) op(key string, line int, op capabilities.Op, build func() error) {
	l.ops[op.Name] = true
	if err := build(); err != nil {
		l.add(Error, line, "%s: operation %q: %v", key, op.Name, err)
	}
}

func (l *linter) profile(key string, line int, id string, byTag map[string]string) {
	ids := []string{id}
	for _, other := range byTag {
		ids = append(ids, other)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if id != "" && id != "none" && !slices.Contains(l.known.Profiles, id) {
			l.add(Error, line, "%s: no validator profile %q%s", key, id, nearest(id, l.known.Profiles))
		}
	}
}

func nearest(word string, known []string) string {
	if n := capabilities.Nearest(word, known); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

// ranges finds claims of one key whose versions overlap with another value, which
// makes the cells unknown, and holes between ranges, which are filled from the
// neighbour with a lower basis.
func (l *linter) ranges(key string, list []capabilities.Claim, line int) {
	for i, a := range list {
		since := strings.TrimPrefix(a.Since, "≤")
		if since != "" && a.Until != "" && capabilities.CompareVersions(since, a.Until) >= 0 {
			l.add(Error, line, "%s[%d]: since %s is not before until %s", key, i, a.Since, a.Until)
		}
		for j, b := range list[i+1:] {
			if overlap(a, b) && string(a.Value) != string(b.Value) && a.Note == "" && b.Note == "" {
				l.add(Warning, line, "%s: claims %d and %d hold for the same versions and differ, so the cells are unknown; a note must say why both are kept", key, i, i+1+j)
			}
		}
	}
	for i, a := range list {
		if a.Until == "" {
			continue
		}
		follows := func(b capabilities.Claim) bool {
			return strings.TrimPrefix(b.Since, "≤") == a.Until || overlapsAt(b, a.Until)
		}
		later := slices.ContainsFunc(list, func(b capabilities.Claim) bool {
			return b.Since != "" && capabilities.CompareVersions(strings.TrimPrefix(b.Since, "≤"), a.Until) > 0
		})
		if later && !slices.ContainsFunc(list, follows) {
			l.add(Warning, line, "%s[%d]: versions from %s up to the next claim have none", key, i, a.Until)
		}
	}
}

func overlapsAt(c capabilities.Claim, version string) bool {
	since := strings.TrimPrefix(c.Since, "≤")
	return (since == "" || capabilities.CompareVersions(since, version) <= 0) && (c.Until == "" || capabilities.CompareVersions(version, c.Until) < 0)
}

func overlap(a, b capabilities.Claim) bool {
	before := func(x, y capabilities.Claim) bool { // x ends before y begins
		since := strings.TrimPrefix(y.Since, "≤")
		return x.Until != "" && since != "" && capabilities.CompareVersions(x.Until, since) <= 0
	}
	return !before(a, b) && !before(b, a)
}

// onFailure are the consequences that a check may have (matrix/stage/checks.go).
var onFailure = []string{"tool", "server", "request", "degrade", "note", "unknown"}
