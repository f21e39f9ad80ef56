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

// What reading a file has found, and how many of its bytes may still be read. FlatBuffers tables may share their
// arrays, so that a small file could need any amount of memory. In a file that wend has written nothing is shared: what
// is read is at most as long as the file.
class TableReading {
 public:
  explicit TableReading(size_t bytes) : left_(bytes) {}

  // False if the file has been read to its length already.
  bool take(size_t bytes) {
    shares_ = shares_ || bytes > left_;
    if (!shares_) left_ -= bytes;
    return !shares_;
  }
  // At least so many bytes of the file make a table and the offset that names it.
  bool takeTable() { return take(12); }
  void foundUnaligned() { aligned_ = false; }
  bool isSound() const { return aligned_ && !shares_; }
  // Why it is not sound.
  std::string_view fault() const { return aligned_ ? "its tables share arrays" : "its arrays are not aligned"; }

 private:
  size_t left_;
  bool aligned_ = true;
  bool shares_ = false;
};

// The vector in place; empty if the reading is not sound. FlatBuffers aligns what it writes, but a file is not trusted.
template <typename T, typename Vector>
std::span<const T> view(const Vector* vector, TableReading& reading) {
  if (vector == nullptr || vector->size() == 0) return {};
  if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) != 0) {
    reading.foundUnaligned();
    return {};
  }
  if (!reading.take(vector->size() * sizeof(T))) return {};
  return {reinterpret_cast<const T*>(vector->Data()), vector->size()};
}

std::string text(const flatbuffers::String* string, TableReading& reading);

flatbuffers::Offset<file::Topology> writeTopology(flatbuffers::FlatBufferBuilder& builder, const Topology& topology);
Topology readTopology(const file::Topology& table);

flatbuffers::Offset<file::Environment> writeEnvironmentTable(flatbuffers::FlatBufferBuilder& builder,
                                                             const Environment& environment);
// Copies. The table must be verified. Checks what reading needs: offsets in order and in range, layers and triangle
// corners that exist, coordinates on the lattice, finite heights. validate() checks the geometry.
Result<Environment> readEnvironmentTable(const file::Environment& table, const Lattice& lattice, TableReading& reading);

// At most this many bytes are written.
size_t bytesOf(const Environment& environment);

}  // namespace wend
