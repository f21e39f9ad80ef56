#!/usr/bin/env bash
# Finds types and inline functions that are defined twice under one name: the linker silently takes one for the other.
# The whole program is linked with GCC's link-time information, without optimisation. Usage: scripts/one_definition.sh JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
jobs="$1"
build=build/one_definition
flags="-O0 -flto=$jobs -Wodr -Werror=odr"
cmake --preset debug -B "$build" -DCMAKE_CXX_FLAGS_DEBUG="$flags" -DCMAKE_EXE_LINKER_FLAGS="$flags" \
  -DCMAKE_AR="$(command -v gcc-ar)" -DCMAKE_RANLIB="$(command -v gcc-ranlib)" \
  -DWEND_BUILD_TESTS=OFF -DWEND_BUILD_BENCH=OFF -DWEND_BUILD_EXAMPLES=OFF >/dev/null
cmake --build "$build" -j "$jobs" --target wend_app
