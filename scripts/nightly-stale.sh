#!/usr/bin/env bash
# Lists the hosts that nobody looked at for CONFORM_STALE_AFTER (default 60d), in the
# log and in the job summary. It fails nothing: it is a list of work.
set -euo pipefail
cd "$(dirname "$0")/.."
after=${CONFORM_STALE_AFTER:-60d}
list=$(go run ./cmd/conform caps stale --older-than "$after") || true
{
  printf '## Hosts not observed for %s\n\n' "$after"
  if [[ -n $list ]]; then
    printf '```\n%s\n```\n' "$list"
  else
    printf 'None.\n'
  fi
} | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
