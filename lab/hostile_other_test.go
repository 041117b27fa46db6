//go:build !linux

package lab

func attack(string) {}

func shareMemory() {}

func undo(string) int { return 1 }
