#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SECONDS. A finding is written to build/fuzz/fuzz/ and fails the run.
# Usage: scripts/fuzz.sh SECONDS JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset fuzz -DWEND_FUZZ_SECONDS="$1" >/dev/null
cmake --build build/fuzz -j "$2"
ctest --test-dir build/fuzz --output-on-failure -j "$2" -L fuzz --timeout $(($1 + 300))
