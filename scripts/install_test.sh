#!/usr/bin/env bash
# Installs into a scratch folder and builds a separate project against it with find_package(wend).
# Usage: scripts/install_test.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/.."
prefix="$PWD/build/install-test"
rm -rf "$prefix"
cmake --install "$1" --prefix "$prefix/usr" >/dev/null
mkdir -p "$prefix/project"
cp examples/quick_start.cpp "$prefix/project/"
cat > "$prefix/project/CMakeLists.txt" <<'P'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(wend REQUIRED)
add_executable(quick_start quick_start.cpp)
target_link_libraries(quick_start PRIVATE wend::wend)
P
cmake -S "$prefix/project" -B "$prefix/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix/usr" >/dev/null
cmake --build "$prefix/build" >/dev/null
(cd "$prefix" && build/quick_start)
"$prefix/usr/bin/wend" --version
echo "install test: 1 passed, 0 failed"
