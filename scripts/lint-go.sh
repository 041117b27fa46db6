#!/usr/bin/env bash
# Lints the Go code: gofmt, go mod tidy, staticcheck, and functions that neither the
# program nor a test can reach. Ends with 3 when a linter could not be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
deadcode=golang.org/x/tools/cmd/deadcode@v0.52.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unformatted=$(gofmt -l .)
if [[ -n $unformatted ]]; then
  printf 'gofmt would change:\n%s\n' "$unformatted"
  exit 1
fi
go mod tidy -diff

if ! GOBIN=$work go install "$staticcheck" 2>"$work/log" || ! GOBIN=$work go install "$deadcode" 2>"$work/log"; then
  printf 'could not install the linters: %s\n' "$(tail -n 1 "$work/log")"
  exit 3
fi
"$work/staticcheck" ./...
"$work/staticcheck" -tags integration ./integration
unreached=$("$work/deadcode" -test ./...)
if [[ -n $unreached ]]; then
  printf '%s\n' "$unreached"
  exit 1
fi
