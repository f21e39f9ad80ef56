#!/usr/bin/env bash
# clang-tidy over the library and the program. Usage: scripts/tidy.sh JOBS [files...]
set -euo pipefail
cd "$(dirname "$0")/.."
jobs="$1"; shift
# clang cannot read GCC's precompiled headers and looks at single files, so the checks have a configuration of their own;
# nothing is compiled in it.
build=build/lint
cmake --preset release -B "$build" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DWEND_UNITY=OFF >/dev/null
ninja -C "$build" wend_schemas apps/wend/pages/pages.h >/dev/null
files=("$@")
[ ${#files[@]} -eq 0 ] && mapfile -t files < <(git ls-files 'src/*.cpp' 'apps/*.cpp')
# The sources are compiled with GCC: its own warning switches mean nothing to clang.
printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 1 clang-tidy --quiet -p "$build" \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument
