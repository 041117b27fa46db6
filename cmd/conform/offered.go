package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/stage"
)

// showOffered prints one tool as the model of one host gets it.
func (a *app) showOffered(ctx context.Context, o *runOptions, table *capabilities.Table) error {
	at := strings.LastIndex(o.offered, "@")
	// A host may carry a version: TOOL@HOST@VERSION.
	if i := strings.Index(o.offered, "@"); i > 0 && i != at {
		at = i
	}
	if at <= 0 || at == len(o.offered)-1 {
		return usage("--show-offered %s: needs TOOL@HOST", o.offered)
	}
	tool, spec := o.offered[:at], o.offered[at+1:]
	host, err := table.Resolve(spec)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	capture, err := a.obtain(ctx, o, []*capabilities.Resolved{host})
	if err != nil {
		return err
	}
	evaluated, err := columnsOf([]*capabilities.Resolved{host}, capture, 0)
	if err != nil {
		return err
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
