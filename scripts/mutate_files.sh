#!/usr/bin/env bash
# Sends changed files through the program under a limit of 2 GiB and 30 seconds each: no signal, no time-out, no internal
# error, no file left. Files: the fuzz corpora, a baked world, a recording, a scenario, and what else is given.
# Usage: scripts/mutate_files.sh COUNT BUILD [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
count=$1
wend=$PWD/$2/apps/wend/wend
mutate=$PWD/$2/tests/wend_mutate_file
shift 2
given=()
for file in "$@"; do given+=("$(realpath "$file")"); done
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
printf 'POLYGON ((0 0, 12 0, 12 3.4, 14 3.4, 14 4.6, 12 4.6, 12 8, 0 8, 0 0), (4 2, 5 2, 5 3, 4 3, 4 2))' >world.wkt
"$wend" bake world.wkt -o world.wend --quiet
cat >run.toml <<'TOML'
format = 1
environment = "POLYGON ((0 0, 12 0, 12 3.4, 14 3.4, 14 4.6, 12 4.6, 12 8, 0 8, 0 0))"
end_time = 15
[[source]]
id = "in"
area = [[1, 1], [4, 1], [4, 4], [1, 4]]
count = 6
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 3], [14, 3], [14, 5], [12.5, 5]]
[[journey]]
id = "out"
stages = ["door"]
TOML
"$wend" simulate run.toml -o run.sqlite --quiet
"$wend" simulate run.toml -o part.sqlite --end 5 --quiet
files=(world.wkt world.wend world.wend run.toml run.sqlite part.sqlite part.sqlite "${given[@]}")
while IFS= read -r file; do files+=("$file"); done < <(find "$root/fuzz/corpus" -type f -size -200k ! -path '*view_message*')
bad=0
mkdir in out
for ((i = 0; i < count; ++i)); do
  file=${files[$((i % ${#files[@]}))]}
  name=${file##*/}
  name=changed.${name##*.}
  "$mutate" "$i" "$file" "in/$name"
  case "$file" in
    *part.sqlite) command=(simulate run.toml -o "in/$name" --resume) ;;
    *.sqlite) command=(report "in/$name" -o out/page) ;;
    *.toml) command=(simulate "in/$name" -o out/r.sqlite --end 3) ;;
    *.wend) command=(path "in/$name" --from 1,1 --to 13,4 --radius 0.2) ;;
    *) command=(info "in/$name") ;;
  esac
  code=0
  (ulimit -v 2097152 && exec timeout 30 "$wend" "${command[@]}" --quiet >said 2>&1) || code=$?
  left=$(find in out -name '*.??????' -newer run.toml ! -name 'changed.*' ! -name '*.sqlite' | head -1)
  if [ "$code" -gt 2 ] || grep -q 'internal error' said || [ -n "$left" ]; then
    bad=$((bad + 1))
    echo "$(basename "$file") seed $i: ${command[*]}: exit $code $left: $(head -c 200 said)"
  fi
  rm -rf in out
  mkdir in out
done
echo "$count changed files, $bad that hurt"
[ "$bad" -eq 0 ]
