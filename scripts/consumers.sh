#!/usr/bin/env bash
# Gives the demo's reports to those who read such formats for a living: the official
# SARIF schema and Microsoft's validator, prove and tap-parser for TAP, junitparser
# for JUnit, a YAML reader for the waivers, GitHub's own renderer for Markdown; then a
# report in which every name and text is hostile. Ends with 3 when a reader could not be
# installed, after the others had their turn.
#
# CONFORM_JUNIT_XSD names a copy of junit-10.xsd of Jenkins' xUnit plugin, by which
# that plugin refuses files; without it the file is read, but not held against it.
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

# Every text that a server has a say in, with the ends of each format's syntax in it.
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
evil = ("a|b`c``d```\n::error::x\n##vso[task]\nnot ok 1 - x\n\x1b[31m\u202e]]></script><img src=x onerror=alert(1)>"
        "\n```\n</details>\n\n@team #1 a/b#2 GH-3 !4 [a](http://x.example/) https://x.example/ www.x.example"
        " m@x.example :rocket: $a$ and $b$ \\| \\ *b* _i_")
report = json.load(open(work + "/demo.json"))
names = {t["name"]: t["name"] + " " + evil for t in report["tools"]}
report["target"]["name"] = report["target"]["version"] = evil
for tool in report["tools"]:
    tool["name"], tool["how"] = names[tool["name"]], evil
for cell in report["cells"]:
    cell["tool"] = names.get(cell["tool"], cell["tool"])
    for finding in cell.get("findings", []):
        for key in "message", "host_text", "fix", "note", "schema_pointer", "data_pointer":
            finding[key] = finding.get(key, "") + "/" + evil
for advice in report["advice"]:
    advice["tool"], advice["message"] = names.get(advice["tool"], ""), evil
json.dump(report, open(work + "/evil.json", "w"))
PY
"$work/conform" report "$work/evil.json" --format "sarif=$work/evil.sarif" --format "tap=$work/evil.tap" \
  --format "junit=$work/evil.xml" --format "markdown=$work/evil.md" --format "waivers=$work/evil.yaml"
"$work/conform" report "$work/demo.json" --format "markdown=$work/demo.md" --format "waivers=$work/waivers.yaml"
"$work/conform" diff "$work/evil.json" "$work/demo.json" --format markdown >"$work/diff.md" || true

if npm install --prefix "$work" --ignore-scripts --no-audit --no-fund --silent tap-parser@18.3.4 @microsoft/sarif-multitool-linux@5.7.0 >"$work/npm.log" 2>&1; then
  note "the official schema of SARIF 2.1.0"
  tool=$work/node_modules/@microsoft/sarif-multitool-linux
  CONFORM_SARIF_SCHEMA=$tool/sarif-2.1.0.json go test -count=1 ./reports -ginkgo.focus "official schema"
  note "sarif validate"
  chmod +x "$tool/Sarif.Multitool"
  # SARIF2005: the version of a build from source is no number.
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$tool/Sarif.Multitool" validate "$work/demo.sarif" "$work/evil.sarif" --rule-kind Sarif \
    --output "$work/validated.sarif" --log ForceOverwrite --level 'Error;Warning' >"$work/sarif.log" 2>&1 || true
  grep -q 'Analysis completed successfully' "$work/sarif.log" || { cat "$work/sarif.log"; exit 1; }
  if grep -E '(error|warning) SARIF' "$work/sarif.log" | grep -v SARIF2005; then exit 1; fi
  note "tap-parser"
  "$work/node_modules/.bin/tap-parser" --silent <"$work/good.tap"
  for set in demo evil; do
    "$work/node_modules/.bin/tap-parser" --json <"$work/$set.tap" >"$work/tap.json" 2>/dev/null || true
    jq -e --slurpfile report "$work/$set.json" 'map(select(.[0] == "complete"))[0][1] | .count == $report[0].summary.cells and .fail == $report[0].summary.breaks
      and (.bailout | not) and all(.failures[]; .tapError == null and .diag != null)' "$work/tap.json" >/dev/null ||
      { echo "tap-parser reads something else from $set.tap than was written" >&2; exit 1; }
  done
else
  could_not "the readers of SARIF and TAP" "$(tail -n 1 "$work/npm.log")"
fi

if command -v prove >/dev/null; then
  note "prove"
  prove --exec cat "$work/good.tap"
  for set in demo evil; do
    prove --exec cat "$work/$set.tap" >"$work/prove.log" 2>&1 && { echo "prove lets failures pass" >&2; exit 1; }
    if grep -i 'parse errors' "$work/prove.log"; then exit 1; fi
  done
else
  could_not "prove" "it is not installed"
fi

if python3 -m venv "$work/py" && "$work/py/bin/pip" install --quiet --disable-pip-version-check junitparser==5.0.3 pyyaml==6.0.4 lxml==6.1.3 cmarkgfm==2025.10.22 >"$work/pip.log" 2>&1; then
  note "junitparser, PyYAML and cmark-gfm"
  "$work/py/bin/python" - "$work" <<'PY'
import json, os, re, sys, yaml
import cmarkgfm
from cmarkgfm.cmark import Options
from junitparser import JUnitXml
from lxml import etree, html
work = sys.argv[1]
xsd = os.environ.get("CONFORM_JUNIT_XSD")
for set in "demo", "evil":
    summary = json.load(open(f"{work}/{set}.json"))["summary"]
    suites = JUnitXml.fromfile(f"{work}/{set}.xml")
    skipped = sum(s.skipped for s in suites)
    assert (suites.tests, suites.failures, skipped) == (summary["cells"], summary["breaks"], summary["unknown"]), suites
    cases = [c for s in suites for c in s]
    assert len(cases) == summary["cells"] and len({(c.classname, c.name) for c in cases}) == len(cases)
    if xsd:
        etree.XMLSchema(etree.parse(xsd)).assertValid(etree.parse(f"{work}/{set}.xml"))
    waivers = yaml.safe_load(open(f"{work}/{'waivers' if set == 'demo' else set}.yaml"))
    assert waivers["format"] == "conform-baseline/1" and waivers["entries"], waivers
    print(set + ":", len(cases), "test cases,", len(waivers["entries"]), "waivers")
own = {"div", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "details", "summary", "b", "strong", "ul", "li", "span"}
for name in "demo.md", "evil.md", "diff.md":
    text = open(f"{work}/{name}").read()
    assert len(text) < 65536, len(text)
    page = html.fragment_fromstring(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE), create_parent="div")
    tags = {e.tag for e in page.iter() if isinstance(e.tag, str)}
    assert tags <= own, f"{name}: {tags - own}"
    for piece in page.xpath("//text()[not(ancestor::code) and not(ancestor::pre)]"):
        bad = re.search(r"(^|\W)@[a-z0-9]|#\d|://|www\.|\$[^$ ]+\$|\bGH-\d|:[a-z]+:", piece)
        assert not bad, f"{name}: {piece!r}"
    rows = page.xpath("//table//tr")
    assert len({len(r) for r in page.xpath("(//table)[1]//tr")}) == 1, name
    print(name + ":", len(text), "characters,", len(rows), "rows")
PY
else
  could_not "junitparser, PyYAML and cmark-gfm" "$(tail -n 1 "$work/pip.log")"
fi

exit "$missing"
