#!/usr/bin/env bash
# Opens the page in a real Chromium and runs its specs (label "browser").
# CONFORM_SCREENSHOTS names a folder for pictures to look at.
set -euo pipefail
cd "$(dirname "$0")/.."
CONFORM_CHROMIUM=${CONFORM_CHROMIUM:-$(scripts/install-chromium.sh)}
export CONFORM_CHROMIUM
if [[ -n ${CONFORM_SCREENSHOTS:-} ]]; then mkdir -p "$CONFORM_SCREENSHOTS"; fi
go test -count=1 -timeout 15m -tags browser ./reports -ginkgo.label-filter=browser
