#!/usr/bin/env bash
# Observes every host that can be installed here and writes what differs from the
# table as a report: lab-report.md, the observation files and the proposed edits
# (proposed.diff) in the folder that is given, default lab-out. A host that can't be
# observed is listed and is no failure; exits with 1 when something differs, so that
# a workflow can open an issue with the report.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-lab-out}
mkdir -p "$out"
go build -o "$out/conform" ./cmd/conform || exit 2

rc=0
"$out/conform" lab run --all --out "$out" >"$out/run.txt" 2>"$out/run.log" || rc=$?
differs=0
{
  echo "# What the lab saw on $(date -u +%F)"
  for file in "$out"/*.jsonl; do
    [[ -e $file ]] || continue
    rc=0
    said=$("$out/conform" lab diff "$file" 2>&1) || rc=$?
    if [[ $rc == 0 ]]; then
      echo "- $(basename "$file" .jsonl): as the table says"
      continue
    fi
    differs=1
    printf -- '- %s: differs\n\n```\n%s\n```\n\n' "$(basename "$file" .jsonl)" "$said"
  done
  if grep -q 'could not be observed\|installing .*: ' "$out/run.log"; then
    printf '\nNot observed:\n\n```\n%s\n```\n' "$(grep -v 'installing [^:]*$\|running ' "$out/run.log" || true)"
  fi
} >"$out/lab-report.md"
"$out/conform" lab propose "$out"/*.jsonl >"$out/proposed.diff" 2>>"$out/run.log" || rc=$?
exit "$differs"
