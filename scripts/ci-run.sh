#!/usr/bin/env bash
# Runs conform for action.yml. Everything comes in through variables and goes to the
# program as one argument each; no shell ever reads a value as code.
#
#   CONFORM_BIN        the program (default: conform)
#   CONFORM_COMMAND    the server's command, one argument a line
#   CONFORM_URL        or its address
#   CONFORM_REPLAY     or recordings, one a line
#   CONFORM_HEADERS    HTTP headers, one a line: Name: $VARIABLE
#   CONFORM_HOSTS      hosts, separated by commas or lines; empty: the default
#   CONFORM_HOST_SET   host sets, in the same way
#   CONFORM_HOSTS_DIR, CONFORM_SAMPLES, CONFORM_BASELINE, CONFORM_FAIL_ON,
#   CONFORM_MIN_BASIS, CONFORM_PROTOCOL, CONFORM_SHARD, CONFORM_MANIFEST  as the flags
#   CONFORM_DIR        folder in which the server runs
#   CONFORM_OUT        folder for the reports (default: conform-report)
#   CONFORM_SUMMARY    false: no job summary
#
# Writes report.json, report.html, report.md, report.sarif and report.xml (JUnit),
# the job summary, and "exit-code", "directory", "reported" (there is a report) and
# "complete" (it is of a whole run) to $GITHUB_OUTPUT. Ends with 0 so
# that what follows can still publish; ci-verdict.sh passes the code on.
set -euo pipefail

bin=${CONFORM_BIN:-conform}
out=${CONFORM_OUT:-conform-report}
mkdir -p "$out"
out=$(cd "$out" && pwd)

args=(run --format text
  --format "json=$out/report.json" --format "html=$out/report.html" --format "markdown=$out/report.md"
  --format "sarif=$out/report.sarif" --format "junit=$out/report.xml")

# each FLAG TEXT: the flag once for each line that is not blank.
each() {
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line%$'\r'}
    if [[ -n ${line//[[:space:]]/} ]]; then args+=("$1=$line"); fi
  done <<<"$2"
}
# one FLAG VALUE: the flag, where there is a value.
one() { if [[ -n $2 ]]; then args+=("$1=$2"); fi; }

each --host "$(tr ',' '\n' <<<"${CONFORM_HOSTS:-}" | tr -d ' \t')"
each --host-set "$(tr ',' '\n' <<<"${CONFORM_HOST_SET:-}" | tr -d ' \t')"
each --header "${CONFORM_HEADERS:-}"
each --replay "${CONFORM_REPLAY:-}"
one --url "${CONFORM_URL:-}"
one --dir "${CONFORM_DIR:-}"
one --hosts-dir "${CONFORM_HOSTS_DIR:-}"
one --samples "${CONFORM_SAMPLES:-}"
one --baseline "${CONFORM_BASELINE:-}"
one --fail-on "${CONFORM_FAIL_ON:-}"
one --min-basis "${CONFORM_MIN_BASIS:-}"
one --protocol "${CONFORM_PROTOCOL:-}"
one --shard "${CONFORM_SHARD:-}"
one --manifest "${CONFORM_MANIFEST:-}"

command=()
while IFS= read -r line || [[ -n $line ]]; do
  line=${line%$'\r'}
  if [[ -n $line ]]; then command+=("$line"); fi
done <<<"${CONFORM_COMMAND:-}"
if ((${#command[@]})); then args+=(-- "${command[@]}"); fi

code=0
"$bin" "${args[@]}" || code=$?

if [[ ${CONFORM_SUMMARY:-true} == true && -n ${GITHUB_STEP_SUMMARY:-} && -s $out/report.md ]]; then
  cat "$out/report.md" >>"$GITHUB_STEP_SUMMARY"
fi
if [[ -s $out/report.json ]]; then reported=true; else reported=false; fi
case $code in 0 | 1 | 6) complete=$reported ;; *) complete=false ;; esac
{
  printf 'exit-code=%s\n' "$code"
  printf 'directory=%s\n' "$out"
  printf 'reported=%s\n' "$reported"
  printf 'complete=%s\n' "$complete"
} >>"${GITHUB_OUTPUT:-/dev/null}"
printf 'conform ended with %s\n' "$code" >&2
