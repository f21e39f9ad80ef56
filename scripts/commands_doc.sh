#!/usr/bin/env bash
# Prints docs/commands.md from the program's own --help. Usage: scripts/commands_doc.sh path/to/wend
set -euo pipefail
wend="$1"
echo "# The commands"
echo
echo "Written by \`make docs\` from \`wend --help\`; a test compares the two."
section() {
  echo
  echo "## wend${1:+ $1}"
  echo
  echo '```text'
  # shellcheck disable=SC2086
  "$wend" $1 --help | sed 's|^\(Usage: \).*/wend|\1wend|; s/[[:space:]]*$//'
  echo '```'
}
section ""
for command in make extract bake info check draw path generators measure compare select simulate report; do section "$command"; done
