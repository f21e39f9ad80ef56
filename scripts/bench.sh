#!/usr/bin/env bash
# Runs every benchmark once and keeps its CSV, and the same as a Markdown table, in build/bench/.
# Usage: scripts/bench.sh BUILD_DIR [NAME...]
set -euo pipefail
cd "$(dirname "$0")/.."
build="$1"; shift
mkdir -p build/bench
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for source in bench/*.cpp; do names+=("$(basename "$source" .cpp)"); done
fi
for name in "${names[@]}"; do
  echo "== $name"
  "$build/bench/bench_$name" --benchmark_format=csv | tee "build/bench/$name.csv"
  awk -f scripts/bench_table.awk "build/bench/$name.csv" > "build/bench/$name.md"
done
