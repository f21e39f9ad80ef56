#!/usr/bin/env bash
# Builds the page of `wend view` into build/viewer, if its sources are newer. Needs node and npm (scripts/setup.sh page) and,
# the first time, the network.
# Usage: scripts/page.sh
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/viewer
if [ -f "$out/index.html" ] && [ -d viewer/node_modules ] &&
  [ -z "$(find viewer/src viewer/build.mjs viewer/package-lock.json -newer "$out/index.html" -print -quit)" ]; then
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "page: npm is not found; install nodejs and npm, then run make view again" >&2
  exit 1
fi
cd viewer
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules
fi
npm run --silent check
npm run --silent build
