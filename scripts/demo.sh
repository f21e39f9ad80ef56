#!/usr/bin/env bash
# A walk through the program. Usage: scripts/demo.sh path/to/wend
set -euo pipefail
wend="$(realpath "$1")"
mkdir -p demo
cd demo
run() {
  echo
  echo "\$ wend $*"
  "$wend" "$@"
}
run make city -o city.env
run bake city.env -o city.wend
run check city.wend --against city.env
run path city.wend --from 5,5 --to 495,495
run draw city.wend -o city.svg --route 5,5:495,495
run make station -o station.env
run bake station.env -o station.wend
run check station.wend --against station.env
run draw station.wend -o station.svg --layers stacked
echo
echo "Pictures: demo/city.svg, demo/station.svg (open them in a browser)."
