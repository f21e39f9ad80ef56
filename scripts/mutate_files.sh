#!/usr/bin/env bash
# Sends changed files through the program under a limit of 2 GiB and 30 seconds each: no signal, no time-out, no internal
# error, no file left. Files: what is sound of the fuzz corpora, a baked world, a recording, a scenario, and what else is given.
# FIRST_SEED=n begins with another seed than 0, so that several runs add up; JOBS runs side by side (default 1).
# Usage: scripts/mutate_files.sh COUNT BUILD [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
count=$1
wend=$(realpath "$2")/apps/wend/wend
mutate=$(realpath "$2")/tests/wend_mutate_files
shift 2
given=()
for file in "$@"; do given+=("$(realpath "$file")"); done
root=$PWD
# In memory where that is possible: the files are many and small.
work=$(mktemp -d -p "$([ -d /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
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
# More of what has more to break; a file that is refused as it is seldom gets further when it is changed.
files=(world.wkt world.wend world.wend run.toml run.sqlite part.sqlite part.sqlite "${given[@]}")
while IFS= read -r file; do files+=("$file"); done < <(find "$root/fuzz/corpus" -type f -size -200k ! -name 'bad_*' | grep -vE '/(checkpoint|extract|view_message)/' | sort)
for file in "${files[@]}"; do
  case "$file" in /*) ;; *) file=$work/$file ;; esac
  case "$file" in
    *part.sqlite) words="simulate run.toml -o @ --resume" ;;
    *.sqlite | */recording/*) words="report @ -o out/page" ;;
    *.toml) words="simulate @ -o out/r.sqlite --end 3" ;;
    *.wend) words="path @ --from 1,1 --to 13,4 --radius 0.2" ;;
    */range_image/*) words="extract @ -o out/e.env" ;;
    */trajectories/*) words="trajectories @ --environment ../world.wkt -o out/r.sqlite" ;;
    *.csv) words="path ../world.wend --queries @ -o out/routes.csv" ;;
    *) words="info @" ;;
  esac
  echo "$file $words --quiet"
done >list
for words in "check @" "draw @ -o out/a.svg" "measure @ --against ../world.wkt --queries 4 --pixels 8"; do
  echo "$work/world.wend $words --quiet" >>list
done
first=${FIRST_SEED:-0}
jobs=${JOBS:-1}

# Every jobs-th seed, in a folder of its own.
code=0
for ((job = 0; job < jobs; ++job)); do
  mkdir -p "worker$job/in" "worker$job/out"
  cp run.toml "worker$job/"
  (cd "worker$job" && "$mutate" "$wend" $((first + job)) $(((count + jobs - 1 - job) / jobs)) "$jobs" ../list) &
done
for ((job = 1; job <= jobs; ++job)); do wait "%$job" || code=1; done
exit "$code"
