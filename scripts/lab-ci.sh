#!/usr/bin/env bash
# Observes one SDK client and one product with a model, in rooms of their own, and
# compares them with the table: the quick part of the lab, under two minutes. What
# can't be done here (no npm, no registry, no namespaces) is printed and is no
# failure. Differences from the table are printed and are no failure either: a host
# that changed is news, not a broken build. CONFORM_LAB_STRICT=1 makes them one.
#
# Environment: CONFORM_LAB_CACHE (installations, default ~/.cache/conform/lab),
# CONFORM_LAB_OUT (observation files, default a temporary folder),
# CONFORM_LAB_HOSTS (default "ts-sdk-v1:default ts-sdk-v1:http
# gemini-cli:default").
set -euo pipefail
cd "$(dirname "$0")/.."

could_not() {
  printf 'lab: could not run %s: %s\n' "$1" "$2"
}

command -v npm >/dev/null || { could_not "any host" "npm is not installed"; exit 0; }
out=${CONFORM_LAB_OUT:-$(mktemp -d)}
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/conform" ./cmd/conform
cache=()
if [[ -n ${CONFORM_LAB_CACHE:-} ]]; then
  cache=(--cache "$CONFORM_LAB_CACHE")
fi

differs=0
for host in ${CONFORM_LAB_HOSTS:-ts-sdk-v1:default ts-sdk-v1:http gemini-cli:default}; do
  if ! said=$(timeout 90 "$bin/conform" lab install "${cache[@]}" "$host" 2>&1); then
    could_not "$host" "$(tail -n 1 <<<"$said")"
    continue
  fi
  code=0
  timeout 120 "$bin/conform" lab run "${cache[@]}" --out "$out" "$host" || code=$?
  case $code in
    0) ;;
    1) differs=1 ;;
    2) could_not "$host" "no namespaces here (see above)" ;;
    3 | 124) could_not "$host" "see above" ;;
    *) exit "$code" ;;
  esac
done
if [[ $differs == 1 ]]; then
  echo "lab: observations differ from the table; conform lab propose $out/*.jsonl prints the edit"
  [[ -z ${CONFORM_LAB_STRICT:-} ]] || exit 1
fi
