#!/usr/bin/env bash
# Prints docs/commands.md from the program's own --help. Usage: scripts/commands_doc.sh path/to/wend
set -euo pipefail
wend="$1"
echo "# The commands"
echo
echo "Written by \`make docs\` from \`wend --help\`; a test compares the two. Every command also has these options:"
echo
echo '```text'
# The options that all commands share stand once, here.
common='--help|--json|--quiet|--threads|--seed UINT'
"$wend" info --help | awk -v common="$common" '
  $0 ~ "^  (-h,)?(" common ")" { print; more = 1; next }
  more && /^                              / { print; next }
  { more = 0 }'
echo '```'
section() {
  echo
  echo "## wend${1:+ $1}"
  echo
  echo '```text'
  # shellcheck disable=SC2086
  "$wend" $1 --help | sed 's|^\(Usage: \).*/wend|\1wend|; s/[[:space:]]*$//' | awk -v common="$common" -v all="$1" '
    all != "" && $0 ~ "^  (-h,)?(" common ")" { more = 1; next }
    more && /^                              / { next }
    { more = 0; print }'
  echo '```'
}
section ""
for command in make extract bake edit volumes prisms explore contest info check draw path table generators measure compare select simulate report trajectories view; do section "$command"; done
