package networknt

func (r *reader) array(depth int) {
	r.rest = r.rest[1:]
	for first := true; ; first = false {
		r.space()
		switch {
		case r.rest == "" && first:
			r.fail("Unexpected end-of-input: expected close marker for Array (start marker%s)", noSource)
		case r.rest == "":
			r.fail("Unexpected end-of-input within/between Array entries")
		case first && r.rest[0] == ']':
			r.rest = r.rest[1:]
			return
		case r.rest[0] == '}':
			r.fail("Unexpected close marker '}': expected ']' (for Array starting%s)", noSource)
		}
		r.value(depth + 1)
		r.space()
		switch {
		case r.rest == "":
			r.fail("Unexpected end-of-input: expected close marker for Array (start marker%s)", noSource)
		case r.rest[0] == ']':
			r.rest = r.rest[1:]
			return
		case r.rest[0] == '}':
			r.fail("Unexpected close marker '}': expected ']' (for Array starting%s)", noSource)
		case r.rest[0] != ',':
			r.unexpected(": was expecting comma to separate Array entries")
		}
		r.rest = r.rest[1:]
	}
}

func (r *reader) object(depth int) {
	r.rest = r.rest[1:]
	for first := true; ; first = false {
		r.space()
		switch {
		case r.rest == "" && first:
			r.fail("Unexpected end-of-input: expected close marker for Object (start marker%s)", noSource)
		case r.rest == "":
			r.fail("Unexpected end-of-input within/between Object entries")
		case first && r.rest[0] == '}':
			r.rest = r.rest[1:]
			return
		case first && r.rest[0] == ']':
			r.fail("Unexpected close marker ']': expected '}' (for Object starting%s)", noSource)
		case r.rest[0] != '"':
			r.unexpected(": was expecting double-quote to start property name")
		}
		r.text("Unexpected end-of-input in property name", "name")
		r.space()
		if r.rest == "" {
			r.fail("Unexpected end-of-input within/between Object entries")
		}
		if r.rest[0] != ':' {
			r.unexpected(": was expecting a colon to separate property name and value")
		}
		r.rest = r.rest[1:]
		if r.space(); r.rest == "" {
			r.fail("Unexpected end-of-input within/between Object entries")
		}
		r.value(depth + 1)
		r.space()
		switch {
		case r.rest == "":
			r.fail("Unexpected end-of-input: expected close marker for Object (start marker%s)", noSource)
		case r.rest[0] == '}':
			r.rest = r.rest[1:]
			return
		case r.rest[0] == ']':
			r.fail("Unexpected close marker ']': expected '}' (for Object starting%s)", noSource)
		case r.rest[0] != ',':
			r.unexpected(": was expecting comma to separate Object entries")
		}
		r.rest = r.rest[1:]
	}
}
