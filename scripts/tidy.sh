#!/usr/bin/env bash
# clang-tidy over the library and the program. Usage: scripts/tidy.sh BUILD_DIR JOBS [files...]
set -euo pipefail
cd "$(dirname "$0")/.."
build="$1"; jobs="$2"; shift 2
files=("$@")
[ ${#files[@]} -eq 0 ] && mapfile -t files < <(git ls-files 'src/*.cpp' 'apps/*.cpp')
# The sources are compiled with GCC: its own warning switches mean nothing to clang.
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$build" \
  --extra-arg=-Wno-unknown-warning-option
