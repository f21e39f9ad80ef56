#!/usr/bin/env bash
# Many executions: runs each fuzz target for SECONDS, ROUNDS times, in a build without sanitizers, where each takes a
# fraction of the time. What reads files has coverage and the bound checks of the standard library there. Then all inputs
# that reached something new go through the build with sanitizers once. Rounds that ran before count in the table;
# remove build/fuzz-bulk/rounds to begin anew.
# Usage: scripts/fuzz_bulk.sh SECONDS ROUNDS JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/fuzz-bulk
cmake --preset fuzz-bulk -DWEND_FUZZ_SECONDS="$1" -DWEND_FUZZ_SEED=0 >/dev/null
cmake --build "$build" -j "$3" --target wend_fuzz
mkdir -p "$build/rounds"
code=0
for ((round = 0; round < $2; ++round)); do
  ctest --test-dir "$build" --output-on-failure -j "$3" -L fuzz --timeout $(($1 + 300)) || code=$?
  mv "$build/Testing/Temporary/LastTest.log" "$(mktemp "$build/rounds/XXXXXX.log")"
done
scripts/fuzz_table.sh "$build"/rounds/*.log
mkdir -p build/fuzz-readers/fuzz
cp -r "$build/fuzz/corpus" build/fuzz-readers/fuzz/
scripts/fuzz.sh 1 "$3" || code=$?
exit "$code"
