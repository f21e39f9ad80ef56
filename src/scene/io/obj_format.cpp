#include <charconv>

#include <fmt/format.h>

#include "scene/io/scene_intake.h"
#include "scene/io/scene_words.h"

// Wavefront OBJ, read line by line: Assimp's reader keeps the whole text and several objects per face, and takes 250
// bytes per triangle where this one takes 30.
namespace wend {
namespace {

class ObjReader {
 public:
  explicit ObjReader(const SceneInput& input)
      : stream_(input.source), pulse_(input.context, input.source.size()), intake_(input.settings, UpAxis::kY) {}

  Result<Scene> read() {
    std::string_view line;
    while (stream_.line(line)) {
      if (stream_.lineNumber() == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
      if (!pulse_.beat(stream_.offset())) return readingCancelled();
      if (const Status status = readLine(joined(line)); !status.ok()) return status.error();
    }
    if (stream_.error()) return *stream_.error();
    return intake_.finish();
  }

 private:
  // A backslash at the end of a line continues it.
  std::string_view joined(std::string_view line) {
    if (line.empty() || line.back() != '\\') return line;
    joined_.clear();
    while (!line.empty() && line.back() == '\\' && joined_.size() < ByteStream::kBlock) {
      joined_.append(line.substr(0, line.size() - 1));
      joined_ += ' ';
      if (!stream_.line(line)) return joined_;
    }
    joined_.append(line);
    return joined_;
  }

  Error here(ErrorCode code, std::string_view what) const {
    return {code, fmt::format("line {}: {}", stream_.lineNumber(), what)};
  }
  Error here() const { return here(intake_.failure().code, intake_.failure().message); }

  Status readLine(std::string_view line) {
    Words words(line);
    const std::string_view key = words.next();
    if (key.empty() || key.front() == '#') return Done{};
    if (key == "v") return readVertex(words);
    if (key == "f" || key == "fo") return readFace(words);
    if (key == "o" || key == "g") {
      object_ = words.rest();
      labelKnown_ = false;
    } else if (key == "usemtl") {
      material_ = words.rest();
      labelKnown_ = false;
    }
    return Done{};
  }

  Status readVertex(Words& words) {
    double p[3];
    for (double& value : p) {
      if (!parseNumber(words.next(), value)) {
        return here(ErrorCode::kFormat, "a vertex needs three numbers: v x y z");
      }
    }
    if (intake_.vertexCount() == 0) firstVertex_ = stream_.offset();
    intake_.growVertices(stream_, firstVertex_);
    if (!intake_.addVertex(p[0], p[1], p[2])) return here();
    return Done{};
  }

  Status readFace(Words& words) {
    corners_.clear();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      word = word.substr(0, word.find('/'));
      int64_t id = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
      if (error != std::errc() || end != word.data() + word.size() || id == 0) {
        return here(ErrorCode::kFormat,
                    fmt::format("'{}' is not a vertex of a face; they count from 1", word.substr(0, 40)));
      }
      const int64_t count = static_cast<int64_t>(intake_.vertexCount());
      // Negative ids count back from the last vertex.
      const int64_t index = id > 0 ? id - 1 : (id >= -count ? count + id : count);
      if (index >= count) {
        return here(ErrorCode::kFormat, fmt::format("the face names vertex {}, but only {} came before it", id, count));
      }
      corners_.push_back(static_cast<uint64_t>(index));
    }
    if (!labelKnown_) {
      label_ = intake_.label(object_, material_);
      labelKnown_ = true;
    }
    if (intake_.triangleCount() == 0) firstFace_ = stream_.offset();
    intake_.growTriangles(stream_, firstFace_);
    if (!intake_.addPolygon(corners_, label_)) return here();
    return Done{};
  }

  ByteStream stream_;
  ReadingPulse pulse_;
  SceneIntake intake_;
  std::string joined_;
  std::string object_;
  std::string material_;
  std::vector<uint64_t> corners_;
  uint64_t firstVertex_ = 0;
  uint64_t firstFace_ = 0;
  uint32_t label_ = 0;
  bool labelKnown_ = false;
};

}  // namespace

Result<Scene> readObj(const SceneInput& input) {
  return ObjReader(input).read();
}

}  // namespace wend
