#!/usr/bin/env bash
# Ends with the exit code that ci-run.sh noted (CONFORM_EXIT_CODE), after everything
# was published. Exit codes: docs/exit-codes.md.
set -euo pipefail
code=${CONFORM_EXIT_CODE:-}
if [[ ! $code =~ ^[0-9]{1,3}$ ]]; then
  echo "conform did not run to its end; see the step before" >&2
  exit 2
fi
case $code in
  0) echo "conform found nothing at or above the level that fails" ;;
  1) echo "conform found tools that break; see the summary and the comment" ;;
  6) echo "the baseline names findings that are gone: conform baseline prune" ;;
  *) echo "conform could not do its work (exit code $code); see the log" ;;
esac
exit "$code"
