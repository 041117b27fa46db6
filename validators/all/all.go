// Package all registers every validator profile; import it for its side effect.
package all
