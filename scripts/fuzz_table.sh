#!/usr/bin/env bash
# Executions, executions per second and reached code of each fuzz target, from the log of ctest. `reached` is the number of
# edges of the instrumented code that the corpus covers, of all that are in the target.
# Usage: scripts/fuzz_table.sh LOG
set -euo pipefail
awk '
  /^[0-9]+\/[0-9]+ Testing: fuzz_/ { name = substr($3, 6); edges = 0; reached = 0; runs = 0; rate = 0 }
  /Loaded .* PC tables/ { edges = $6; gsub(/[^0-9]/, "", edges) }
  / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:") reached = $(i + 1) }
  /^stat::number_of_executed_units:/ { runs = $2 }
  /^stat::average_exec_per_sec:/ { rate = $2 }
  /^Test (Passed|Failed)/ && name != "" {
    if (count++ == 0) printf "%-14s %12s %10s %9s %9s\n", "target", "executions", "per second", "reached", "of edges"
    printf "%-14s %12d %10d %9d %9d\n", name, runs, rate, reached, edges
    total += runs
    name = ""
  }
  END { if (count > 0) printf "%-14s %12d\n", "all", total }' "$1"
