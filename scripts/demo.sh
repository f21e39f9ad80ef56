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
run make --3d house -o house.glb
run draw house.glb -o house.svg
run extract house.glb --seed-point=-3,-3,0 -o house.env
run bake house.env --generator neogen -o house.wend
run check house.wend
run path house.wend --from=-3,-3,0 --to 12,8,6.4 --radius 0.3
run draw house.wend -o house_mesh.svg --layers stacked --route=-3,-3,0:12,8,6.4
run make city -o city.env
run bake city.env -o city.wend
run check city.wend
run path city.wend --from 5,5 --to 495,495 --radius 0.3
run draw city.wend -o city.svg --route 5,5:495,495
run make station -o station.env
run bake station.env -o station.wend
run check station.wend
run draw station.wend -o station.svg --layers stacked
run simulate ../examples/crowd/station.toml -o crowd.sqlite
run report crowd.sqlite -o crowd
echo
echo "Pictures: demo/house.svg, demo/house_mesh.svg, demo/city.svg, demo/station.svg; people leaving the station, to be"
echo "played: demo/crowd/index.html (open them in a browser)."
echo
echo "The tour: look at these worlds in 3D, plan, edit and let people walk."
tour="demo/house.glb demo/city.wend examples/crowd/station.toml demo/crowd.sqlite"
if [ -t 1 ] && [ -f ../build/viewer/index.html ]; then
  cd ..
  # shellcheck disable=SC2086
  exec "$wend" view $tour
fi
echo "This starts it and prints its address:"
echo "  make view FILES=\"$tour\""
