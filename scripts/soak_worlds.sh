#!/usr/bin/env bash
# Random worlds for the medial axis and random soups for both ways of extraction, under the address and
# undefined-behaviour sanitizers, each for the given time; prints how many there were of each.
# WEND_SOAK_SEED chooses others.
# Usage: scripts/soak_worlds.sh SECONDS JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
export UBSAN_OPTIONS=print_stacktrace=1 WEND_SOAK_SECONDS="$1"
cmake --preset asan >/dev/null
cmake --build build/asan -j "$2" --target test_generators_slow test_extract_slow
printf '%s\n' 'test_extract_slow ExtractSoak.RandomSoups' 'test_extract_slow ExtractSoak.RandomSoupsByVoxels' \
  'test_generators_slow EcmSoak.*' |
  xargs -P "$2" -L 1 sh -c '"build/asan/tests/$0" --gtest_brief=1 --gtest_filter="$1"'
