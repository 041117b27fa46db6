#!/usr/bin/env bash
# Installs the real validator libraries and compares their verdicts with the
# goldens. Ends with 0 when none of them could be installed, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
validators/oracle/install.sh
code=0
go run ./validators/oracle/regen -check || code=$?
if ((code == 3)); then
  echo "could not run the oracles: none of the real libraries could be installed"
  exit 0
fi
exit "$code"
