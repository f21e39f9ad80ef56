#include <array>
#include <cstring>

#include <fmt/format.h>

#include "scene/scene_intake.h"
#include "scene/scene_words.h"

// STL repeats every corner: equal coordinates become one vertex, so that neighbours share their edge again.
namespace wend {
namespace {

class StlReader {
 public:
  explicit StlReader(const SceneInput& input)
      : input_(input), pulse_(input.context, input.source.size()), intake_(input.settings, UpAxis::kZ) {}

  Result<Scene> readBinary(uint32_t count) {
    ByteStream stream(input_.source, 84);
    const uint32_t label = intake_.label({}, {});
    intake_.reserve(0, count);
    for (uint32_t i = 0; i < count; ++i) {
      if (!pulse_.beat(stream.offset())) return readingCancelled();
      const std::span<const std::byte> record = stream.take(50);
      if (record.empty()) {
        return stream.error() ? *stream.error()
                              : Error{ErrorCode::kFormat, fmt::format("it ends within triangle {} of {}", i, count)};
      }
      std::array<std::array<float, 3>, 3> corners;
      std::memcpy(&corners, record.data() + 12, sizeof corners);
      if (!add(corners, label)) return failure(fmt::format("triangle {}", i));
    }
    return intake_.finish();
  }

  Result<Scene> readText() {
    ByteStream stream(input_.source);
    std::string_view line;
    std::array<std::array<float, 3>, 3> corners{};
    size_t known = 0;
    uint32_t label = 0;
    bool labelKnown = false;
    std::string solid;
    while (stream.line(line)) {
      if (!pulse_.beat(stream.offset())) return readingCancelled();
      const auto wrong = [&](std::string_view what) {
        return Error{ErrorCode::kFormat, fmt::format("line {}: {}", stream.lineNumber(), what)};
      };
      Words words(line);
      const std::string_view key = words.next();
      if (key == "solid") {
        solid = words.rest();
        labelKnown = false;
      } else if (key == "vertex") {
        if (known == 3) return wrong("a loop has more than three corners");
        for (float& value : corners[known]) {
          double number = 0;
          if (!parseNumber(words.next(), number)) return wrong("a corner needs three numbers: vertex x y z");
          value = static_cast<float>(number);
        }
        ++known;
      } else if (key == "endfacet" || key == "endloop") {
        if (known == 0) continue;
        if (known != 3) return wrong("a loop has fewer than three corners");
        known = 0;
        if (!labelKnown) label = intake_.label(solid, {});
        labelKnown = true;
        if (!add(corners, label)) return failure(fmt::format("line {}", stream.lineNumber()));
      }
    }
    if (stream.error()) return *stream.error();
    if (known != 0) return Error{ErrorCode::kFormat, "it ends within a triangle"};
    return intake_.finish();
  }

 private:
  bool add(const std::array<std::array<float, 3>, 3>& corners, uint32_t label) {
    std::array<uint32_t, 3> ids{};
    for (size_t k = 0; k < 3; ++k) {
      if (!intake_.addVertexOnce(corners[k][0], corners[k][1], corners[k][2], ids[k])) return false;
    }
    return intake_.addTriangle(ids[0], ids[1], ids[2], label);
  }

  Error failure(std::string_view place) const {
    return {intake_.failure().code, fmt::format("{}: {}", place, intake_.failure().message)};
  }

  const SceneInput& input_;
  ReadingPulse pulse_;
  SceneIntake intake_;
};

}  // namespace

Result<Scene> readStl(const SceneInput& input) {
  const Result<std::vector<std::byte>> head = input.source.head(84);
  if (!head.ok()) return head.error();
  uint32_t count = 0;
  if (head->size() == 84) std::memcpy(&count, head->data() + 80, sizeof count);
  const bool binary = head->size() == 84 && input.source.size() == 84 + uint64_t{count} * 50;
  return binary ? StlReader(input).readBinary(count) : StlReader(input).readText();
}

}  // namespace wend
