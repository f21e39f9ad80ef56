#!/usr/bin/env bash
# Executions, executions per second and reached code of each fuzz target, from logs of ctest, which add up. `reached` is the
# number of edges of the instrumented code that the corpus covers, of all that are in the target; `findings` is the number
# of runs that ended with one.
# Usage: scripts/fuzz_table.sh LOG...
set -euo pipefail
awk '
  /^[0-9]+\/[0-9]+ Testing: fuzz_/ { name = substr($3, 6); if (!(name in runs)) { order[++count] = name; runs[name] = 0 } }
  /Loaded .* PC tables/ { edges[name] = $6; gsub(/[^0-9]/, "", edges[name]) }
  / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:" && $(i + 1) > reached[name]) reached[name] = $(i + 1) }
  /^stat::number_of_executed_units:/ { runs[name] += $2 }
  /^Done [0-9]+ runs in [0-9]+ second/ { seconds[name] += $5 }
  /^Test Failed/ && name != "" { ++findings[name] }
  END {
    if (count > 0) printf "%-14s %12s %10s %9s %9s %9s\n", "target", "executions", "per second", "reached", "of edges", "findings"
    for (i = 1; i <= count; ++i) {
      name = order[i]
      rate = seconds[name] > 0 ? runs[name] / seconds[name] : 0
      printf "%-14s %12d %10d %9d %9d %9d\n", name, runs[name], rate, reached[name], edges[name], findings[name]
      total += runs[name]
    }
    if (count > 0) printf "%-14s %12d\n", "all", total
  }' "$@"
