#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "scene/io/scene_intake.h"
#include "scene/io/scene_words.h"

// STL repeats every corner: equal coordinates become one vertex, so that neighbours share their edge again.
namespace wend {
namespace {

constexpr size_t kHeader = 84;    // of a binary file: 80 bytes of anything, and the number of triangles
constexpr size_t kTriangle = 50;  // normal, corners and two bytes more

// What a binary file with this head must have; 0 if it is too short for any.
uint64_t sizeOfBinary(std::span<const std::byte> head) {
  if (head.size() < kHeader) return 0;
  uint32_t count = 0;
  std::memcpy(&count, head.data() + kHeader - sizeof count, sizeof count);
  return kHeader + uint64_t{count} * kTriangle;
}

class StlReader {
 public:
  explicit StlReader(const SceneInput& input)
      : input_(input), pulse_(input.context, input.source.size()), intake_(input.settings, UpAxis::kZ) {}

  Result<Scene> readBinary(uint32_t count) {
    ByteStream stream(input_.source, kHeader);
    const uint32_t label = intake_.label({}, {});
    intake_.reserve(0, count);
    for (uint32_t i = 0; i < count; ++i) {
      if (!pulse_.beat(stream.offset())) return readingCancelled();
      const std::span<const std::byte> record = stream.take(kTriangle);
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

// Any bytes may stand where the number of triangles does; the first triangle has a normal of length one or zero.
bool isCutStl(std::span<const std::byte> head, uint64_t size) {
  if (head.size() < kHeader + kTriangle) return false;
  std::array<float, 12> numbers{};
  std::memcpy(numbers.data(), head.data() + kHeader, sizeof numbers);
  for (const float value : numbers) {
    if (!std::isfinite(value) || (value != 0 && (std::abs(value) < 1e-20F || std::abs(value) > 1e9F))) return false;
  }
  const float length = std::hypot(numbers[0], numbers[1], numbers[2]);
  return size < sizeOfBinary(head) && (length == 0 || std::abs(length - 1) < 0.01F);
}

Result<Scene> readStl(const SceneInput& input) {
  const Result<std::vector<std::byte>> head = input.source.head(kHeader + kTriangle);
  if (!head.ok()) return head.error();
  const uint64_t size = input.source.size();
  const uint64_t expected = sizeOfBinary(*head);
  if (expected != 0 && size == expected)
    return StlReader(input).readBinary(static_cast<uint32_t>((size - kHeader) / kTriangle));
  if (isCutStl(*head, size)) {
    return Error{ErrorCode::kFormat, fmt::format("the file is cut off: a binary STL of {} triangles has {} bytes, this "
                                                 "one {}; copy or export it again",
                                                 (expected - kHeader) / kTriangle, expected, size)};
  }
  return StlReader(input).readText();
}

}  // namespace wend
