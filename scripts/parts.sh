# The parts of others that wend is built from, for notices.sh and sbom.sh: name, Debian package with the headers, licence
# (SPDX), and whether the program carries its code ("linked") or only its headers ("headers").
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
'
# The version of an installed package, or nothing.
version_of() { dpkg-query -W -f='${Version}' "$1" 2>/dev/null || true; }
