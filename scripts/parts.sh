# The parts of others that wend is built from, for notices.sh and sbom.sh: name, Debian package with the headers or npm
# package, licence (SPDX), and what carries its code: the program ("linked", or "headers" if it is nothing but headers),
# or the page of `wend view` ("page").
# shellcheck shell=bash disable=SC2034
parts='
boost libboost-dev BSL-1.0 headers
pugixml libpugixml-dev MIT linked
nlohmann-json nlohmann-json3-dev MIT headers
flatbuffers libflatbuffers-dev Apache-2.0 headers
onetbb libtbb-dev Apache-2.0 linked
cli11 libcli11-dev BSD-3-Clause headers
fmt libfmt-dev MIT linked
libpng libpng-dev libpng-2.0 linked
libtiff libtiff-dev libtiff linked
assimp libassimp-dev BSD-3-Clause linked
tomlplusplus libtomlplusplus-dev MIT headers
sqlite libsqlite3-dev blessing linked
recastnavigation librecast-dev Zlib linked
three npm:three MIT page
'
# The version of an installed package, or of an npm package that the page is locked to; or nothing.
version_of() {
  case "$1" in
    npm:*) sed -n "/\"node_modules\/${1#npm:}\"/,/}/s/.*\"version\": \"\([^\"]*\)\".*/\1/p" ../viewer/package-lock.json ;;
    *) dpkg-query -W -f='${Version}' "$1" 2>/dev/null || true ;;
  esac
}
# How others call a package (a package URL): package, version.
url_of() {
  case "$1" in
    npm:*) echo "pkg:npm/${1#npm:}@${2//+/%2B}" ;;
    *) echo "pkg:deb/debian/$1@${2//+/%2B}" ;;
  esac
}
# The file with the notice of a package.
notice_of() {
  case "$1" in
    npm:*) echo "../viewer/node_modules/${1#npm:}/LICENSE" ;;
    *) echo "/usr/share/doc/$1/copyright" ;;
  esac
}
