#!/usr/bin/env bash
# Random worlds for the medial axis under the address and undefined-behaviour sanitizers, for the given time; prints how
# many, how often the validator of Voronoi diagrams asked for another construction, and how often projecting was not safe.
# Usage: scripts/soak_ecm.sh SECONDS JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
export UBSAN_OPTIONS=print_stacktrace=1
cmake --preset asan >/dev/null
cmake --build build/asan -j "$2" --target test_generators_slow
WEND_SOAK_SECONDS="$1" build/asan/tests/test_generators_slow --gtest_filter='EcmSoak*'
