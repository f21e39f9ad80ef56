#pragma once

#include <optional>
#include <vector>

#include <wend/corridor_map.h>

#include "world/environment_table.h"

// The medial axis in a .wend file.
namespace wend {

flatbuffers::Offset<file::CorridorMap> writeCorridorMap(flatbuffers::FlatBufferBuilder& builder,
                                                        const CorridorMap& map);

// Copies; hash and contents are not checked. The table must be verified. If `reading` is not sound after that, arrays
// are missing.
CorridorMap readCorridorMap(const file::CorridorMap& table, const Lattice& lattice, TableReading& reading);

}  // namespace wend
