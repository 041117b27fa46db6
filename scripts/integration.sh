#!/usr/bin/env bash
# Installs the real servers and suites of integration/package.json into
# ${CONFORM_INTEGRATION_CACHE:-$HOME/.cache/conform/integration} and runs the suites
# with the label "integration" against them. An install that fails is printed as
# "could not run" with exit code 3; a test that ran and failed is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${CONFORM_INTEGRATION_CACHE:-$HOME/.cache/conform/integration}
mkdir -p "$cache"

could_not() {
  printf 'could not run the integration suites: %s\n' "$1"
  exit 3
}

command -v npm >/dev/null || could_not "npm is not installed"
want=$(cat integration/package.json integration/package-lock.json | sha256sum | cut -d' ' -f1)
if [[ $(cat "$cache/.stamp" 2>/dev/null || true) != "$want" ]]; then
  cp integration/package.json integration/package-lock.json "$cache/"
  rm -f "$cache/.stamp"
  if ! (cd "$cache" && npm ci --no-audit --no-fund >"$cache/npm.log" 2>&1); then
    could_not "npm ci failed: $(tail -n 3 "$cache/npm.log" | tr '\n' ' ')"
  fi
  echo "$want" >"$cache/.stamp"
fi
export CONFORM_NODE_MODULES="$cache/node_modules"

# Servers of several eras: large, so that the suite skips them where they can't be
# installed.
dualera=$(sha256sum <integration/dualera/package.json | cut -d' ' -f1)
if [[ $(cat "$cache/dualera/.stamp" 2>/dev/null || true) != "$dualera" ]]; then
  mkdir -p "$cache/dualera"
  cp integration/dualera/package.json "$cache/dualera/"
  if (cd "$cache/dualera" && timeout 300 npm install --ignore-scripts --no-audit --no-fund >"$cache/dualera.log" 2>&1); then
    echo "$dualera" >"$cache/dualera/.stamp"
  else
    printf 'could not run the servers of several eras: %s\n' "$(tail -n 1 "$cache/dualera.log")"
  fi
fi
if [[ -f "$cache/dualera/.stamp" ]]; then
  export CONFORM_DUALERA_MODULES="$cache/dualera/node_modules"
fi

# The Python SDK, where PyPI is there.
sdk="mcp==2.3.0"
if [[ $(cat "$cache/python/.stamp" 2>/dev/null || true) != "$sdk" ]]; then
  rm -rf "$cache/python"
  if python3 -m venv "$cache/python" >"$cache/pip.log" 2>&1 && "$cache/python/bin/pip" install -q "$sdk" uvicorn >>"$cache/pip.log" 2>&1; then
    echo "$sdk" >"$cache/python/.stamp"
  else
    printf 'could not run the Python SDK: %s\n' "$(tail -n 1 "$cache/pip.log")"
  fi
fi
if [[ -f "$cache/python/.stamp" ]]; then
  export CONFORM_PYTHON="$cache/python/bin/python"
fi

# The example of a server author's suite on mcp-go is a module of its own.
if (cd examples/mcp-go && go mod download) >"$cache/mcp-go.log" 2>&1; then
  (cd examples/mcp-go && go vet ./... && go test -count=1 ./...)
else
  printf 'could not run examples/mcp-go: %s\n' "$(tail -n 1 "$cache/mcp-go.log")"
fi
# On hostile servers a run waits for the most part: they go beside the others.
go test -c -tags integration -o "$cache/integration.test" ./integration
(cd integration && "$cache/integration.test" -test.timeout 20m -ginkgo.focus hostile) >"$cache/hostile.log" 2>&1 &
hostile=$!
failed=0
(cd integration && "$cache/integration.test" -test.timeout 20m -ginkgo.skip hostile) || failed=1
go test -count=1 -timeout 20m -tags integration ./wire/... || failed=1
if ! wait "$hostile"; then
  cat "$cache/hostile.log"
  failed=1
fi
tail -n 3 "$cache/hostile.log"
exit "$failed"
