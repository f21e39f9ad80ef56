#pragma once

#include <span>
#include <string>

#include <wend/environment.h>

#include "world/wend_file_generated.h"

// The environment in a .wend file, and what its tables have in common with those of the mesh.
namespace wend {

template <typename Target, typename Source>
flatbuffers::Offset<flatbuffers::Vector<const Target*>> structs(flatbuffers::FlatBufferBuilder& builder,
                                                                std::span<const Source> values) {
  static_assert(sizeof(Target) == sizeof(Source) && alignof(Target) == alignof(Source));
  return builder.CreateVectorOfStructs(reinterpret_cast<const Target*>(values.data()), values.size());
}

template <typename T>
flatbuffers::Offset<flatbuffers::Vector<T>> scalars(flatbuffers::FlatBufferBuilder& builder,
                                                    std::span<const T> values) {
  return builder.CreateVector(values.data(), values.size());
}

// The vector in place. FlatBuffers aligns what it writes; clears `aligned` for a file that lies about it.
template <typename T, typename Vector>
std::span<const T> view(const Vector* vector, bool& aligned) {
  if (vector == nullptr || vector->size() == 0) return {};
  if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) != 0) {
    aligned = false;
    return {};
  }
  return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

std::string text(const flatbuffers::String* string);

flatbuffers::Offset<file::Topology> writeTopology(flatbuffers::FlatBufferBuilder& builder, const Topology& topology);
Topology readTopology(const file::Topology& table);

flatbuffers::Offset<file::Environment> writeEnvironmentTable(flatbuffers::FlatBufferBuilder& builder,
                                                             const Environment& environment);
// Copies. The table must be verified. Checks what reading needs: offsets in order and in range, layers and triangle
// corners that exist, coordinates on the lattice, finite heights. validate() checks the geometry.
Result<Environment> readEnvironmentTable(const file::Environment& table, const Lattice& lattice, bool& aligned);

// At most this many bytes are written.
size_t bytesOf(const Environment& environment);

}  // namespace wend
