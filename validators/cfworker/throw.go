package cfworker

import "fmt"

// thrown is a JavaScript error on its way up; it travels as a panic inside this
// package and never leaves it. Hosts print its message alone.
type thrown struct{ message string }

func throw(format string, args ...any) { panic(&thrown{fmt.Sprintf(format, args...)}) }

// gaveUp is a limit of this emulation, or a question that it can't answer.
type gaveUp struct{ reason string }

func giveUp(format string, args ...any) { panic(&gaveUp{fmt.Sprintf(format, args...)}) }

// attempt runs f and returns the error or the limit that ended it.
func attempt(f func()) (failure *thrown, limit *gaveUp) {
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case *thrown:
			failure = caught
		case *gaveUp:
			limit = caught
		default:
			panic(caught)
		}
	}()
	f()
	return nil, nil
}

// typeName is what V8 calls a value in a message about reading its members.
func typeName(v *value) string {
	if v == nil {
		return "undefined"
	}
	return "null"
}

// isNullish says that reading a member of v throws.
func isNullish(v *value) bool { return v == nil || v.kind == kindNull }
