package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/validators"
)

func (a *app) validateCommand() *cobra.Command {
	var profile string
	var list, bowtie bool
	cmd := &cobra.Command{
		Use:  "validate --profile ID",
		Args: noArgs("schemas and instances come on stdin"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case list:
				return a.listProfiles()
			case bowtie && profile != "":
				return usage("--bowtie chooses its profile by the dialect that is asked for; leave out --profile")
			case bowtie:
				return validators.ServeBowtie(cmd.Context(), a.stdin, a.stdout)
			}
			if err := checkProfile(profile); err != nil {
				return err
			}
			return validators.ServeLines(cmd.Context(), profile, a.stdin, a.stdout)
		},
	}
	helpFor(cmd, "validate")
	cmd.Flags().StringVar(&profile, "profile", "", "validator profile; --list prints them")
	cmd.Flags().BoolVar(&bowtie, "bowtie", false, "answer the protocol of the Bowtie harness in place of lines")
	cmd.Flags().BoolVar(&list, "list", false, "print the profiles and end")
	completeWith(cmd, "profile", func() []string {
		var ids []string
		for _, p := range validators.Profiles() {
			ids = append(ids, p.ID+"\t"+p.Title)
		}
		return ids
	})
	return cmd
}

func (a *app) listProfiles() error {
	for _, p := range validators.Profiles() {
		fmt.Fprintf(a.stdout, "%-26s %s\n", p.ID, p.Title)
	}
	return nil
}

func checkProfile(id string) error {
	if _, ok := validators.Lookup(id); ok {
		return nil
	}
	if id == "" {
		return usage("no --profile; `conform validate --list` prints them")
	}
	var known []string
	for _, p := range validators.Profiles() {
		known = append(known, p.ID)
	}
	if near := capabilities.Nearest(id, known); near != "" {
		return usage("no validator profile %q; did you mean %q? `conform validate --list` prints them", id, near)
	}
	return usage("no validator profile %q; `conform validate --list` prints them", id)
}
