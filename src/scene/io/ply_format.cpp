#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "scene/io/scene_intake.h"
#include "scene/io/scene_words.h"

// PLY: a header that declares elements and their properties, then text or binary rows.
namespace wend {
namespace {

enum class Scalar : uint8_t { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };
enum class Encoding : uint8_t { kText, kLittle, kBig };

constexpr size_t kMaxElements = 64;
constexpr size_t kMaxProperties = 256;
constexpr size_t kMaxHeaderLines = 10000;
constexpr uint64_t kMaxList = 100'000'000;  // of a triangle strip

struct Property {
  enum class Role : uint8_t { kOther, kX, kY, kZ, kCorners, kStrip };
  Scalar type = Scalar::kFloat;
  bool list = false;
  Scalar countType = Scalar::kUint8;
  Role role = Role::kOther;
};

struct Element {
  std::string name;
  uint64_t count = 0;
  std::vector<Property> properties;
};

size_t sizeOf(Scalar type) {
  constexpr size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<size_t>(type)];
}

bool scalarNamed(std::string_view name, Scalar& type) {
  constexpr std::pair<std::string_view, Scalar> kNames[] = {
      {"char", Scalar::kInt8},     {"int8", Scalar::kInt8},     {"uchar", Scalar::kUint8},
      {"uint8", Scalar::kUint8},   {"short", Scalar::kInt16},   {"int16", Scalar::kInt16},
      {"ushort", Scalar::kUint16}, {"uint16", Scalar::kUint16}, {"int", Scalar::kInt32},
      {"int32", Scalar::kInt32},   {"uint", Scalar::kUint32},   {"uint32", Scalar::kUint32},
      {"float", Scalar::kFloat},   {"float32", Scalar::kFloat}, {"double", Scalar::kDouble},
      {"float64", Scalar::kDouble}};
  for (const auto& [known, scalar] : kNames) {
    if (known == name) {
      type = scalar;
      return true;
    }
  }
  return false;
}

Property::Role roleOf(const Element& element, std::string_view name, bool list) {
  using Role = Property::Role;
  if (element.name == "vertex" && !list) {
    if (name == "x") return Role::kX;
    if (name == "y") return Role::kY;
    if (name == "z") return Role::kZ;
  }
  if (list && (name == "vertex_indices" || name == "vertex_index")) {
    if (element.name == "face") return Role::kCorners;
    if (element.name == "tristrips") return Role::kStrip;
  }
  return Role::kOther;
}

double decode(const std::byte* bytes, Scalar type, bool swap) {
  std::byte raw[8];
  const size_t size = sizeOf(type);
  std::memcpy(raw, bytes, size);
  if (swap) std::reverse(raw, raw + size);
  const auto as = [&]<typename T>(T value) {
    std::memcpy(&value, raw, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case Scalar::kInt8:
      return as(int8_t{});
    case Scalar::kUint8:
      return as(uint8_t{});
    case Scalar::kInt16:
      return as(int16_t{});
    case Scalar::kUint16:
      return as(uint16_t{});
    case Scalar::kInt32:
      return as(int32_t{});
    case Scalar::kUint32:
      return as(uint32_t{});
    case Scalar::kFloat:
      return as(float{});
    case Scalar::kDouble:
      return as(double{});
  }
  return 0;
}

class PlyReader {
 public:
  explicit PlyReader(const SceneInput& input)
      : stream_(input.source), pulse_(input.context, input.source.size()), intake_(input.settings, UpAxis::kZ) {}

  Result<Scene> read() {
    if (const Status status = readHeader(); !status.ok()) return status.error();
    reserve();
    for (const Element& element : elements_) {
      for (uint64_t row = 0; row < element.count; ++row) {
        if (!pulse_.beat(stream_.offset())) return readingCancelled();
        if (!readRow(element)) {
          if (stream_.error()) return *stream_.error();
          return Error{failure_.code, fmt::format("{} {}: {}", element.name, row, failure_.message)};
        }
      }
    }
    return intake_.finish();
  }

 private:
  Error headerError(std::string_view what) const {
    return {ErrorCode::kFormat, fmt::format("line {} of the header: {}", stream_.lineNumber(), what)};
  }
  bool fail(ErrorCode code, std::string_view what) {
    failure_ = {code, std::string(what)};
    return false;
  }

  Status readHeader() {
    std::string_view line;
    bool format = false;
    while (stream_.lineNumber() < kMaxHeaderLines && stream_.line(line)) {
      Words words(line);
      const std::string_view key = words.next();
      if (key == "end_header") {
        if (!format) return headerError("no format was stated");
        return Done{};
      }
      if (key == "format") {
        const std::string_view name = words.next();
        format = true;
        if (name == "ascii") {
          encoding_ = Encoding::kText;
        } else if (name == "binary_little_endian") {
          encoding_ = Encoding::kLittle;
        } else if (name == "binary_big_endian") {
          encoding_ = Encoding::kBig;
        } else {
          return headerError("the format is neither ascii nor binary_little_endian nor binary_big_endian");
        }
      } else if (key == "element") {
        if (Status status = readElement(words); !status.ok()) return status;
      } else if (key == "property") {
        if (Status status = readProperty(words); !status.ok()) return status;
      }
    }
    if (stream_.error()) return *stream_.error();
    return Error{ErrorCode::kFormat, "the header has no end_header"};
  }

  Status readElement(Words& words) {
    Element element;
    element.name = words.next().substr(0, 64);
    const std::string_view count = words.next();
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || end != count.data() + count.size()) return headerError("an element needs a count");
    if (elements_.size() >= kMaxElements) return headerError(fmt::format("more than {} elements", kMaxElements));
    elements_.push_back(std::move(element));
    return Done{};
  }

  Status readProperty(Words& words) {
    if (elements_.empty()) return headerError("a property stands before the first element");
    Property property;
    std::string_view type = words.next();
    if (type == "list") {
      property.list = true;
      if (!scalarNamed(words.next(), property.countType)) return headerError("the count of a list has no known type");
      if (property.countType >= Scalar::kFloat) return headerError("the count of a list is not a whole number");
      type = words.next();
    }
    if (!scalarNamed(type, property.type)) return headerError("a property has no known type");
    Element& element = elements_.back();
    if (element.properties.size() >= kMaxProperties) {
      return headerError(fmt::format("more than {} properties", kMaxProperties));
    }
    property.role = roleOf(element, words.next(), property.list);
    element.properties.push_back(property);
    return Done{};
  }

  // A promise of the header counts only as far as the file is long enough to keep it.
  void reserve() {
    uint64_t vertices = 0;
    uint64_t faces = 0;
    for (const Element& element : elements_) {
      if (element.properties.empty()) continue;
      if (element.name == "vertex") vertices = std::min(element.count, stream_.remaining() / 3);
      if (element.name == "face") faces = std::min(element.count, stream_.remaining() / 4);
    }
    intake_.reserve(vertices, faces);
  }

  // The next scalar of the row.
  bool next(Scalar type, double& value) {
    if (encoding_ == Encoding::kText) {
      std::string_view word = words_.next();
      // A row may go on over several lines.
      for (std::string_view line; word.empty(); word = words_.next()) {
        if (!stream_.line(line)) return fail(ErrorCode::kFormat, "the file ends here");
        words_ = Words(line);
      }
      if (!parseNumber(word, value)) return fail(ErrorCode::kFormat, "a value is not a number");
      return true;
    }
    const std::span<const std::byte> bytes = stream_.take(sizeOf(type));
    if (bytes.empty()) return fail(ErrorCode::kFormat, "the file ends here");
    value = decode(bytes.data(), type, (encoding_ == Encoding::kBig) != (std::endian::native == std::endian::big));
    return true;
  }

  bool readRow(const Element& element) {
    // Rows without content could be as many as the header likes.
    if (element.properties.empty() && element.count > kMaxHeaderLines) {
      return fail(ErrorCode::kFormat, "the element has no property");
    }
    double place[3] = {0, 0, 0};
    for (const Property& property : element.properties) {
      if (property.list) {
        if (!readList(property)) return false;
        continue;
      }
      double value = 0;
      if (!next(property.type, value)) return false;
      if (property.role == Property::Role::kX) place[0] = value;
      if (property.role == Property::Role::kY) place[1] = value;
      if (property.role == Property::Role::kZ) place[2] = value;
    }
    if (element.name == "vertex" && !intake_.addVertex(place[0], place[1], place[2])) return taken();
    return true;
  }

  bool taken() {
    failure_ = intake_.failure();
    return false;
  }

  bool readList(const Property& property) {
    double count = 0;
    if (!next(property.countType, count)) return false;
    const bool strip = property.role == Property::Role::kStrip;
    const double most = property.role == Property::Role::kCorners ? double{SceneIntake::kMaxCorners} : double{kMaxList};
    if (!(count >= 0 && count <= most)) return fail(ErrorCode::kLimit, "a list has more entries than wend accepts");
    list_.clear();
    for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
      double value = 0;
      if (!next(property.type, value)) return false;
      if (property.role == Property::Role::kOther) continue;
      // In strips, -1 ends one and begins another.
      if (!(value >= (strip ? -1 : 0) && value < 4294967296.0))
        return fail(ErrorCode::kFormat, "an id is out of range");
      list_.push_back(value < 0 ? ~uint64_t{0} : static_cast<uint64_t>(value));
    }
    if (strip) return addStrips();
    // Points and edges may stand among the faces.
    if (property.role == Property::Role::kCorners && list_.size() > 2) {
      return intake_.addPolygon(list_, label()) || taken();
    }
    return true;
  }

  bool addStrips() {
    size_t first = 0;
    for (size_t i = 0; i < list_.size(); ++i) {
      if (list_[i] == ~uint64_t{0}) {
        first = i + 1;
      } else if (i >= first + 2) {
        const bool odd = ((i - first) & 1) != 0;
        if (!intake_.addTriangle(list_[i - (odd ? 1 : 2)], list_[i - (odd ? 2 : 1)], list_[i], label())) return taken();
      }
    }
    return true;
  }

  uint32_t label() {
    if (!labelKnown_) label_ = intake_.label({}, {});
    labelKnown_ = true;
    return label_;
  }

  ByteStream stream_;
  ReadingPulse pulse_;
  SceneIntake intake_;
  Encoding encoding_ = Encoding::kText;
  std::vector<Element> elements_;
  std::vector<uint64_t> list_;
  Words words_{std::string_view()};
  uint32_t label_ = 0;
  bool labelKnown_ = false;
  Error failure_;
};

}  // namespace

Result<Scene> readPly(const SceneInput& input) {
  return PlyReader(input).read();
}

}  // namespace wend
