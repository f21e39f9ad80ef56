#!/usr/bin/env bash
# Builds the tests with a sanitizer (asan, tsan) or without optimisation (debug), each with all assertions on, and runs the
# unit tests; with WEND_SOAK=1 the slow ones too. If test programs are named, only they are built and run.
# Usage: scripts/sanitize.sh debug|asan|tsan JOBS [test_base test_scene ...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset="$1"; jobs="$2"
shift 2
export UBSAN_OPTIONS=print_stacktrace=1
label=(-L unit)
[ -n "${WEND_SOAK:-}" ] && label=()
# Only what starts threads is of interest to the thread sanitizer.
if [ "$preset" = tsan ] && [ -z "${WEND_SOAK:-}" ]; then label+=(-R '[Tt]hread|[Pp]arallel|Cancel'); fi
options=()
[ "$preset" = debug ] && options=(-DWEND_BUILD_BENCH=OFF -DWEND_BUILD_EXAMPLES=OFF)
cmake --preset "$preset" "${options[@]}" >/dev/null
if [ $# -gt 0 ]; then
  cmake --build "build/$preset" -j "$jobs" --target "$@"
  label+=(-E '^docs[.]')
else
  cmake --build "build/$preset" -j "$jobs"
fi
ctest --test-dir "build/$preset" --output-on-failure -j "$jobs" "${label[@]}"
