#!/usr/bin/env bash
# Opens what scripts/lab-nightly.sh reported as an issue, or writes it into the one that
# is open already. Needs gh and a token that may write issues (GH_TOKEN).
#
# Environment: CONFORM_LAB_OUT (folder whose folders hold a lab-report.md each, default
# lab).
set -euo pipefail
title="The lab saw what the table does not say"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
for dir in "${CONFORM_LAB_OUT:-lab}"/*; do
  [[ ! -e $dir/lab-report.md ]] || { cat "$dir/lab-report.md"; echo; } >>"$body"
done
if ! grep -q '\*\*differs\*\*' "$body"; then
  echo "nothing differs"
  exit 0
fi
# An issue holds 65,536 characters.
if (($(wc -m <"$body") > 60000)); then
  head -c 60000 "$body" | iconv -c -t utf-8 >"$body.cut"
  printf '\n%s\n\nThe rest is in the artifacts of the run.\n' '````' >>"$body.cut"
  mv "$body.cut" "$body"
fi
number=$(gh issue list --state open --search "in:title \"$title\"" --json number,title --jq ".[] | select(.title == \"$title\") | .number" | head -n 1)
if [[ -n $number ]]; then
  gh issue edit "$number" --body-file "$body"
else
  gh issue create --title "$title" --body-file "$body"
fi
