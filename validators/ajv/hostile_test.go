package ajv_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
)

var _ = Describe("hostile documents", func() {
	const overflow = "Maximum call stack size exceeded"
	DescribeTable("end in time with an answer or a named limit",
		func(document, instance, want string) {
			for _, id := range []string{"ajv8-draft07-lax", "ajv8-dispatch", "ajv6"} {
				start := time.Now()
				got := answer(profile(id), schema.MustParse(document), schema.MustParse(instance))
				Expect(got).To(ContainSubstring(want), id)
				Expect(time.Since(start)).To(BeNumerically("<", 20*time.Second), id)
			}
		},
		Entry("a fan of references", fuzzing.Fan(60, `{"type":"string"}`), `"x"`, "unknown: the check takes more than"),
		Entry("a reference to itself", `{"$ref":"#"}`, `1`, "thrown: "+overflow),
		Entry("references in a circle", `{"allOf":[{"$ref":"#/definitions/a"}],"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}`, `1`, "compile-error: "+overflow),
		Entry("a schema of 3,000 levels", fuzzing.Nested(`{"properties":{"a":`, `{}`, `}}`, 3000), `1`, "compile-error: "+overflow),
		Entry("a schema of 400 levels, near the end of the stack", fuzzing.Nested(`{"properties":{"a":`, `{"type":"string"}`, `}}`, 400), `1`, "unknown: "),
		Entry("data of 9,900 levels", `{"items":{"$ref":"#"}}`, fuzzing.Nested("[", "1", "]", 9900), "unknown: the data nests so deep"),
		Entry("data of 1,000 levels", `{"items":{"$ref":"#"}}`, fuzzing.Nested("[", "1", "]", 1000), "valid"),
		Entry("20,000 items that must be unique", `{"uniqueItems":true}`, fuzzing.Listed(20000, strconv.Itoa), "valid"),
		Entry("4,000 objects that must be unique", `{"uniqueItems":true}`, fuzzing.Listed(4000, func(i int) string { return fmt.Sprintf(`{"a":[%d,2],"b":{"c":%d}}`, i, i) }), "valid"),
	)

	DescribeTable("that take longest, on one profile",
		func(document, instance, want string) {
			start := time.Now()
			Expect(answer(profile("ajv8-draft07-lax"), schema.MustParse(document), schema.MustParse(instance))).To(ContainSubstring(want))
			Expect(time.Since(start)).To(BeNumerically("<", 20*time.Second))
		},
		Entry("a pattern that runs away", `{"pattern":"^(a+)+$"}`, `"`+strings.Repeat("a", 60)+`!"`, "unknown: pattern"),
		Entry("references that copy a large schema", `{"allOf":`+fuzzing.Listed(20000, func(int) string { return `{"$ref":"#/definitions/big"}` })+
			`,"definitions":{"big":{"anyOf":`+fuzzing.Listed(300, func(int) string { return `{"type":"string"}` })+`}}}`, `1`, "unknown: "),
	)
})
