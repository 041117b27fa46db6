#!/usr/bin/env bash
# One square of the nightly matrix: the fixture's sets in one revision of the
# protocol (CONFORM_ERA) and one set of hosts (CONFORM_HOST_SET). The good set must
# work in every product (a model's API alone, or another revision of the protocol,
# may well refuse it); in the set with one fault of each kind something must break.
# Reports go to $CONFORM_OUT.
set -euo pipefail
cd "$(dirname "$0")/.."
era=${CONFORM_ERA:-2025-11-25}
set=${CONFORM_HOST_SET:-all}
out=${CONFORM_OUT:-nightly}
mkdir -p "$out"
bin=$out/conform
go build -o "$bin" ./cmd/conform

run() { # run SET FAIL-ON
  "$bin" run --quiet --protocol "$era" --host-set "$set" --fail-on "$2" \
    --format "json=$out/$era-$set-$1.json" --format "html=$out/$era-$set-$1.html" -- "$bin" fixture --set "$1"
}

good=breaks
case $set in sdk | api | spec | all) good=never ;; esac
code=0
run good "$good" || code=$?
if ((code == 1)); then
  echo "a tool without a fault breaks in $set over $era: the table or the fixture is wrong" >&2
  exit 1
fi
if ((code != 0 && code != 3)); then exit "$code"; fi
run one-of-each never
broken=$(jq .summary.breaks "$out/$era-$set-one-of-each.json")
printf '%s over %s: %s cells of the faulty fixture break\n' "$set" "$era" "$broken"
if [[ $set == all ]] && ((broken == 0)); then
  echo "nothing breaks in the fixture whose tools are broken on purpose" >&2
  exit 1
fi
