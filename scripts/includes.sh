#!/usr/bin/env bash
# Proves which folder may include which (docs/concepts.md has the table), and that files and folders stay small.
# Prints each violation; exit 1 if there is one. Usage: scripts/includes.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# The files of ours among those that match; removed ones do not count.
files() {
  git ls-files -co --exclude-standard "$@" | while IFS= read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
}

includes() {
  files 'src/*.h' 'src/*.cpp' 'include/*.h' 'bench/*.h' 'bench/*.cpp' 'fuzz/*.h' 'fuzz/*.cpp' | xargs awk '
    function fail(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }
    # The folder below src/ that holds a file, "" for others.
    function folder(path,   part) { split(path, part, "/"); return part[1] }
    function sub_folder(path,   part, n) { n = split(path, part, "/"); return n > 2 ? part[2] : "" }
    function may_include(from, to) {
      if (from == to) return 1
      if (from == "metrics") return level[to] <= level["planning"] && to != "draw" && to != "serve"
      if (from == "draw") return to != "metrics" && to != "serve"
      if (from == "serve") return 1
      return to != "metrics" && to != "draw" && to != "serve" && level[to] <= level[from]
    }
    function check_source(target,   from, to, within, method) {
      from = folder(substr(FILENAME, 5))
      to = folder(target)
      if (to == "tests") { fail("the library includes tests: " target); return }
      if (!(to in level)) { fail("not a path below src/: " target); return }
      if (!may_include(from, to)) { fail(from " includes " to ": " target); return }
      if (from == "generators" && to == "generators") {
        within = sub_folder(substr(FILENAME, 5))
        method = sub_folder(target)
        # The registry knows every generator.
        if (method != "" && within != method && FILENAME !~ /^src\/generators\/registry\./) {
          fail("a generator includes another: " target)
        }
      }
      if (FILENAME ~ /^src\/environment\/extract\/voxel\// && target ~ /^environment\/extract\/exact\// ||
          FILENAME ~ /^src\/environment\/extract\/exact\// && target ~ /^environment\/extract\/voxel\//) {
        fail("one method of extraction includes the other: " target)
      }
      if (target ~ /^[a-z_]+\/([a-z_]+\/)*io\// && from != to) fail("a reader of another folder is private: " target)
    }
    function check_public(header,   from) {
      if (!(header in home)) { fail("scripts/includes.sh lists no folder for <wend/" header ">"); return }
      if (FILENAME ~ /^include\/wend\//) {
        from = substr(FILENAME, 14)
        if (!(from in home)) { fail("scripts/includes.sh lists no folder for <wend/" from ">"); return }
        from = home[from]
      } else {
        from = folder(substr(FILENAME, 5))
      }
      if (from != "all" && (home[header] == "all" || !may_include(from, home[header]))) {
        fail(from " includes " home[header] ": <wend/" header ">")
      }
    }
    BEGIN {
      count = split("base geometry scene environment mesh volume generators world planning explore contest crowd", chain, " ")
      for (i = 1; i <= count; ++i) level[chain[i]] = i
      level["metrics"] = level["planning"]
      level["draw"] = count + 1
      level["serve"] = count + 2
      # Where the sources of each public header are.
      headers["base"] = "context file make_parameter result"
      headers["geometry"] = "volume/half_space lattice polygon"
      headers["scene"] = "scene make_scene"
      headers["environment"] = "image/navigable_grid image/range_image environment environment_file extract make place"
      headers["mesh"] = "navmesh mesh_builder corridor_map local_clearance"
      headers["volume"] = "volume/grow_volumes volume/prism_grid volume/volume_mesh"
      headers["generators"] = "image/adaptive_grid generate generator"
      headers["world"] = "edit world world_input"
      headers["planning"] = "game/collision density game/knowledge game/portal_sight game/terrain navigation_graph navigator next_hop_table plan queries replan route waypoint"
      headers["explore"] = "game/explore"
      headers["contest"] = "game/contest"
      headers["crowd"] = "analysis crowd recording levels_of_service scenario simulate study/many_runs study/trajectories"
      headers["metrics"] = "image/grid_study metrics"
      headers["draw"] = "draw"
      headers["serve"] = "view"
      headers["all"] = "wend"
      for (name in headers) {
        n = split(headers[name], list, " ")
        for (i = 1; i <= n; ++i) home[list[i] ".h"] = name
      }
    }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
      target = $0
      sub(/^[^"<]*/, "", target)
      quoted = substr(target, 1, 1) == "\""
      target = substr(target, 2)
      sub(/[">].*/, "", target)
      if (target ~ /(^|\/)\.\.?\//) fail("a path is relative: " target)
      if (FILENAME ~ /^include\//) {
        if (quoted) fail("a public header includes a private one: " target)
        else if (target ~ /^wend\//) check_public(substr(target, 6))
        else if (target !~ /^[a-z_]+$/) fail("a public header includes a third-party header: " target)
      } else if (FILENAME ~ /^src\//) {
        if (quoted) check_source(target)
        else if (target ~ /^wend\//) check_public(substr(target, 6))
      } else if (target ~ /^tests\//) {
        fail("only tests include tests: " target)
      }
    }
    END { exit bad }'
}

# Files of at most 600 lines, folders of at most 40 of them. The corpus of the fuzzers does not count.
sizes() {
  files src apps include tests bench fuzz scripts docs examples viewer bindings |
    grep -E '\.(h|cpp|fbs|sh|awk|md|html|css|js|ts|cmake|toml|txt)$' | grep -v '/corpus/' | xargs wc -l |
    awk '$2 != "total" {
        if ($1 > 600) { printf "%s: %d lines, at most 600\n", $2, $1; bad = 1 }
        sub(/\/[^\/]*$/, "", $2)
        ++count[$2]
      }
      END {
        for (name in count) if (count[name] > 40) { printf "%s: %d files, at most 40\n", name, count[name]; bad = 1 }
        exit bad
      }'
}

bad=0
includes || bad=1
sizes || bad=1
exit "$bad"
