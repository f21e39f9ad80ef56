#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include <wend/scene.h>

#include "scene/io/byte_source.h"
#include "scene/vertex_table.h"

// What all readers of scenes share: they hand in coordinates and corners as the file gives them, and get a Scene in
// metres with z up, or an Error.
namespace wend {

class SceneIntake {
 public:
  // `up` is the axis to use where the settings leave it to the format.
  SceneIntake(const SceneReadSettings& settings, UpAxis up);

  // In units and axes of the file. False: not finite, too far away, or too many; see failure().
  bool addVertex(double x, double y, double z);
  // The same, but equal places become one vertex.
  bool addVertexOnce(double x, double y, double z, uint32_t& id);
  // Corners are ids of vertices; any value is safe. False: an id out of range, or too many triangles.
  bool addTriangle(uint64_t a, uint64_t b, uint64_t c, uint32_t label);
  // Cuts a polygon of three or more corners by ear clipping. False as above, or more than kMaxCorners.
  bool addPolygon(std::span<const uint64_t> corners, uint32_t label);
  // The id of the label that fits the names given, by the settings.
  uint32_t label(std::string_view object, std::string_view material);

  // Room for what a header promises, as far as the rest of the file can hold it at all.
  void reserve(uint64_t vertices, uint64_t triangles);

  // Keeps the arrays from doubling at the end of a large file without counts: they grow to what the rest of the stream
  // will hold at the rate seen since the offset of the first.
  void growVertices(const ByteStream& stream, uint64_t firstOffset);
  void growTriangles(const ByteStream& stream, uint64_t firstOffset);

  uint64_t vertexCount() const { return scene_.vertices.size(); }
  uint64_t triangleCount() const { return scene_.triangles.size(); }
  // Why the last call answered false: without the place, which the reader knows.
  const Error& failure() const { return failure_; }
  // The scene; an Error if it has no triangle.
  Result<Scene> finish();

  // Ear clipping is quadratic.
  static constexpr size_t kMaxCorners = 4096;
  static constexpr size_t kMaxLabelBytes = 256;
  // What cutting may look at for all faces together. Corridors that wind up, the worst that do not cross themselves,
  // need some 2,200 per corner.
  static constexpr uint64_t kPairsAlways = 200'000'000;
  static constexpr uint64_t kPairsPerCorner = 2500;

 private:
  bool fail(ErrorCode code, std::string sentence);
  bool accept(double x, double y, double z, Vec3& metres);

  const SceneReadSettings& settings_;
  UpAxis up_;
  Scene scene_;
  std::unordered_map<std::string, uint32_t> labelIds_;
  VertexTable table_;
  uint64_t cornerPairs_ = kPairsAlways;  // that are left
  Error failure_;
};

// One file format: reads `source` into a Scene. Errors name the line or element; the caller adds the file's name.
struct SceneInput {
  const ByteSource& source;
  const SceneReadSettings& settings;
  const Context& context;
  std::string path;  // of the file; empty when it is in memory
};
Result<Scene> readObj(const SceneInput& input);
Result<Scene> readPly(const SceneInput& input);
Result<Scene> readStl(const SceneInput& input);
// Whether bytes begin as a binary STL does whose size is not what it says because its end is missing.
bool isCutStl(std::span<const std::byte> head, uint64_t size);
Result<Scene> readGltf(const SceneInput& input, bool binary);
Result<Scene> readForeign(const SceneInput& input, SceneFormat format);

// Reports progress and tests for cancellation at intervals.
class ReadingPulse {
 public:
  ReadingPulse(const Context& context, uint64_t size) : context_(context), size_(size) {}
  // False if the caller cancelled.
  bool beat(uint64_t offset) {
    if (offset < next_) return true;
    next_ = offset + ByteStream::kBlock;
    context_.report("reading", size_ == 0 ? 1.0 : static_cast<double>(offset) / static_cast<double>(size_));
    return !context_.cancelled();
  }

 private:
  const Context& context_;
  uint64_t size_;
  uint64_t next_ = 0;
};
inline Error readingCancelled() {
  return {ErrorCode::kCancelled, "reading was cancelled"};
}

}  // namespace wend
