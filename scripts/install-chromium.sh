#!/usr/bin/env bash
# Installs Chromium for the page's own tests, where apt has it and none is there.
set -euo pipefail
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then
    command -v "$name"
    exit 0
  fi
done
if ! command -v apt-get >/dev/null; then
  echo "no Chromium here and no apt-get to install one; set CONFORM_CHROMIUM to a browser" >&2
  exit 1
fi
sudo=()
if ((EUID != 0)); then sudo=(sudo); fi
"${sudo[@]}" apt-get update -qq >&2
"${sudo[@]}" apt-get install -y -qq chromium >&2
command -v chromium
