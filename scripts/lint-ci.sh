#!/usr/bin/env bash
# Lints what CI systems read, with the tools that their users trust: actionlint and
# the schemas of GitHub, GitLab and pre-commit over the workflows, the action, the
# examples and the hook; shellcheck over the scripts; the schemas of Kubernetes over
# the manifests; and a real pre-commit that installs the hook and runs it. Ends with
# 3 when a tool could not be installed, after everything else was linted.
#
# CONFORM_LINT_HOOK=false leaves out the run of the hook, which builds the program
# from nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
packages=(check-jsonschema==0.39.0 kubernetes-validate==1.37.0 pre-commit==4.7.0)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
missing=0
could_not() {
  printf 'could not lint %s: %s\n' "$1" "$2"
  missing=3
}
note() { printf '== %s\n' "$*"; }

scripts=(scripts/*.sh .ci/run)
if command -v shellcheck >/dev/null; then
  note "shellcheck ${scripts[*]}"
  # SC2016: a backtick in single quotes is Markdown here.
  shellcheck --exclude=SC2016 "${scripts[@]}"
else
  could_not "the scripts" "shellcheck is not installed"
fi

# conform init writes the last one.
workflows=(.github/workflows/*.yml examples/github-*.yml cmd/conform/workflow.yml)
if GOBIN=$work go install "$actionlint" 2>"$work/go.log"; then
  note "actionlint ${workflows[*]}"
  "$work/actionlint" "${workflows[@]}"
else
  could_not "the workflows" "$(tail -n 1 "$work/go.log")"
fi

if ! { python3 -m venv "$work/py" && "$work/py/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}"; } >"$work/pip.log" 2>&1; then
  could_not "the action, GitLab's and Kubernetes' examples and the hook" "$(tail -n 1 "$work/pip.log")"
  exit "$missing"
fi
check=$work/py/bin/check-jsonschema
note "the schemas of GitHub and GitLab"
"$check" --builtin-schema vendor.github-actions action.yml
"$check" --builtin-schema vendor.github-workflows "${workflows[@]}"
"$check" --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci examples/gitlab-ci.yml
note "the schemas of Kubernetes"
"$work/py/bin/kubernetes-validate" --strict examples/kubernetes/*.yaml

note "the hook of pre-commit"
"$work/py/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
if [[ ${CONFORM_LINT_HOOK:-true} == true ]]; then
  go build -o "$work/conform" ./cmd/conform
  git clone --quiet "$root" "$work/hook"
  mkdir "$work/server"
  cd "$work/server"
  git init --quiet
  "$work/conform" init -- "$work/conform" fixture --set good
  git add --all
  PRE_COMMIT_HOME=$work/cache "$work/py/bin/pre-commit" try-repo "$work/hook" conform --all-files --verbose
  rm -r conform.yaml conform.samples.yaml .github
  "$work/conform" init -- "$work/conform" fixture --set demo
  code=0
  PRE_COMMIT_HOME=$work/cache "$work/py/bin/pre-commit" try-repo "$work/hook" conform --all-files --verbose >"$work/hook.log" || code=$?
  if ((code != 1)) || ! grep -q hauler_status "$work/hook.log"; then
    printf 'the hook let a broken tool pass (exit code %s)\n' "$code" >&2
    cat "$work/hook.log" >&2
    exit 1
  fi
fi
exit "$missing"
