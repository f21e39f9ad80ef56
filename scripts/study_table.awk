# The study's published rows and ours as Markdown tables, one per world.
#   awk -f scripts/study_table.awk docs/study_published.csv STUDY/results.csv
# STUDY is made by `wend compare --suite study`; messages in results.csv hold no commas in these columns.
BEGIN {
  FS = ","
  split("covered coverage incorrect incorrect_of_mapped overlap overlap_share components boundaries graph_vertices " \
        "graph_edges regions floats_mean floats_deviation floats_total build_ms build_ms_deviation peak_mb " \
        "peak_mb_deviation", names, " ")
}
function number(text, digits) {
  if (text == "" || text == "-" || text == "?") return text == "" ? "–" : text
  return sprintf("%." digits "f", text + 0)
}
# A small share would be printed as 0.00, which hides what is measured.
function share(text) {
  if (text == "" || text == "-" || text == "?") return text == "" ? "–" : text
  if (text + 0 != 0 && text + 0 < 0.005) return sprintf("%.0e", text + 0)
  return sprintf("%.2f", text + 0)
}
function line(label) {
  return sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s (%s) | %s (%s) |",
                 label, number(v["covered"], 2), share(v["coverage"]), number(v["incorrect"], 2),
                 share(v["incorrect_of_mapped"]), number(v["overlap"], 2), share(v["overlap_share"]),
                 number(v["components"], 0), number(v["boundaries"], 0), number(v["graph_vertices"], 0),
                 number(v["graph_edges"], 0), number(v["regions"], 0), number(v["floats_mean"], 2),
                 number(v["floats_deviation"], 2), number(v["floats_total"], 0), number(v["build_ms"], 2),
                 number(v["build_ms_deviation"], 2), number(v["peak_mb"], 2), number(v["peak_mb_deviation"], 2))
}
FNR == 1 {
  delete column
  for (i = 1; i <= NF; ++i) column[$i] = i
  ++file
  next
}
{
  world = $column["world"]
  for (i in names) v[names[i]] = column[names[i]] ? $column[names[i]] : ""
}
file == 1 {
  if ($3 == "truth") {
    order[++worlds] = world
    title[world] = sprintf("%s: n = %s, %s m², %s components, %s boundaries", world, $2, $4, $10, $11)
    published[world] = $2
  } else {
    rows[world] = rows[world] line("study: " $3) "\n"
  }
}
file == 2 {
  if ($2 != published[world]) differs[world] = $2
  status = $column["status"]
  if (status == "ok") {
    rows[world] = rows[world] line("**" $column["generator"] "**") "\n"
  } else {
    rows[world] = rows[world] "| **" $column["generator"] "** | " status " | | | | | | | | | | | | | | | |\n"
  }
}
END {
  for (w = 1; w <= worlds; ++w) {
    world = order[w]
    printf "### %s%s\n\n", title[world], world in differs ? " (ours has n = " differs[world] ")" : ""
    print "| mesh | Cov | Cov′ | Inc | Inc′ | Ov | Ov′ | CC | Bnd | V | E | R | avg | SD | total | ms (SD) | MB (SD) |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    printf "%s\n", rows[world]
  }
}
