package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab"
)

// lintObservations reports claims that the lab's observations in dir/observations
// contradict. What an observation adds is no fault; files that were recorded by
// hand, before there was a lab, are replayed by `caps verify` only.
func lintObservations(dir string, table *capabilities.Table) ([]capabilities.Fault, error) {
	files, err := filepath.Glob(filepath.Join(dir, "observations", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var faults []capabilities.Fault
	for _, path := range files {
		f, err := lab.Open(path)
		if err != nil {
			faults = append(faults, capabilities.Fault{File: filepath.Join("observations", filepath.Base(path)), Message: err.Error()})
			continue
		}
		if f.Header.Origin != lab.Origin {
			continue
		}
		byColumn, err := f.Differences(table)
		if err != nil {
			return nil, err
		}
		for column, changes := range byColumn {
			for _, c := range changes {
				if c.Table != "" {
					faults = append(faults, capabilities.Fault{File: f.Header.Host + ".json", Message: fmt.Sprintf(
						"%s: %s says %s, but %s saw %s; conform lab propose %s prints the edit", column, c.Key, c.Table, filepath.Base(path), c.Seen, path)})
				}
			}
		}
	}
	slices.SortFunc(faults, func(a, b capabilities.Fault) int {
		return slices.Compare([]string{a.File, a.Message}, []string{b.File, b.Message})
	})
	return faults, nil
}
