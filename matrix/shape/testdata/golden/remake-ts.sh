#!/bin/sh
# Remakes every TypeScript golden: installs the packages below DIR (default
# ./install, not kept in the repository) and runs ts.mjs on payloads.jsonl.
#
#   sh remake-ts.sh [DIR]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$here/install}
one() { # package version mode shape [zod]: without one, the newest of the day
  at=$dir/$1-$2${5:+-zod-$5}
  if [ ! -d "$at/node_modules" ]; then
    mkdir -p "$at"
    (cd "$at" && echo '{"private":true,"type":"module"}' >package.json &&
      npm install --silent --no-audit --no-fund --ignore-scripts "@modelcontextprotocol/$1@$2" ${5:+"zod@$5"})
  fi
  node "$here/ts.mjs" "$at" "$3" <"$here/payloads.jsonl" >"$here/$4.jsonl"
}
one sdk 1.10.2 sdk ts-sdk-1.10
one sdk 1.11.0 sdk ts-sdk-1.11
one sdk 1.11.4 sdk ts-sdk-1.11.4
one sdk 1.12.0 sdk ts-sdk-1.12
one sdk 1.13.0 sdk ts-sdk-1.13
one sdk 1.17.0 sdk ts-sdk-1.17
one sdk 1.18.0 sdk ts-sdk-1.18
one sdk 1.20.2 sdk ts-sdk-1.19
one sdk 1.22.0 sdk ts-sdk-1.22
one sdk 1.23.0 sdk ts-sdk-1.23.0
one sdk 1.24.0 sdk ts-sdk-1.24.0
one sdk 1.24.3 sdk ts-sdk-1.24.2
one sdk 1.25.0 sdk ts-sdk-1.25.0
one sdk 1.32.2 sdk ts-sdk-1.23
one sdk 1.23.0 sdk ts-sdk-1.23.0-zod-4.0 3.25.76
one sdk 1.24.0 sdk ts-sdk-1.24.0-zod-4.0 3.25.76
one sdk 1.27.1 sdk ts-sdk-1.25.0-zod-4.0 3.25.76
one sdk 1.27.1 sdk ts-sdk-1.25.0-zod-4.1 4.1.8
one sdk 1.32.2 sdk ts-sdk-1.23-zod-4.1 4.1.8
one sdk 1.32.2 sdk ts-sdk-1.23-zod-4.4 4.4.3
one client 2.0.0-beta.5 legacy ts-client-2-beta
one client 2.4.0 legacy ts-client-2-legacy
one client 2.4.0 modern ts-client-2-modern
one client 2.4.0 core ts-client-2-legacy-any-output
