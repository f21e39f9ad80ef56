#!/usr/bin/env bash
# Prints a software bill of materials (CycloneDX 1.5, JSON): wend and the parts of others that this machine would build it
# with. Parts that are not installed are left out.
# Usage: scripts/sbom.sh > sbom.json
set -euo pipefail
cd "$(dirname "$0")"
. ./parts.sh
version=$(sed -n 's/^project(wend VERSION \([0-9.]*\).*/\1/p' ../CMakeLists.txt)
printf '{\n  "bomFormat": "CycloneDX",\n  "specVersion": "1.5",\n  "version": 1,\n'
printf '  "metadata": {"component": {"type": "application", "name": "wend", "version": "%s"}},\n' "$version"
printf '  "components": ['
separator=""
while read -r name package licence use; do
  [ -z "$name" ] && continue
  found=$(version_of "$package")
  [ -z "$found" ] && continue
  printf '%s\n    {"type": "library", "name": "%s", "version": "%s", "scope": "required",' "$separator" "$name" "$found"
  printf ' "purl": "%s", "licenses": [{"license": {"id": "%s"}}],' "$(url_of "$package" "$found")" "$licence"
  printf ' "properties": [{"name": "wend:use", "value": "%s"}]}' "$use"
  separator=","
done <<<"$parts"
printf '\n  ]\n}\n'
