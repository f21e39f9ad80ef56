#!/usr/bin/env bash
# Installs into a scratch folder and builds projects of other people against it: with find_package(wend), with wend::core
# alone, with pkg-config, and with add_subdirectory. Runs what they build.
# Usage: scripts/install_test.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/.."
source="$PWD"
prefix="$source/build/install-test"
passed=0
rm -rf "$prefix"
cmake --install "$1" --prefix "$prefix/usr" >/dev/null
"$prefix/usr/bin/wend" --version

# What an outside project compiles: it plans for a radius, which needs wend::core only.
example="$source/examples/quick_start.cpp"

# Usage: project NAME [cmake arguments...]; the lines of CMake that are not the same for all come from stdin.
project() {
  local name="$1" folder="$prefix/$1"
  shift
  mkdir -p "$folder"
  cp "$example" "$folder/main.cpp"
  { printf 'cmake_minimum_required(VERSION 3.25)\nproject(%s LANGUAGES CXX)\nadd_executable(main main.cpp)\n' "$name"
    cat; } > "$folder/CMakeLists.txt"
  cmake --no-warn-unused-cli -S "$folder" -B "$folder/build" -G Ninja "$@" >/dev/null
}

# Usage: run NAME; builds and runs it.
run() {
  cmake --build "$prefix/$1/build" --target main >/dev/null
  (cd "$prefix/$1" && build/main)
  passed=$((passed + 1))
}

project both -DCMAKE_PREFIX_PATH="$prefix/usr" <<'P'
find_package(wend REQUIRED)
target_link_libraries(main wend::wend)
P
run both

# Libraries that only wend-tools links must not be needed.
project core -DCMAKE_PREFIX_PATH="$prefix/usr" -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON <<'P'
find_package(wend REQUIRED COMPONENTS core)
target_link_libraries(main wend::core)
P
run core
if ldd "$prefix/core/build/main" | grep -E 'sqlite|png|pugixml|assimp'; then
  echo "install test: a project on wend::core links a library of wend-tools" >&2
  exit 1
fi

# Wherever the folder of libraries is called lib or lib/<machine>.
pkgconfig="$(dirname "$(find "$prefix/usr" -name wend-core.pc)")"
for name in wend wend-core; do
  # shellcheck disable=SC2046
  g++ -std=c++20 -o "$prefix/pkgconfig-$name" -x c++ "$example" -x none \
    $(PKG_CONFIG_PATH="$pkgconfig" pkg-config --cflags --libs "$name")
  (cd "$prefix" && "./pkgconfig-$name")
  passed=$((passed + 1))
done

# As a subproject only the libraries are there. Building them again would take minutes: the targets are listed, and wend-core
# is built if WEND_SUBPROJECT_BUILD is set.
project subproject -DWEND_DIR="$source" <<'P'
add_subdirectory(${WEND_DIR} wend)
target_link_libraries(main wend::core)
P
programs="$(cmake --build "$prefix/subproject/build" --target help | grep -E '^(wend_app|wend_import|test_|bench_|example_|fuzz_)' || true)"
if [ -n "$programs" ]; then
  echo "install test: as a subproject wend builds more than its libraries: $programs" >&2
  exit 1
fi
if [ -n "${WEND_SUBPROJECT_BUILD:-}" ]; then
  run subproject
else
  passed=$((passed + 1))
fi
echo "install test: $passed passed, 0 failed"
