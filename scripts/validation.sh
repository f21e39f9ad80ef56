#!/usr/bin/env bash
# Runs every scenario of tests/crowd/scenarios with each method of collision avoidance and prints a Markdown table: what
# passes, and what fails with its value. Usage: scripts/validation.sh path/to/wend [METHOD...] [> table.md]
set -euo pipefail
wend="$(realpath "$1")"
shift
methods=("$@")
[ ${#methods[@]} -gt 0 ] || methods=(vision karamouzas predictive power-law orca social-force speed)
cd "$(dirname "$0")/../tests/crowd/scenarios"
echo "| scenario | ${methods[*]} |" | sed 's/\([a-z]\) \([a-z]\)/\1 | \2/g'
echo "|---|$(printf -- '---|%.0s' "${methods[@]}")"
for file in */*.toml; do
  row="| $(basename "$file" .toml) |"
  for method in "${methods[@]}"; do
    # CPU time, so that a busy machine fails nobody.
    out="$(ulimit -t 1200; "$wend" simulate "$file" --check --avoid "$method" 2>&1 || true)"
    failed="$(echo "$out" | sed -n 's/^FAIL \(.*\), expected.*/\1/p' | sed 's/ = / /' | paste -sd ';' | sed 's/;/; /g')"
    if [ -n "$failed" ]; then
      row="$row $failed |"
    elif echo "$out" | grep -q '^pass'; then
      row="$row + |"
    else
      row="$row error |"
    fi
  done
  echo "$row"
done
