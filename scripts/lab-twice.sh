#!/usr/bin/env bash
# Runs hosts twice and compares the two observation files byte for byte, but for the
# date: what a line says must come from the host, not from the clock, the machine or
# chance. Prints one line a host; exits with 1 when two files differ and shows where.
#
# Usage: scripts/lab-twice.sh HOST[:MODE][@VERSION]...   (default: every host there is)
# Environment: CONFORM_LAB_CACHE, as scripts/lab-ci.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/conform" ./cmd/conform || exit 2
cache=()
if [[ -n ${CONFORM_LAB_CACHE:-} ]]; then
  cache=(--cache "$CONFORM_LAB_CACHE")
fi
hosts=("$@")
if [[ ${#hosts[@]} == 0 ]]; then
  mapfile -t hosts < <("$work/conform" lab list "${cache[@]}" | awk 'NR > 1 { print $1 "@" $2 }' | uniq)
fi

differ=0
for host in "${hosts[@]}"; do
  skipped=
  for run in one two; do
    code=0
    "$work/conform" lab run "${cache[@]}" --out "$work/$run/$host" "$host" >"$work/said" 2>&1 || code=$?
    # 1 is a difference from the table, which is not the question here.
    if [[ $code != 0 && $code != 1 ]]; then
      skipped=$(grep -m 1 'could not\|installing\|no namespaces' "$work/said" || tail -n 1 "$work/said")
      break
    fi
  done
  if [[ -n $skipped ]]; then
    echo "$host: could not be run: $skipped"
    continue
  fi
  one=("$work/one/$host"/*.jsonl) two=("$work/two/$host"/*.jsonl)
  without_date() { sed '1s/"date":"[^"]*"/"date":""/' "$1"; }
  if diff <(without_date "${one[0]}") <(without_date "${two[0]}") >"$work/diff"; then
    echo "$host: the same twice, $(($(wc -l <"${one[0]}") - 1)) observations"
  else
    differ=1
    echo "$host: differs in $(grep -c '^<' "$work/diff") lines"
    cut -c1-400 "$work/diff" | head -n 12
  fi
done
exit "$differ"
