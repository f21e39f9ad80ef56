#!/usr/bin/env bash
# Runs every benchmark once and keeps its CSV in build/bench/. Usage: scripts/bench.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
for program in "$1"/bench/bench_*; do
  [ -x "$program" ] || continue
  name="$(basename "$program" | sed 's/^bench_//')"
  echo "== $name"
  "$program" --benchmark_format=csv | tee "build/bench/$name.csv"
done
