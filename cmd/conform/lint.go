package main

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/schema"
)

// lintInput is what the host-independent rules look at: the section lint of the
// settings, the run's hosts, and the manifest where its name ends with server.json, as
// in yard-server.json.
func lintInput(o *runOptions, columns []*capabilities.Resolved) (lint.Input, error) {
	in := lint.Input{Hosts: columns}
	if o.lint != nil {
		config, err := lint.DecodeConfig(o.lint)
		if err != nil {
			return in, usage("%s: %w", cmp.Or(o.settings, settingsFile), err)
		}
		in.Config = config
	}
	if strings.HasSuffix(filepath.Base(o.manifest), "server.json") {
		text, err := os.ReadFile(o.manifest)
		if err != nil {
			return in, usage("--manifest: %w", err)
		}
		if in.Manifest, err = schema.Parse(text, schema.Limits{}); err != nil {
			return in, usage("--manifest %s: not JSON: %w", o.manifest, err)
		}
	}
	return in, nil
}
