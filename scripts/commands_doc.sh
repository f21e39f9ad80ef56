#!/usr/bin/env bash
# Writes commands.md and commands/NAME.md, one page per command, from the program's own --help.
# Usage: scripts/commands_doc.sh path/to/wend FOLDER
set -euo pipefail
wend="$1"
folder="$2"
mkdir -p "$folder/commands"

# The options that all commands share stand once, in commands.md.
common='--help|--json|--quiet|--threads|--seed UINT'

# The help of a command (none: the program) as a text block, without the shared options.
help_of() {
  echo '```text'
  # shellcheck disable=SC2086
  "$wend" $1 --help | sed 's|^\(Usage: \).*/wend|\1wend|; s/[[:space:]]*$//' | awk -v common="$common" -v all="$1" '
    all != "" && $0 ~ "^  (-h,)?(" common ")" { more = 1; next }
    more && /^                              / { next }
    { more = 0; print }'
  echo '```'
}

names=$("$wend" --help | awk '/^Subcommands:/ { list = 1; next } list && /^$/ { exit } list && /^  [a-z]/ { print $1 }')
{
  echo "# The commands"
  echo
  echo "Written by \`make docs\` from \`wend --help\`; a test compares the two. One page per command:"
  echo
  for name in $names; do echo "- [\`wend $name\`](commands/$name.md)"; done
  echo
  help_of ""
  echo
  echo "Every command also has these options:"
  echo
  echo '```text'
  "$wend" info --help | awk -v common="$common" '
    $0 ~ "^  (-h,)?(" common ")" { print; more = 1; next }
    more && /^                              / { print; next }
    { more = 0 }'
  echo '```'
} > "$folder/commands.md"

for name in $names; do
  {
    echo "# wend $name"
    echo
    help_of "$name"
    echo
    echo "Options of every command: [commands](../commands.md)."
  } > "$folder/commands/$name.md"
done
