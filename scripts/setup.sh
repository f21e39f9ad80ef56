#!/usr/bin/env bash
# Installs the Debian packages that a build needs, if any is missing. Says what it does; asks for root only then.
#   scripts/setup.sh build      what `make demo` needs
#   scripts/setup.sh page       the same and what the page of `wend view` needs
#   scripts/setup.sh test       the same and what `make test` needs, a browser included
#   scripts/setup.sh browser    the same as test
#   scripts/setup.sh list       installs nothing: prints the packages of test, for a machine without network
set -euo pipefail

build="g++ cmake ninja-build pkg-config libboost-dev libpugixml-dev nlohmann-json3-dev libflatbuffers-dev \
flatbuffers-compiler libtbb-dev libcli11-dev libfmt-dev libpng-dev libtiff-dev libassimp-dev libtomlplusplus-dev libsqlite3-dev"
test="libgtest-dev libbenchmark-dev libpolyclipping-dev clang libclang-rt-14-dev clang-format \
clang-tidy locales librecast-dev chromium"
page="nodejs npm"
# A newer node from elsewhere brings its own npm.
if command -v node >/dev/null && command -v npm >/dev/null; then page=""; fi

case "${1:-build}" in
  build) wanted="$build" ;;
  page) wanted="$build $page" ;;
  test | browser | list) wanted="$build $page $test" ;;
  *) echo "usage: scripts/setup.sh build|page|test|browser|list" >&2; exit 2 ;;
esac
if [ "${1:-build}" = list ]; then
  # shellcheck disable=SC2086
  printf '%s\n' $wanted
  exit 0
fi

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not a Debian system; install the counterparts of: $wanted" >&2
  exit 0
fi
missing=""
for package in $wanted; do
  if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
    missing="$missing $package"
  fi
done
[ -z "$missing" ] && exit 0

echo "setup: installing the missing packages:$missing"
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: root is needed for that; run as root: apt-get install$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi
export DEBIAN_FRONTEND=noninteractive
# Another apt may be at work, or another set-up: waits for it. apt's own option holds for dpkg, not for the lists and the
# cache of packages.
patiently() {
  local try complaint
  for try in $(seq 60); do
    # shellcheck disable=SC2086
    if complaint=$($as_root apt-get -qq -o DPkg::Lock::Timeout=600 "$@" 2>&1); then return 0; fi
    case "$complaint" in
      *"get lock"* | *"is held by"* | *"lock directory"*)
        [ "$try" -eq 1 ] && echo "setup: another program uses the package manager; waiting up to 10 minutes" >&2
        sleep 10
        ;;
      *) break ;;
    esac
  done
  echo "$complaint" >&2
  return 1
}
patiently update || true  # no network: what is known already may suffice
# shellcheck disable=SC2086
if ! patiently install -y --no-install-recommends $missing; then
  echo "setup: the packages cannot be installed (no network?); install them by hand: apt-get install$missing" >&2
  exit 1
fi
