package pyjsonschema

import "github.com/hostmatrix/conform/validators/regex"

// run is what one validation may cost and has cost. Python's recursion limit is
// part of the behaviour: every generator on the way is a frame.
type run struct {
	steps    int
	frames   int
	deepest  int
	formats  bool // the metaschema check asserts format
	patterns *regex.Cache
}

const (
	// maxSteps bounds one validation, in keywords applied and elements compared.
	maxSteps = 3_000_000
	// stepsPerMatch is what a match of a pattern costs of them: thousands of names under
	// thousands of patterns are no more than half a million.
	stepsPerMatch = 6
	// recursionLimit is sys.getrecursionlimit(). Observed on CPython 3.11: nested
	// properties fail check_schema from 99 levels on (10 frames each), nested
	// anyOf from 82 (12 frames), nested not from 123 (8 frames).
	recursionLimit = 1000
	// certainFrames is how far a validation gets wherever it is called from: the
	// rest of the limit belongs to the host's event loop and to the deepest leaf.
	certainFrames = 900
)

func (r *run) step() {
	// What a step costs grows with its depth: an error's path does.
	if r.steps += 1 + r.frames/64; r.steps > maxSteps {
		giveUp("validation takes more than %d steps", maxSteps)
	}
}

// enter counts a Python frame; leave takes it off again.
func (r *run) enter() {
	r.frames++
	if r.frames > r.deepest {
		r.deepest = r.frames
		if r.frames > recursionLimit {
			where := "while calling a Python object"
			if r.formats { // observed: a schema check mostly ends in a comparison of types
				where = "in comparison"
			}
			raise("RecursionError", "maximum recursion depth exceeded %s", where)
		}
	}
}

func (r *run) leave() { r.frames-- }

// nearLimit says that whether the real process ends in RecursionError depends on
// how deep its own stack was.
func (r *run) nearLimit() bool { return r.deepest > certainFrames && r.deepest <= recursionLimit }

// validator is one Validator object: a class, a schema and a resolver.
type validator struct {
	draft    *draft
	schema   *value
	resolver *resolver
	run      *run
}

// evolve is Validator.evolve: the schema's own $schema may change the class.
func (v *validator) evolve(schema *value, r *resolver) *validator {
	d := draftFor(schema, v.draft)
	d.applicable(schema)
	return &validator{d, schema, r, v.run}
}

// applicable lists the keywords of a schema in order, $ref alone up to draft-07.
// It raises what Python raises when the schema is neither object nor boolean.
func (d *draft) applicable(schema *value) []string {
	if schema.kind == kindBool {
		return nil
	}
	if d.refAlone {
		if ref := mustGet(schema, "$ref"); ref != nil && ref.kind != kindNone {
			return refOnly
		}
	}
	return itemsOf(schema)
}

var refOnly = []string{"$ref"}

// iterErrors is Validator.iter_errors: no subresource is entered here, so that
// an $id directly under not, if or contains does not count.
func (v *validator) iterErrors(instance *value, emit func(*failure) bool) bool {
	v.run.enter()
	defer v.run.leave()
	if v.schema.kind == kindBool {
		return v.schema.truth || emit(falseSchema(instance))
	}
	return v.apply(v.draft, v.draft.applicable(v.schema), instance, v.schema, nil, nil, emit)
}

// descend is Validator.descend: path and schemaPath are nil or one step. A nil r
// enters the subschema's own id. The error of a false schema does not get the
// path: the library yields it before it adds one.
func (v *validator) descend(instance, schema *value, path, schemaPath *step, r *resolver, emit func(*failure) bool) bool {
	v.run.enter()
	defer v.run.leave()
	if schema.kind == kindBool {
		return schema.truth || emit(falseSchema(instance))
	}
	if r == nil {
		r = v.resolver.inSubresource(resource{schema, v.draft})
	}
	evolved := v.evolve(schema, r)
	return evolved.apply(evolved.draft, v.draft.applicable(schema), instance, schema, path, schemaPath, emit)
}

// apply runs the keywords and completes their errors.
func (v *validator) apply(d *draft, keywords []string, instance, schema *value, path, schemaPath *step, emit func(*failure) bool) bool {
	for _, keyword := range keywords {
		check := d.keywords[keyword]
		if check == nil {
			continue
		}
		v.run.step()
		limit := schema.dict[keyword]
		v.run.enter()
		proceed := check(v, limit, instance, schema, func(e *failure) bool {
			e.place(keyword, limit, instance, schema, d)
			if keyword != "if" && keyword != "$ref" {
				e.schemaPath = append(e.schemaPath, step{key: keyword})
			}
			if path != nil {
				e.path = append(e.path, *path)
			}
			if schemaPath != nil {
				e.schemaPath = append(e.schemaPath, *schemaPath)
			}
			return emit(e)
		})
		v.run.leave()
		if !proceed {
			return false
		}
	}
	return true
}

// isValid is Validator.is_valid: it stops at the first error.
func (v *validator) isValid(instance *value) bool {
	v.run.enter()
	defer v.run.leave()
	return v.iterErrors(instance, func(*failure) bool { return false })
}

// matches is `next(validator.descend(instance, schema), None) is None`.
func (v *validator) matches(instance, schema *value) bool {
	return v.descend(instance, schema, nil, nil, nil, func(*failure) bool { return false })
}

// reference is Validator._validate_reference.
func (v *validator) reference(ref, instance *value, emit func(*failure) bool) bool {
	target, missing := v.resolver.lookup(ref)
	if missing != nil {
		panic(missing.wrapped())
	}
	return v.descend(instance, target.contents, nil, nil, target.resolver, emit)
}

// collect gathers all errors of a subschema, as list(validator.descend(...)).
func (v *validator) collect(instance, schema *value, schemaPath *step) (errors []*failure) {
	v.descend(instance, schema, nil, schemaPath, nil, func(e *failure) bool {
		errors = append(errors, e)
		return true
	})
	return errors
}
