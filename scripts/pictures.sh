#!/usr/bin/env bash
# Makes the pictures of the README anew from the demo: docs/images/page.png in a real
# Chromium, and docs/images/terminal.svg from the text report.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
browser=${CONFORM_CHROMIUM:-$(scripts/install-chromium.sh)}
go build -o "$work/conform" ./cmd/conform

"$work/conform" run --demo --format "html=$work/demo.html" 2>/dev/null
"$browser" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --user-data-dir="$work/profile" --window-size=1500,940 \
  --hide-scrollbars --virtual-time-budget=4000 --screenshot="$work/page.png" \
  "file://$work/demo.html#tool=hauler_status&host=${CONFORM_PICTURE_HOST:-gemini-cli}" >/dev/null 2>&1
# A palette makes the file half as large, where ImageMagick is there to choose it.
convert "$work/page.png" -strip -colors 128 "$work/small.png" 2>/dev/null || cp "$work/page.png" "$work/small.png"
cp "$work/small.png" docs/images/page.png

hosts=${CONFORM_PICTURE_HOSTS:-cursor,codex,claude-code,gemini-cli,vscode-copilot,opencode}
"$work/conform" run --demo --host "$hosts" 2>/dev/null |
  sed -n "1,${CONFORM_PICTURE_LINES:-46}p" | awk -v hosts="$hosts" '
  function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
  function paint(s) {
    gsub(/✗ breaks/, "<tspan class=\"b\">✗ breaks</tspan>", s)
    gsub(/~ degraded/, "<tspan class=\"d\">~ degraded</tspan>", s)
    gsub(/✓ works/, "<tspan class=\"w\">✓ works</tspan>", s)
    gsub(/○ works/, "<tspan class=\"w\">○ works</tspan>", s)
    return s
  }
  { lines[NR] = $0 }
  END {
    height = NR * 19 + 62
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 %d\" width=\"900\" height=\"%d\" role=\"img\" aria-label=\"conform run --demo in a terminal\">\n", height, height
    print "<style>text{font:14px ui-monospace,Menlo,Consolas,\"Liberation Mono\",monospace;fill:#d7dde2;white-space:pre}.b{fill:#ff8f85;font-weight:700}.d{fill:#f6c453}.w{fill:#8fdcae}.h{fill:#ffffff;font-weight:700}.m{fill:#9aa7b2}</style>"
    printf "<rect width=\"900\" height=\"%d\" rx=\"10\" fill=\"#14181c\"/>\n", height
    print "<circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ff5f57\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#febc2e\"/><circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#28c840\"/>"
    printf "<text x=\"20\" y=\"50\" class=\"m\">$ conform run --demo --host %s</text>\n", hosts
    for (i = 1; i <= NR; i++) {
      text = paint(escape(lines[i]))
      class = lines[i] ~ /^[0-9]+\. / ? " class=\"h\"" : ""
      printf "<text x=\"20\" y=\"%d\" xml:space=\"preserve\"%s>%s</text>\n", 52 + i * 19, class, text
    }
    print "</svg>"
  }' >docs/images/terminal.svg
ls -l docs/images
