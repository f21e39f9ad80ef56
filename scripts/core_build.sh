#!/usr/bin/env bash
# Builds wend-core alone with GCC and clang, with and without oneTBB, in build/core-*. Checks that it includes no header and
# needs no symbol of what only wend-tools may use. The plain ones compile every source alone and without precompiled
# headers, and so find a missing include. Prints the time of each.
# Usage: scripts/core_build.sh JOBS [gcc-tbb|gcc-plain|clang-tbb|clang-plain...]
set -euo pipefail
cd "$(dirname "$0")/.."
jobs="${1:-2}"; shift || true
wanted=("$@")
[ ${#wanted[@]} -eq 0 ] && wanted=(gcc-tbb gcc-plain clang-tbb clang-plain)

fail() {
  echo "core build: $1" >&2
  exit 1
}

for name in "${wanted[@]}"; do
  case "$name" in gcc-*) compiler=g++ ;; *) compiler=clang++ ;; esac
  case "$name" in *-tbb) tbb=ON ;; *) tbb=OFF ;; esac
  case "$name" in *-tbb) together=ON ;; *) together=OFF ;; esac
  build="build/core-$name"
  start=$SECONDS
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DWEND_WITH_TBB="$tbb" \
    -DWEND_UNITY="$together" -DCMAKE_DISABLE_PRECOMPILE_HEADERS="$([ "$together" = ON ] && echo OFF || echo ON)" \
    -DWEND_BUILD_TOOLS=OFF >/dev/null
  cmake --build "$build" -j "$jobs" --target wend-core
  took=$((SECONDS - start))

  foreign='/(pugixml\.hpp|png\.h|sqlite3\.h|nlohmann/|toml\+\+/|assimp/)'
  [ "$tbb" = OFF ] && foreign="/((one)?tbb/|${foreign#/(}"
  # The standard library asks whether there is a tbb/tbb.h, and clang lists it; what includes it lists oneapi/tbb too.
  if ninja -C "$build" -t deps | grep -E "$foreign" | grep -v '/tbb/tbb\.h$'; then
    fail "$name includes the headers above"
  fi
  libraries=(-lfmt -lRecast -pthread)
  grep -q 'WEND_RECAST_LIBRARY:FILEPATH=.*NOTFOUND' "$build/CMakeCache.txt" && libraries=(-lfmt -pthread)
  [ "$tbb" = ON ] && libraries+=(-ltbb)
  "$compiler" -shared -o "$build/whole.so" -Wl,-z,defs -Wl,--whole-archive "$build/src/libwend-core.a" \
    -Wl,--no-whole-archive "${libraries[@]}" || fail "$name needs what it does not hold"
  rm "$build/whole.so"
  echo "core build: $name passed in $took s"
done
