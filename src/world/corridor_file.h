#pragma once

#include <optional>
#include <vector>

#include <wend/corridor_map.h>

#include "world/wend_file_generated.h"

// The medial axis in a .wend file.
namespace wend {

flatbuffers::Offset<file::CorridorMap> writeCorridorMap(flatbuffers::FlatBufferBuilder& builder,
                                                        const CorridorMap& map);

// Copies; hash and contents are not checked. The table must be verified. Clears `aligned`, and leaves an array out, if
// a file lies about where it begins.
CorridorMap readCorridorMap(const file::CorridorMap& table, const Lattice& lattice, bool& aligned);

}  // namespace wend
