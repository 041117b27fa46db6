#!/usr/bin/env bash
# Opens the page in a real Chromium and runs its specs (label "browser").
# CONFORM_SCREENSHOTS names a folder for pictures to look at. The checks of
# accessibility include those of axe-core where npm can install it.
set -euo pipefail
cd "$(dirname "$0")/.."
CONFORM_CHROMIUM=${CONFORM_CHROMIUM:-$(scripts/install-chromium.sh)}
export CONFORM_CHROMIUM
if [[ -n ${CONFORM_SCREENSHOTS:-} ]]; then mkdir -p "$CONFORM_SCREENSHOTS"; fi
if [[ -z ${CONFORM_AXE:-} ]] && command -v npm >/dev/null; then
  modules=$(mktemp -d)
  trap 'rm -rf "$modules"' EXIT
  if npm install --prefix "$modules" --ignore-scripts --no-audit --no-fund --silent axe-core@4.14.1; then
    export CONFORM_AXE=$modules/node_modules/axe-core/axe.min.js
  else
    echo "axe-core could not be installed: its checks are left out" >&2
  fi
fi
go test -count=1 -timeout 15m -tags browser ./reports -ginkgo.label-filter=browser
