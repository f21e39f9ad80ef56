#!/usr/bin/env bash
# Sends changed files through the program under a limit of 2 GiB and 30 seconds each: no signal, no time-out, no internal
# error, no file left. Files: the fuzz corpora, a baked world, a recording, a scenario, and what else is given.
# FIRST_SEED=n begins with another seed than 0, so that several runs add up; JOBS runs side by side (default 1).
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
first=${FIRST_SEED:-0}
jobs=${JOBS:-1}

# Every jobs-th seed, in a folder of its own.
worker() {
  local i file name command code left said bad=0
  mkdir "worker$1" && cd "worker$1"
  cp ../run.toml .
  mkdir in out
  for ((i = first + $1; i < first + count; i += jobs)); do
    file=${files[$((i % ${#files[@]}))]}
    name=${file##*/}
    name=changed.${name##*.}
    case "$file" in /*) ;; *) file=../$file ;; esac
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
    said=$(tr -d '\0' <said)
    # Beside the changed file there may be what belongs to a recording; in out/ the output.
    left=
    for name in in/* in/.[!.]* out/* out/.[!.]*; do
      case "$name" in
        'in/*' | 'in/.[!.]*' | 'out/*' | 'out/.[!.]*' | in/changed.* | out/page | out/r.sqlite*) ;;
        out/*.csv | out/*.json | out/*.svg | out/*.txt) ;;
        *) left=$name ;;
      esac
    done
    if [ "$code" -gt 2 ] || [ -n "$left" ] || [[ $said == *'internal error'* ]]; then
      bad=$((bad + 1))
      echo "$(basename "$file") seed $i: ${command[*]}: exit $code $left: ${said:0:200}"
    fi
    rm -rf in out
    mkdir in out
  done
  echo "$bad" >bad
}
for ((job = 0; job < jobs; ++job)); do worker "$job" & done
wait
bad=0
for ((job = 0; job < jobs; ++job)); do bad=$((bad + $(cat "worker$job/bad"))); done
echo "$count changed files from seed $first on, $bad that hurt"
[ "$bad" -eq 0 ]
