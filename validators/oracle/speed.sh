#!/usr/bin/env bash
# What all Go profiles together cost beside the real TypeScript SDK v1 client alone, over one load of tools:
# CPU seconds, peak memory, and the ratio.
#
#   validators/oracle/speed.sh [PAGES RESULTS]
#
# PAGES: tools/list answers, one JSON-RPC message a line. RESULTS: {"tool", "result"} lines. Both may be gzipped;
# the default is corpus/load in ${CONFORM_SHARED:-../shared}. Exit code 3 when the load or the client is not there.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CONFORM_ORACLE_CACHE:-$HOME/.cache/conform/oracle}
load=${CONFORM_SHARED:-$here/../../../shared}/corpus/load
pages=${1:-$load/tools-list-pages.jsonl.gz}
results=${2:-$load/results.jsonl.gz}
for needed in "$pages" "$results" "$cache/js/node_modules/sdk-1.32.2"; do
	[ -e "$needed" ] || { echo "speed.sh: $needed is not there" >&2; exit 3; }
done
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
(cd "$here" && go build -o "$binary" ./speed)

real=$(CONFORM_ORACLE_CACHE=$cache node "$here/js/load.mjs" "$pages" "$results")
all=$("$binary" "$pages" "$results")
one=$("$binary" "$pages" "$results" ajv8-draft07-lax)
echo "real client (ts-sdk 1.32.2, one validator): $real"
echo "conform, all profiles:                      $all"
echo "conform, ajv8-draft07-lax alone:            $one"
node -e '
	const [real, all, one] = process.argv.slice(1).map(t => JSON.parse(t));
	const ratio = (a, b) => (a / b).toFixed(3);
	console.log(`CPU, all ${all.profiles} profiles / real client:   ${ratio(all.cpu_seconds, real.work_cpu_seconds)}`);
	console.log(`CPU, the same profile / real client: ${ratio(one.cpu_seconds, real.work_cpu_seconds)}`);
	console.log(`peak memory MiB: real ${real.peak_mib}, conform all ${all.peak_mib}, one ${one.peak_mib}`);
' "$real" "$all" "$one"
