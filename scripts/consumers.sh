#!/usr/bin/env bash
# Gives the demo's reports to those who read such formats for a living: the official
# SARIF schema and Microsoft's validator, prove and tap-parser for TAP, junitparser
# for JUnit, a YAML reader for the waivers. Ends with 3 when a reader could not be
# installed, after the others had their turn.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=0
could_not() {
  printf 'could not ask %s: %s\n' "$1" "$2"
  missing=3
}
note() { printf '== %s\n' "$*"; }

go build -o "$work/conform" ./cmd/conform
for set in demo good; do
  "$work/conform" run --quiet --fail-on never --format "sarif=$work/$set.sarif" --format "tap=$work/$set.tap" \
    --format "junit=$work/$set.xml" --format "json=$work/$set.json" -- "$work/conform" fixture --set "$set"
done
# The good set must work in every product; revisions of the protocol may refuse it.
"$work/conform" run --quiet --host-set ide --fail-on never --format "tap=$work/good.tap" -- "$work/conform" fixture --set good

if npm install --prefix "$work" --ignore-scripts --no-audit --no-fund --silent tap-parser@18.3.4 @microsoft/sarif-multitool-linux@5.7.0 >"$work/npm.log" 2>&1; then
  note "the official schema of SARIF 2.1.0"
  tool=$work/node_modules/@microsoft/sarif-multitool-linux
  CONFORM_SARIF_SCHEMA=$tool/sarif-2.1.0.json go test -count=1 ./reports -ginkgo.focus "official schema"
  note "sarif validate"
  chmod +x "$tool/Sarif.Multitool"
  # SARIF2005: the version of a build from source is no number.
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$tool/Sarif.Multitool" validate "$work/demo.sarif" --rule-kind Sarif \
    --output "$work/validated.sarif" --log ForceOverwrite --level 'Error;Warning' >"$work/sarif.log" 2>&1 || true
  grep -q 'Analysis completed successfully' "$work/sarif.log" || { cat "$work/sarif.log"; exit 1; }
  if grep -E '(error|warning) SARIF' "$work/sarif.log" | grep -v SARIF2005; then exit 1; fi
  note "tap-parser"
  "$work/node_modules/.bin/tap-parser" --silent <"$work/good.tap"
  code=0
  "$work/node_modules/.bin/tap-parser" --silent <"$work/demo.tap" >/dev/null 2>&1 || code=$?
  ((code == 1)) || { echo "tap-parser says $code of a report with failures" >&2; exit 1; }
else
  could_not "the readers of SARIF and TAP" "$(tail -n 1 "$work/npm.log")"
fi

if command -v prove >/dev/null; then
  note "prove"
  prove --exec cat "$work/good.tap"
  prove --exec cat "$work/demo.tap" >"$work/prove.log" 2>&1 && { echo "prove lets failures pass" >&2; exit 1; }
  if grep -i 'parse errors' "$work/prove.log"; then exit 1; fi
else
  could_not "prove" "it is not installed"
fi

if python3 -m venv "$work/py" && "$work/py/bin/pip" install --quiet --disable-pip-version-check junitparser==5.0.3 pyyaml==6.0.4 >"$work/pip.log" 2>&1; then
  note "junitparser and PyYAML"
  "$work/conform" report "$work/demo.json" --format "waivers=$work/waivers.yaml"
  "$work/py/bin/python" - "$work" <<'PY'
import json, sys, yaml
from junitparser import JUnitXml
work = sys.argv[1]
suites = JUnitXml.fromfile(work + "/demo.xml")
summary = json.load(open(work + "/demo.json"))["summary"]
assert (suites.tests, suites.failures, suites.skipped) == (summary["cells"], summary["breaks"], summary["unknown"]), suites
cases = [c for s in suites for c in s]
assert len(cases) == summary["cells"] and len({(c.classname, c.name) for c in cases}) == len(cases)
waivers = yaml.safe_load(open(work + "/waivers.yaml"))
assert waivers["format"] == "conform-baseline/1" and waivers["entries"], waivers
print(len(cases), "test cases,", len(waivers["entries"]), "waivers")
PY
else
  could_not "junitparser and PyYAML" "$(tail -n 1 "$work/pip.log")"
fi

exit "$missing"
