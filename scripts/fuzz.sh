#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SECONDS. A finding is written to the build folder and fails the run; a table at
# the end says how often each target ran and how much of the readers it reached.
#
# A run below a minute, as in `make test`, has sanitizers in what reads files and takes the rest from build/release; its
# seed is fixed, so that two runs of the same code do the same. A longer run has sanitizers and assertions everywhere and a
# new seed.
# Usage: scripts/fuzz.sh SECONDS JOBS
set -euo pipefail
cd "$(dirname "$0")/.."
preset=fuzz-readers
seed=1
if [ "$1" -ge 60 ]; then
  preset=fuzz
  seed=0
fi
cmake --preset "$preset" -DWEND_FUZZ_SECONDS="$1" -DWEND_FUZZ_SEED="$seed" >/dev/null
cmake --build "build/$preset" -j "$2" --target wend_fuzz
code=0
ctest --test-dir "build/$preset" --output-on-failure -j "$2" -L fuzz --timeout $(($1 + 300)) || code=$?
scripts/fuzz_table.sh "build/$preset/Testing/Temporary/LastTest.log"
exit "$code"
