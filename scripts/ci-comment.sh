#!/usr/bin/env bash
# Posts the report as one comment on the pull request, or updates the one that is
# there. A token that may not write (a pull request from a fork) is no failure: the
# job summary has the same text, and examples/github-fork-comment.yml shows how a
# second workflow comments.
#
#   GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL
#   CONFORM_PULL_REQUEST  number, or empty: found by CONFORM_HEAD_SHA
#   CONFORM_HEAD_SHA      commit of the pull request's head
#   CONFORM_REPORT        report.json; the text is rendered from it here, so that a
#                         file from somebody else's job cannot bring its own markup
#   CONFORM_BIN           the program (default: conform)
#   CONFORM_COMMENT_KEY   tells several comments of one pull request apart
set -euo pipefail

bin=${CONFORM_BIN:-conform}
api=${GITHUB_API_URL:-https://api.github.com}
key=${CONFORM_COMMENT_KEY:-conform}
key=${key//[^A-Za-z0-9_.-]/-}
marker="<!-- conform-comment:$key -->"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

give_up() {
  printf 'no comment: %s\n' "$1" >&2
  exit 0
}

[[ -n ${GITHUB_TOKEN:-} ]] || give_up "there is no token"
[[ ${GITHUB_REPOSITORY:-} =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] || give_up "GITHUB_REPOSITORY is not set"
[[ -s ${CONFORM_REPORT:-} ]] || give_up "there is no report"

# request METHOD PATH [BODY-FILE]: the status; the answer is in $work/answer. The
# token goes through a file, so that no list of processes shows it.
printf 'header = "Authorization: Bearer %s"\n' "$GITHUB_TOKEN" >"$work/auth"
request() {
  local body=()
  if [[ -n ${3:-} ]]; then body=(--data-binary "@$3"); fi
  curl --silent --show-error --max-time 60 --config "$work/auth" --request "$1" \
    --header 'Accept: application/vnd.github+json' --header 'Content-Type: application/json' \
    --output "$work/answer" --write-out '%{http_code}' "${body[@]}" "$api/$2"
}

number=${CONFORM_PULL_REQUEST:-}
if [[ -z $number ]]; then
  [[ ${CONFORM_HEAD_SHA:-} =~ ^[0-9a-f]{40}$ ]] || give_up "this is no pull request"
  status=$(request GET "repos/$GITHUB_REPOSITORY/commits/$CONFORM_HEAD_SHA/pulls") || give_up "the server did not answer"
  [[ $status == 200 ]] || give_up "asking for the pull request of $CONFORM_HEAD_SHA: HTTP $status"
  number=$(jq -r '[.[] | select(.state == "open")][0].number // empty' "$work/answer")
fi
[[ $number =~ ^[0-9]+$ ]] || give_up "no open pull request was found"

"$bin" report "$CONFORM_REPORT" --format "markdown=$work/report.md"
{
  printf '%s\n' "$marker"
  cat "$work/report.md"
} | jq -Rs '{body: .[0:65000]}' >"$work/body"

# Only a comment of this token's own account is updated: anybody can write the
# marker. The token of a workflow cannot ask who it is; it is a bot.
status=$(request GET user) || give_up "the server did not answer"
login=
if [[ $status == 200 ]]; then login=$(jq -r '.login // empty' "$work/answer"); fi
status=$(request GET "repos/$GITHUB_REPOSITORY/issues/$number/comments?per_page=100") || give_up "the server did not answer"
[[ $status == 200 ]] || give_up "reading the comments of #$number: HTTP $status"
id=$(jq -r --arg marker "$marker" --arg login "$login" '[.[] | select((.body // "") | startswith($marker))
  | select(if $login == "" then .user.type == "Bot" else .user.login == $login end)][0].id // empty' "$work/answer")
[[ $id =~ ^[0-9]*$ ]] || give_up "the id of a comment is no number"

if [[ -n $id ]]; then
  status=$(request PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" "$work/body")
else
  status=$(request POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" "$work/body")
fi
case $status in
  200 | 201) printf 'commented on #%s\n' "$number" ;;
  401 | 403 | 404) give_up "the token may not write here (HTTP $status), as in a pull request from a fork; the job summary has the report" ;;
  *)
    printf 'commenting on #%s: HTTP %s: %s\n' "$number" "$status" "$(head -c 300 "$work/answer")" >&2
    exit 1
    ;;
esac
