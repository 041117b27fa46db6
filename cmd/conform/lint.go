package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// lintInput is what the host-independent rules look at: the section lint of the
// settings, the run's hosts, and the manifest where it is a server.json.
func lintInput(o *runOptions, columns []*capabilities.Resolved) (lint.Input, error) {
	in := lint.Input{Hosts: columns}
	if o.lint != nil {
		config, err := lint.DecodeConfig(o.lint)
		if err != nil {
			return in, usage("%s: %w", cmp.Or(o.settings, settingsFile), err)
		}
		in.Config = config
	}
	if o.manifest == "" {
		return in, nil
	}
	text, err := os.ReadFile(o.manifest)
	if err != nil {
		return in, usage("--manifest: %w%s", err, nearFile(o.manifest))
	}
	named := strings.HasSuffix(filepath.Base(o.manifest), "server.json") // also yard-server.json
	manifest, err := schema.Parse(text, schema.Limits{})
	switch {
	case err != nil && named:
		return in, usage("--manifest %s: not JSON: %w", o.manifest, err)
	case err == nil && (named || lint.IsManifest(manifest)):
		in.Manifest = manifest
	}
	return in, nil
}

// checkRules finds mistakes in what the rules are given before a server is started,
// and tells what is given in vain.
func (a *app) checkRules(o *runOptions) error {
	in, err := lintInput(o, nil)
	if err == nil && o.manifest != "" && in.Manifest == nil {
		a.warn("--manifest %s: is no server.json, so its content is not checked; findings are shown at it", o.manifest)
	}
	return err
}

// warnAllowed tells entries of the allow-lists that are about no tool of any capture.
func (a *app) warnAllowed(o *runOptions, captures ...*recording.Capture) {
	if o.lint == nil {
		return
	}
	config, err := lint.DecodeConfig(o.lint)
	if err != nil {
		return // told when the rules run
	}
	var names []string
	for _, c := range captures {
		if c == nil {
			continue
		}
		for _, s := range c.Sessions {
			for _, t := range s.Tools {
				names = append(names, t.Name)
			}
		}
	}
	if len(names) == 0 {
		return // nothing was listed, which is told elsewhere
	}
	for _, text := range config.Unmatched(names) {
		a.warn("%s", fmt.Sprintf("%s: %s", cmp.Or(o.settings, settingsFile), text))
	}
}
