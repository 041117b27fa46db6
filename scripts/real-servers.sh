#!/usr/bin/env bash
# Runs every rule, with every revision and with probes, on the real servers of
# integration/realservers.tsv, or on those that are named, and prints for each what is
# reported above info, by rule. They are installed without their install scripts into
# ${CONFORM_INTEGRATION_CACHE:-$HOME/.cache/conform/integration}/real. The figures of
# docs/rules.md come from here.
set -euo pipefail
cd "$(dirname "$0")/.."
list=$PWD/integration/realservers.tsv
cache=${CONFORM_INTEGRATION_CACHE:-$HOME/.cache/conform/integration}/real
mkdir -p "$cache/work"
command -v npm >/dev/null || { echo "could not run: npm is not installed"; exit 3; }
go build -o "$cache/conform" ./cmd/conform
# Some want a newer node than the machine has; scripts/integration.sh installs one.
PATH=${CONFORM_INTEGRATION_CACHE:-$HOME/.cache/conform/integration}/node_modules/.bin:$PATH

summary='const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")), by = new Map();
for (const a of r.advice) if (a.severity !== "info") by.set(a.rule, [...(by.get(a.rule) || []), a]);
for (const [rule, all] of [...by].sort()) console.log(`  ${rule} ${all[0].severity} x${all.length}: ${all[0].tool} ${all[0].message}`.slice(0, 200));'

while IFS= read -r line; do
  [[ -z $line || $line == \#* ]] && continue
  # A tab is white space to read: empty columns need another separator.
  IFS=$'\x1f' read -r name package bin arguments environment <<<"${line//$'\t'/$'\x1f'}"
  if [[ $# -gt 0 && " $* " != *" $name "* ]]; then
    continue
  fi
  home=$cache/$name
  if [[ $(cat "$home/.stamp" 2>/dev/null || true) != "$package" ]]; then
    mkdir -p "$home"
    if ! npm install --prefix "$home" --ignore-scripts --no-audit --no-fund "$package" >"$home/npm.log" 2>&1; then
      printf '%s: could not be installed: %s\n' "$package" "$(tail -n 1 "$home/npm.log")"
      continue
    fi
    echo "$package" >"$home/.stamp"
  fi
  read -ra words <<<"${arguments:-}"
  read -ra variables <<<"${environment:-}"
  flags=()
  for v in "${variables[@]}"; do flags+=(--env "$v"); done
  printf '%s\n' "$package"
  if (cd "$cache/work" && "$cache/conform" run --quiet --protocol all --fail-on never --start-timeout 60s --probe-timeout 20s --total-timeout 5m \
    --format json="$home/report.json" "${flags[@]}" -- "$home/node_modules/.bin/$bin" "${words[@]}") </dev/null 2>"$home/run.log"; then
    node -e "$summary" "$home/report.json"
  else
    printf '  could not be run: %s\n' "$(tail -n 1 "$home/run.log")"
  fi
done <"$list"
