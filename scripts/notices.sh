#!/usr/bin/env bash
# Prints the notices of the parts of others, as their packages carry them: to be shipped beside a program.
# Usage: scripts/notices.sh > THIRD_PARTY_NOTICES.txt
set -euo pipefail
cd "$(dirname "$0")"
. ./parts.sh
echo "wend is built with the following parts. Each keeps its own licence."
while read -r name package licence use; do
  [ -z "$name" ] && continue
  found=$(version_of "$package")
  [ -z "$found" ] && continue
  printf '\n==== %s %s (%s, %s) ====\n\n' "$name" "$found" "$licence" "$use"
  cat "$(notice_of "$package")" 2>/dev/null || echo "see the source of the package $package"
done <<<"$parts"
