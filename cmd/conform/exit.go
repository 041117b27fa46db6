package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/wire"
)

// The exit codes are part of the command's contract.
const (
	exitOK          = 0
	exitFindings    = 1   // something at or above --fail-on
	exitUsage       = 2   // usage or configuration
	exitIncomplete  = 3   // could not be established
	exitUnreachable = 4   // the target could not be started or reached
	exitAuth        = 5   // authentication needed
	exitStale       = 6   // stale baseline
	exitInterrupted = 130 // interrupted; what was established is written
)

// exitError ends the program with a code; a nil err says nothing more.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage is a mistake in flags, arguments or files: exit code 2.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// codeOf returns the exit code for an error.
func codeOf(err error) int {
	var exit *exitError
	var failure *wire.Error
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &failure):
		return codeOfWire(failure.Kind)
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitUsage
}

func codeOfWire(kind wire.Kind) int {
	switch {
	case kind == wire.KindUsage:
		return exitUsage
	case kind == wire.KindAuth:
		return exitAuth
	case kind == wire.KindCanceled:
		return exitInterrupted
	case kind.Unreachable():
		return exitUnreachable
	}
	return exitIncomplete
}

// complain prints an error as one message for a person.
func complain(w io.Writer, err error) {
	var exit *exitError
	if errors.As(err, &exit) && exit.err == nil {
		return
	}
	text := strings.TrimRight(err.Error(), "\n")
	fmt.Fprintln(w, "conform: "+text)
}
