#!/usr/bin/env bash
# clang-format over every source of ours. --check only tells.
set -euo pipefail
cd "$(dirname "$0")/.."
mode="-i"
[ "${1:-}" = "--check" ] && mode="--dry-run -Werror"
# shellcheck disable=SC2086
git ls-files '*.h' '*.cpp' | xargs clang-format $mode
