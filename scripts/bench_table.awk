# A benchmark's CSV as a Markdown table. That of Google Benchmark: name, CPU time, counters, result hash. Any other: as it
# is, the last column a hash.
#   awk -f scripts/bench_table.awk build/bench/bake.csv
BEGIN { FS = "," }
{ gsub(/"/, "") }
NR == 1 && $1 == "world" { plain = 1 }
plain {
  printf "|"
  for (i = 1; i < NF; ++i) printf " %s |", $i
  printf NR == 1 ? " %s |\n" : " `%s` |\n", $NF
  if (NR > 1) next
  printf "|"
  for (i = 1; i <= NF; ++i) printf "---|"
  print ""
  next
}
$1 == "name" {
  printf "| case | CPU time |"
  for (i = 11; i <= NF; ++i) printf " %s |", $i
  print " result hash |"
  printf "|---|---|"
  for (i = 11; i <= NF + 1; ++i) printf "---|"
  print ""
  next
}
NF > 10 {
  sub(/\/real_time$/, "", $1)
  printf "| %s | %.4g %s |", $1, $4, $5
  for (i = 11; i <= NF; ++i) printf " %s |", $i == "" ? "" : sprintf("%.4g", $i)
  printf " `%s` |\n", $8
}
