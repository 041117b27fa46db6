#!/usr/bin/env bash
# Makes the conform binary for action.yml: takes the one that CONFORM_BINARY names,
# or builds this repository's. Its path goes to $GITHUB_OUTPUT as "binary" and to
# stdout.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/.." && pwd)

if [[ -n ${CONFORM_BINARY:-} ]]; then
  if [[ ! -x $CONFORM_BINARY ]]; then
    printf 'binary: %s is no program that can be run\n' "$CONFORM_BINARY" >&2
    exit 2
  fi
  binary=$(cd "$(dirname "$CONFORM_BINARY")" && pwd)/$(basename "$CONFORM_BINARY")
else
  if ! command -v go >/dev/null; then
    echo "there is no Go here to build conform with; run actions/setup-go first, or give the input binary" >&2
    exit 2
  fi
  binary=${RUNNER_TEMP:-$(mktemp -d)}/conform
  (cd "$source_dir" && go build -trimpath -o "$binary" ./cmd/conform)
fi
"$binary" version >&2
printf '%s\n' "$binary"
printf 'binary=%s\n' "$binary" >>"${GITHUB_OUTPUT:-/dev/null}"
