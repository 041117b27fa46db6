#!/usr/bin/env bash
# Puts the shards below $CONFORM_SHARDS together: every report.json or shard-*.json
# there is one. Writes the reports to $CONFORM_OUT and the job summary, and ends with
# the exit code of the whole run.
set -euo pipefail
bin=${CONFORM_BIN:-conform}
out=${CONFORM_OUT:-conform-report}
shards=()
while IFS= read -r -d '' file; do shards+=("$file"); done \
  < <(find "${CONFORM_SHARDS:-.}" -type f \( -name 'report.json' -o -name 'shard-*.json' \) -print0 | sort -z)
if ((${#shards[@]} == 0)); then
  printf 'there is no shard below %s\n' "${CONFORM_SHARDS:-.}" >&2
  exit 2
fi
mkdir -p "$out"
code=0
"$bin" merge "${shards[@]}" --format text --format "json=$out/report.json" --format "html=$out/report.html" \
  --format "markdown=$out/report.md" --format "sarif=$out/report.sarif" --format "junit=$out/report.xml" \
  --fail-on "${CONFORM_FAIL_ON:-breaks}" || code=$?
if [[ -n ${GITHUB_STEP_SUMMARY:-} && -s $out/report.md ]]; then cat "$out/report.md" >>"$GITHUB_STEP_SUMMARY"; fi
exit "$code"
