#pragma once

#include <optional>

#include <wend/generate.h>

#include "world/edit/live_state.h"
#include "world/environment_table.h"
#include "world/wend_file_generated.h"

// Obstacles, doors, costs and settings in a .wend file.
namespace wend {

flatbuffers::Offset<file::Live> writeLive(flatbuffers::FlatBufferBuilder& builder, const LiveState& live);
flatbuffers::Offset<file::Settings> writeSettings(flatbuffers::FlatBufferBuilder& builder,
                                                  const GenerateSettings& settings);

// The table must be verified. Obstacles are placed on the base anew; what does not fit it is an error.
Result<LiveState> readLive(const file::Live& table, const LiveBase& base, TableReading& reading);
GenerateSettings readSettings(const file::Settings& table, TableReading& reading);

// Of everything in it: the hash of a file covers it.
uint64_t hash(const LiveState& live);
uint64_t hash(const GenerateSettings& settings);

// At most this many bytes are written.
size_t bytesOf(const LiveState& live);
// Tables in the file.
size_t tablesOf(const LiveState& live);

}  // namespace wend
