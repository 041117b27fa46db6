#!/usr/bin/env bash
# Observes every version of every host that can be installed here (or of those in
# CONFORM_LAB_HOSTS) and writes what differs from the table as a report: in the folder
# that is given, default lab-out, lab-report.md, lab-details.txt, the observation files
# and the proposed edits (proposed.diff). A host that can't be observed is listed and
# is no failure; exits with 1 when something differs, so that a workflow can open an
# issue with the report, and with 2 or more when the lab itself broke.
#
# Environment: CONFORM_LAB_HOSTS (default: all), CONFORM_LAB_JOBS (hosts at once,
# default 3: most of the time is waiting), CONFORM_LAB_CACHE, as scripts/lab-ci.sh; CONFORM_LAB_REPORT_ONLY=1 makes a difference no failure.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-lab-out}
mkdir -p "$out"
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/conform" ./cmd/conform || exit 2
# The table of this moment, whatever becomes of the checkout while the lab runs.
cp -r capabilities "$bin/table"
cache=()
if [[ -n ${CONFORM_LAB_CACHE:-} ]]; then
  cache=(--cache "$CONFORM_LAB_CACHE")
fi

# The images of GitHub's runners grant user namespaces only to programs with a profile.
if [[ -n ${GITHUB_ACTIONS:-} && -e /proc/sys/kernel/apparmor_restrict_unprivileged_userns ]]; then
  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
fi

read -ra hosts <<<"${CONFORM_LAB_HOSTS:-}"
rc=0
"$bin/conform" lab run --all --jobs "${CONFORM_LAB_JOBS:-3}" "${hosts[@]}" "${cache[@]}" --out "$out" >"$out/run.txt" 2>"$out/run.log" || rc=$?
if ((rc > 3)); then
  tail -n 20 "$out/run.log" >&2
  exit "$rc"
fi

# One line a file in the report; every difference in the details.
differs=0
: >"$out/lab-details.txt"
lines=()
claims=()
for file in "$out"/*.jsonl; do
  [[ -e $file ]] || continue
  name=$(basename "$file" .jsonl)
  code=0
  said=$("$bin/conform" lab diff "$file" 2>&1) || code=$?
  if ((code == 0)); then
    lines+=("| $name | as the table says | | | |")
    continue
  fi
  differs=1
  printf '## %s\n%s\n\n' "$name" "$said" >>"$out/lab-details.txt"
  counts=$(awk '$1 == "all" { print $2 " | " $4 " | " $6 }' <<<"$said")
  lines+=("| $name | **differs** | ${counts:-| | } |")
  while IFS= read -r claim; do claims+=("$name: ${claim#CLAIM }"); done < <(grep '^CLAIM' <<<"$said" | cut -c1-600 || true)
done

propose=0
compgen -G "$out/*.jsonl" >/dev/null &&
  "$bin/conform" lab propose --dir "$bin/table" "$out"/*.jsonl >"$out/proposed.diff" 2>>"$out/run.log" || propose=$?
sed -i "s|$bin/table|capabilities|g" "$out/proposed.diff" 2>/dev/null || true

{
  echo "# What the lab saw on $(date -u +%F)"
  printf '\nOffers, calls and views that the emulation reproduces, of those that were observed.\n\n'
  printf '| version | table | offers | calls | views |\n| --- | --- | --- | --- | --- |\n'
  printf '%s\n' "${lines[@]}"
  if ((${#claims[@]})); then
    printf '\n## Claims that the observations contradict or add\n\n'
    # A row of four backquotes: what a host says may hold three.
    printf '%s\n' '````'
    printf '%s\n' "${claims[@]}" '````'
  fi
  if missed=$(grep 'could not be observed\|installing .*: \|: [0-9]* hosts' "$out/run.log"); then
    printf '\n## Not observed\n\n%s\n%s\n%s\n' '````' "$(cut -c1-400 <<<"$missed")" '````'
  fi
  printf '\nEvery difference is in lab-details.txt, the edits that follow from them in proposed.diff.\n'
  ((propose == 0)) || printf '\nSome edits could not be proposed; see run.log.\n'
} >"$out/lab-report.md"
[[ -z ${GITHUB_STEP_SUMMARY:-} ]] || cat "$out/lab-report.md" >>"$GITHUB_STEP_SUMMARY"
[[ -z ${CONFORM_LAB_REPORT_ONLY:-} ]] || exit 0
exit "$differs"
