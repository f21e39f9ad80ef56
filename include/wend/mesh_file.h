#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <wend/navmesh.h>

// The .wend file: a FlatBuffers table, mapped into memory and verified before use. A truncated, altered or foreign
// file is an Error, never a crash.
namespace wend {

inline constexpr uint32_t kMeshFileVersion = 1;

// Written beside the target and renamed.
Status saveMesh(const NavMesh& mesh, const std::string& path);
// Maps the file; the big arrays are read straight from the mapping (height fields are copied). Checks, in this order:
// identifier, version, table structure, hash of the contents, sizes and id ranges, twins mutual; not the geometry, for
// which there is checkMesh(). Do not write into a file while it is mapped; saveMesh() replaces it, which is safe.
Result<NavMesh> loadMesh(const std::string& path);

// The same in memory. Above 2 GB, the reach of a FlatBuffers offset, an error (kLimit).
Result<std::string> serialiseMesh(const NavMesh& mesh);
Result<NavMesh> parseMesh(std::span<const std::byte> bytes, std::string_view name);

// Whether bytes begin like a .wend file.
bool isMeshFile(std::span<const std::byte> bytes);

}  // namespace wend
