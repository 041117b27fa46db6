#!/usr/bin/env bash
# Does with the real generators what the hints of `conform fix` ask of an author and prints the schema before and
# after, one JSON line each. What it prints is kept in rewrite/testdata/generators.jsonl, on which the tests of
# rewrite/ hold every hint; a runtime that is not there costs only its own lines:
#
#   validators/oracle/generators/hints/run.sh >rewrite/testdata/generators.jsonl && go test ./rewrite
#
# Everything is installed below ${CONFORM_ORACLE_CACHE:-$HOME/.cache/conform/oracle}/hints.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CONFORM_ORACLE_CACHE:-$HOME/.cache/conform/oracle}/hints
mkdir -p "$cache"

zod() {
	mkdir -p "$cache/js" && cd "$cache/js"
	cp "$here/../package.json" "$here/../package-lock.json" "$here/hints.mjs" .
	npm ci --ignore-scripts --no-audit --no-fund >&2 && node hints.mjs
}

pydantic() {
	python3 -m venv "$cache/py" && "$cache/py/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
	"$cache/py/bin/python" "$here/hints.py"
}

schemars() { CARGO_TARGET_DIR=$cache/rust cargo run --quiet --locked --manifest-path "$here/rust/Cargo.toml"; }

go_libraries() { (cd "$here/go" && go run .); }

for generator in zod pydantic schemars go_libraries; do
	(set -e; "$generator") || echo "hints: $generator: not made" >&2
done
