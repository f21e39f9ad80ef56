#!/usr/bin/env bash
# Runs the commands of the program on small turned worlds under valgrind, which sees what the sanitizers do not: reads of
# memory that nobody has written. Ends with 1 if it sees anything; without valgrind it says so and ends with 0.
# Usage: scripts/memcheck.sh BUILD
set -euo pipefail
wend=$(realpath "$1")/apps/wend/wend
if ! command -v valgrind >/dev/null; then
  echo "memcheck: skipped: no valgrind"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >world.wkt <<'WKT'
MULTIPOLYGON (((0.13 0.07, 12.31 1.9, 11.8 5.2, 14.1 5.6, 13.9 6.7, 11.6 6.4, 11.1 9.8, -1.2 7.9, 0.13 0.07),
  (3.1 2.2, 4.4 2.4, 4.2 3.6, 2.9 3.4, 3.1 2.2), (6.2 5.1, 7.9 5.9, 6.6 6.8, 6.2 5.1)))
WKT
cat >run.toml <<'TOML'
format = 1
environment = "ecm.wend"
end_time = 3
end_when = "time"
[[source]]
id = "in"
area = [[1, 1], [3, 1.5], [2.5, 4], [0.8, 4]]
count = 8
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 5.4], [13.9, 5.7], [13.7, 6.5], [12.4, 6.3]]
[[journey]]
id = "out"
stages = ["door"]
TOML
failed=0
# 0 and 1 are ends of the program itself.
check() {
  local code=0
  valgrind -q --error-exitcode=99 --num-callers=16 "$wend" "$@" --threads 1 >out.txt 2>err.txt || code=$?
  if [ "$code" -le 1 ]; then return 0; fi
  echo "memcheck: wend $* ends with $code" >&2
  cat err.txt >&2
  failed=1
}
count=0
for generator in $("$wend" generators --json | grep -o '"name": *"[^"]*"' | sed 's/.*"\([^"]*\)"/\1/'); do
  "$wend" bake world.wkt -g "$generator" -o "$generator.wend" --quiet 2>err.txt || continue
  check bake world.wkt -g "$generator" -o "$generator.wend" --force
  check path "$generator.wend" --from 1,1.2 --to 13,6 --radius 0.25
  count=$((count + 1))
done
check edit ecm.wend --add box=square:1@9,4~17 -o edited.wend
check measure ecm.wend --queries 10 --pixels 8
check draw ecm.wend -o ecm.svg --clearance 0.3
check table ecm.wend -o table.wend
check path table.wend --from 1,1.2 --to 13,6 --table
check simulate run.toml -o run.sqlite --end 2
check simulate run.toml -o run.sqlite --resume
check report run.sqlite -o page
check make office --3d --rooms 1 --detail 0 -o office.obj
check extract office.obj -o office.env
check info ecm.wend
check check ecm.wend
echo "memcheck: $count generators and 12 other commands, $([ "$failed" = 0 ] && echo "nothing found" || echo "see above")"
exit "$failed"
