package matrix

import (
	"cmp"
	"slices"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/validators"
)

// users counts, per validator profile, the columns that still need it, so that
// compiled schemas are dropped with the last of them: a server of 2,900 tools and
// twenty profiles would else hold a gigabyte of compiled schemas at once.
type users struct {
	mu      sync.Mutex
	left    map[string]int
	columns int // that are not done
}

// byProfile orders the columns so that those with the same validator are
// evaluated one after another.
func byProfile(hosts []*capabilities.Resolved) []int {
	order := make([]int, len(hosts))
	for i := range hosts {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(mainProfile(hosts[a]), mainProfile(hosts[b])) })
	return order
}

// usersOf counts which of the columns need what.
func usersOf(hosts []*capabilities.Resolved, columns []int) *users {
	u := &users{left: map[string]int{}, columns: len(columns)}
	for _, i := range columns {
		for _, p := range profilesOf(hosts[i]) {
			u.left[p]++
		}
	}
	return u
}

// done notes that a column was evaluated.
func (u *users) done(h *capabilities.Resolved, cache *validators.Cache) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, p := range profilesOf(h) {
		if u.left[p]--; u.left[p] == 0 {
			cache.Forget(p)
		}
	}
	if u.columns--; u.columns == 0 {
		cache.ForgetSurveys()
	}
}

func mainProfile(h *capabilities.Resolved) string {
	if v, _ := capabilities.Get[capabilities.Validator](h, "result.validator"); v != nil {
		return v.Profile
	}
	return ""
}

// profilesOf lists the profiles that a column may compile for.
func profilesOf(h *capabilities.Resolved) []string {
	seen := map[string]bool{}
	add := func(profile string, byTag map[string]string) {
		seen[profile] = true
		for _, p := range byTag {
			seen[p] = true
		}
	}
	if v, _ := capabilities.Get[capabilities.Validator](h, "result.validator"); v != nil {
		add(v.Profile, v.ByTag)
		if v.Modern != nil {
			add(v.Modern.Profile, v.Modern.ByTag)
		}
	}
	if a, _ := capabilities.Get[capabilities.Arguments](h, "call.arguments"); a != nil {
		add(a.Profile, a.ByTag)
	}
	out := make([]string, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	return out
}
