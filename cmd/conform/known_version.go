package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/capabilities"
)

// warnVersions says of each column whose version the table does not know that its
// verdicts are those of other versions.
func (a *app) warnVersions(columns []*capabilities.Resolved) {
	for _, c := range columns {
		if text := unknownVersion(c); text != "" {
			a.warn("%s", text)
		}
	}
}

// unknownVersion says why a column's version is none that the table covers; "" when
// it is one, or when the table knows no version of the host at all.
func unknownVersion(c *capabilities.Resolved) string {
	oldest, newest := knownVersions(c.Host)
	switch {
	case newest == "" || c.Version == newest:
		return ""
	case !strings.ContainsFunc(c.Version, unicode.IsDigit):
		return fmt.Sprintf("%s: %s is no version; the table knows %s to %s, and the nearest claims are used", c.ID, printable(c.Version), oldest, newest)
	case capabilities.CompareVersions(c.Version, newest) > 0, capabilities.CompareVersions(c.Version, oldest) < 0:
		return fmt.Sprintf("no claim of the table covers %s %s; it knows %s to %s, and the nearest claims are used", c.ID, printable(c.Version), oldest, newest)
	}
	return ""
}

// knownVersions are the oldest and the newest version that releases, evidence or
// the bounds of claims name.
func knownVersions(h *capabilities.Host) (oldest, newest string) {
	consider := func(v string) {
		v = strings.TrimPrefix(v, "≤")
		if v == "" {
			return
		}
		if oldest == "" || capabilities.CompareVersions(v, oldest) < 0 {
			oldest = v
		}
		if newest == "" || capabilities.CompareVersions(v, newest) > 0 {
			newest = v
		}
	}
	for v := range h.Releases {
		consider(v)
	}
	for _, e := range h.Evidence {
		consider(e.Version)
	}
	for _, claims := range h.Claims {
		for _, c := range claims {
			consider(c.Since)
		}
	}
	return oldest, newest
}
