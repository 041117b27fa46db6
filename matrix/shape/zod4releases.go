package shape

import (
	"regexp"

	"github.com/hostmatrix/conform/schema"
)

// Hosts bundle zod 4 as of the day they were built. Run over every golden payload
// with one SDK (1.32.2), the releases differ in what is told here and in nothing
// else: 3.25.76 by its path "v4" (which calls itself 4.0.0), 4.1.8, 4.4.3, 4.6.7.

// zodRelease is what differs in patterns and messages.
type zodRelease struct {
	datetime *regexp.Regexp // datetime({offset:true}), tested and printed
	before46 bool
}

const (
	zodDate   = `^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))`
	zodMinute = `T(?:(?:[01]\d|2[0-3]):[0-5]\d`
	zodSecond = `:[0-5]\d(?:\.\d+)?`
	zodOffset = `(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))$`
)

// RE2 reads the patterns as JavaScript does: they use no look-around, and \d is
// ASCII in both. ($ without the m flag is the end only.)
var (
	zod46 = zodRelease{datetime: regexp.MustCompile(zodDate + zodMinute + zodSecond + zodOffset)}
	zod41 = zodRelease{datetime: regexp.MustCompile(zodDate + zodMinute + `(?:` + zodSecond + `)?` + zodOffset), before46: true}
	zod40 = zodRelease{datetime: regexp.MustCompile(zodDate + zodMinute + `(?:` + zodSecond + `)?(?:Z|([+-]\d{2}:\d{2})))$`), before46: true}
)

// zodToTheMinute is datetime({offset:true,precision:-1}).
var zodToTheMinute = regexp.MustCompile(zodDate + zodMinute + zodOffset)

var (
	zod44Words = zod4(rules{adopt: adoptSole, zod: zod41})
	zod41Words = zod4(rules{adopt: adoptSole, plainRecords: true, zod: zod41})
	zod40Words = zod4(rules{plainRecords: true, zod: zod40})
)

// thrownByNull is what the parser throws, in the place of any issue, on a record
// whose member "constructor" is null.
const thrownByNull = "Cannot read properties of null (reading 'prototype')"

// constructed says whether a record is none in zod's eyes, which takes the member
// "constructor" for the class of the object: {"constructor":{"type":"string"}} has
// one that is no class. thrown is set where looking at it throws. Source: zod 4.1.8,
// core/util, isPlainObject; 4.4 asks for a function first.
func constructed(v *schema.Value) (refused, thrown bool) {
	class := v.Get("constructor")
	if class == nil {
		return false, false
	}
	prototype := class.Get("prototype")
	return prototype == nil || prototype.Kind != schema.Object || !prototype.Has("isPrototypeOf"), class.Kind == schema.Null
}

// thrownIn returns the words of an exception among the faults of f, "" for none.
func thrownIn(f *fault) string {
	if f.kind == faultThrown {
		return thrownByNull
	}
	for _, branch := range f.branches {
		for _, sub := range branch {
			if text := thrownIn(sub); text != "" {
				return text
			}
		}
	}
	return ""
}
