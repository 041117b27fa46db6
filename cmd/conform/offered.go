package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/wire"
)

// showOffered prints one tool as the model of one host gets it; configured are the
// servers of a configuration, of which the tool then names one: SERVER/TOOL, as the
// report about all of them does.
func (a *app) showOffered(ctx context.Context, o *runOptions, table *capabilities.Table, configured []wire.Target) error {
	at := strings.LastIndex(o.offered, "@")
	// A host may carry a version: TOOL@HOST@VERSION.
	if i := strings.Index(o.offered, "@"); i > 0 && i != at {
		at = i
	}
	if at <= 0 || at == len(o.offered)-1 {
		return usage("--show-offered %s: needs TOOL@HOST", o.offered)
	}
	tool, spec := o.offered[:at], o.offered[at+1:]
	if len(configured) > 1 {
		var err error
		if tool, err = o.chooseServer(tool, configured); err != nil {
			return err
		}
	}
	host, err := table.Resolve(spec)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	capture, err := a.obtain(ctx, o, []*capabilities.Resolved{host})
	if err != nil {
		return err
	}
	evaluated, err := columnsOf(ctx, []*capabilities.Resolved{host}, capture, 0)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	column := evaluated[0]
	var known []string
	for _, t := range column.State.Tools {
		if t.Name == tool {
			return a.printOffer(host, t)
		}
		known = append(known, t.Name)
	}
	hint := ""
	if near := capabilities.Nearest(tool, known); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return usage("--show-offered: the server has no tool %q%s", tool, hint)
}

// chooseServer makes the server that a tool's name begins with the target, and
// returns the rest of the name.
func (o *runOptions) chooseServer(tool string, configured []wire.Target) (string, error) {
	for i, t := range configured {
		if rest, ok := strings.CutPrefix(tool, t.Name+"/"); ok {
			o.target.live, o.target.name = &configured[i], t.Name
			return rest, nil
		}
	}
	return "", usage("--show-offered %s: %s names %d servers; write SERVER/%s with one of %s, or take one with --server",
		o.offered, o.target.config.name(), len(configured), o.offered, strings.Join(namesOf(configured), ", "))
}

func (a *app) printOffer(host *capabilities.Resolved, t *stage.Tool) error {
	offer := t.Offered
	out := struct {
		Host        string          `json:"host"`
		Version     string          `json:"version"`
		Tool        string          `json:"tool"`
		Present     bool            `json:"present"`
		Name        string          `json:"name,omitempty"`
		Namespace   string          `json:"namespace,omitempty"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"schema,omitempty"`
		Rendered    string          `json:"rendered,omitempty"`
	}{Host: host.ID, Version: host.Version, Tool: t.Name, Present: offer.Present, Name: offer.Name,
		Namespace: offer.Namespace, Description: offer.Description, Rendered: offer.Rendered}
	if offer.Schema != nil {
		out.Schema = json.RawMessage(offer.Schema.Compact())
	}
	return a.printJSON(out)
}
