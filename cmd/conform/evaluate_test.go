package main

import (
	"context"
	"testing"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func TestInterruptEndsAnEvaluation(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	begun, never := make(chan struct{}), make(chan struct{})
	defer close(never)
	go func() { <-begun; cancel() }()
	_, err := interruptible(ctx, func() (*verdict.Report, error) {
		close(begun)
		<-never
		return nil, nil
	})
	if codeOf(err) != exitInterrupted {
		t.Errorf("ended with %v, want the exit code %d", err, exitInterrupted)
	}
}

func TestInterruptedCaptureIsStillEvaluated(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	want := &verdict.Report{}
	got, err := interruptible(ctx, func() (*verdict.Report, error) { return want, nil })
	if got != want || err != nil {
		t.Errorf("gave %v, %v; want the report of what was captured", got, err)
	}
}
