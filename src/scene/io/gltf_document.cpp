#include "scene/io/gltf_document.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/base64.h"

namespace wend {
namespace {

constexpr uint64_t kMaxText = uint64_t{1} << 30;
constexpr int kMaxDepth = 64;
constexpr uint64_t kMaxValues = 20'000'000;  // numbers, strings, lists and objects: about 1 GB
constexpr uint64_t kMaxBuffers = 1000;
constexpr uint32_t kJsonChunk = 0x4e4f534a;
constexpr uint32_t kBinaryChunk = 0x004e4942;

uint32_t littleEndian(const std::byte* bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The file a buffer names: beside the glTF or below it, nowhere else.
std::string siblingPath(const std::string& gltf, std::string_view uri) {
  std::string name;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::sscanf(std::string(uri.substr(i + 1, 2)).c_str(), "%2x", &code) == 1) {
      name += static_cast<char>(code);
      i += 2;
    } else {
      name += uri[i];
    }
  }
  const std::filesystem::path relative(name);
  const bool climbs = std::find(relative.begin(), relative.end(), "..") != relative.end();
  if (name.empty() || name.find('\0') != std::string::npos || relative.is_absolute() || climbs ||
      name.find("://") != std::string::npos) {
    gltfFault(ErrorCode::kUnsupported,
              fmt::format("its buffer '{:.80}' is not beside the file; put it there, or save as GLB", uri));
  }
  return (std::filesystem::path(gltf).parent_path() / relative).string();
}

}  // namespace

void gltfFault(ErrorCode code, std::string sentence) {
  throw GltfFault{{code, std::move(sentence)}};
}

GltfDocument::GltfDocument(const ByteSource& source, bool binary, const std::string& path, uint64_t maxBytes)
    : source_(source) {
  if (binary) {
    readChunks();
  } else {
    parse(readText(0, source.size()));
  }
  openBuffers(path, maxBytes);
}

std::string GltfDocument::readText(uint64_t begin, uint64_t length) const {
  if (length > kMaxText) gltfFault(ErrorCode::kLimit, fmt::format("its JSON is longer than {} bytes", kMaxText));
  std::string text(static_cast<size_t>(length), '\0');
  const Result<size_t> got = source_.readAt(begin, std::as_writable_bytes(std::span(text)));
  if (!got.ok()) throw GltfFault{got.error()};
  if (*got != length) gltfFault(ErrorCode::kFormat, "it is cut off within its JSON");
  return text;
}

void GltfDocument::readChunks() {
  std::byte header[12];
  const Result<size_t> got = source_.readAt(0, header);
  if (!got.ok()) throw GltfFault{got.error()};
  if (*got != 12) gltfFault(ErrorCode::kFormat, "it is cut off within its header");
  if (littleEndian(header + 4) != 2) {
    gltfFault(ErrorCode::kUnsupported,
              fmt::format("it is GLB version {}; wend reads version 2", littleEndian(header + 4)));
  }
  const uint64_t end = littleEndian(header + 8);
  if (end > source_.size())
    gltfFault(ErrorCode::kFormat, fmt::format("it is cut off: {} of {} bytes", source_.size(), end));
  bool json = false;
  for (uint64_t at = 12; at + 8 <= end;) {
    std::byte chunk[8];
    if (const Result<size_t> read = source_.readAt(at, chunk); !read.ok() || *read != 8) {
      gltfFault(ErrorCode::kFormat, "it is cut off within a chunk");
    }
    const uint64_t length = littleEndian(chunk);
    const uint32_t type = littleEndian(chunk + 4);
    if (length > end - at - 8) gltfFault(ErrorCode::kFormat, "a chunk is longer than the file");
    if (type == kJsonChunk && !json) {
      json = true;
      parse(readText(at + 8, length));
    } else if (type == kBinaryChunk && !hasBinary_) {
      hasBinary_ = true;
      binaryBegin_ = at + 8;
      binaryLength_ = length;
    }
    at += 8 + (length + 3) / 4 * 4;
  }
  if (!json) gltfFault(ErrorCode::kFormat, "it has no JSON chunk");
}

void GltfDocument::parse(std::string_view text) {
  uint64_t values = 0;
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) gltfFault(ErrorCode::kLimit, fmt::format("its JSON is nested deeper than {}", kMaxDepth));
    if (++values > kMaxValues)
      gltfFault(ErrorCode::kLimit, fmt::format("its JSON has more than {} values", kMaxValues));
    return true;
  };
  try {
    root_ = Json::parse(text, limit);
  } catch (const Json::exception& error) {
    gltfFault(ErrorCode::kFormat,
              fmt::format("its JSON is broken near byte {}", dynamic_cast<const Json::parse_error*>(&error) != nullptr
                                                                 ? static_cast<const Json::parse_error&>(error).byte
                                                                 : 0));
  }
  if (!root_.is_object()) gltfFault(ErrorCode::kFormat, "its JSON is not an object");
}

void GltfDocument::openBuffers(const std::string& path, uint64_t maxBytes) {
  const size_t buffers = count("buffers");
  if (buffers > kMaxBuffers) gltfFault(ErrorCode::kLimit, fmt::format("more than {} buffers", kMaxBuffers));
  for (size_t i = 0; i < buffers; ++i) {
    const Json& json = item("buffers", i);
    const std::string_view uri = text(json, "uri");
    Buffer buffer;
    if (uri.empty()) {
      // Without the binary chunk the buffer belongs to an extension; only its use is a fault.
      if (i == 0 && hasBinary_) buffer = {&source_, binaryBegin_, binaryLength_};
    } else if (uri.starts_with("data:")) {
      const size_t comma = uri.find(";base64,");
      if (comma == std::string_view::npos) gltfFault(ErrorCode::kUnsupported, "a buffer inside the file is not base64");
      std::optional<std::vector<std::byte>> bytes = decodeBase64(uri.substr(comma + 8));
      if (!bytes) gltfFault(ErrorCode::kFormat, "a buffer inside the file is not base64");
      decoded_.push_back(std::make_unique<std::vector<std::byte>>(std::move(*bytes)));
      others_.push_back(std::make_unique<ByteSource>(ByteSource::over(*decoded_.back())));
      buffer = {others_.back().get(), 0, others_.back()->size()};
    } else {
      if (path.empty()) gltfFault(ErrorCode::kUnsupported, "its buffers are other files; save it as GLB");
      const std::string other = siblingPath(path, uri);
      struct stat info {};
      if (::stat(other.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
        gltfFault(ErrorCode::kFileNotFound, fmt::format("its buffer '{}' is not a file", other));
      }
      Result<ByteSource> opened = ByteSource::open(other, maxBytes);
      if (!opened.ok()) throw GltfFault{opened.error()};
      others_.push_back(std::make_unique<ByteSource>(std::move(opened).value()));
      buffer = {others_.back().get(), 0, others_.back()->size()};
    }
    buffer.length = std::min(buffer.length, wholeOr(json, "byteLength", buffer.length));
    buffers_.push_back(buffer);
  }
}

const GltfDocument::Json& GltfDocument::member(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

size_t GltfDocument::count(const char* list) const {
  const Json& json = member(root_, list);
  if (json.is_null()) return 0;
  if (!json.is_array()) gltfFault(ErrorCode::kFormat, fmt::format("'{}' is not a list", list));
  return json.size();
}

const GltfDocument::Json& GltfDocument::item(const char* list, uint64_t index) const {
  const size_t size = count(list);
  if (index >= size) gltfFault(ErrorCode::kFormat, fmt::format("it names number {} of {} '{}'", index, size, list));
  const Json& json = member(root_, list)[static_cast<size_t>(index)];
  if (!json.is_object()) gltfFault(ErrorCode::kFormat, fmt::format("number {} of '{}' is not an object", index, list));
  return json;
}

uint64_t GltfDocument::whole(const Json& value, std::string_view what) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  // Some writers give 3.0.
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!(number >= 0 && number < 1e15) || number != std::floor(number)) {
    gltfFault(ErrorCode::kFormat, fmt::format("'{}' is not a whole number", what));
  }
  return static_cast<uint64_t>(number);
}

uint64_t GltfDocument::wholeOr(const Json& object, const char* key, uint64_t otherwise) {
  const Json& value = member(object, key);
  return value.is_null() ? otherwise : whole(value, key);
}

double GltfDocument::number(const Json& value) {
  if (!value.is_number()) gltfFault(ErrorCode::kFormat, "a transform has something else than numbers");
  return value.get<double>();
}

std::string_view GltfDocument::text(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>()) : std::string_view();
}

uint64_t GltfDocument::bytes() const {
  // A file may be named as a buffer a thousand times, also by itself.
  std::set<std::pair<dev_t, ino_t>> files;
  const auto ownBytes = [&](const ByteSource& source) {
    struct stat info {};
    const bool isFile = source.file() && ::fstat(*source.file(), &info) == 0;
    return isFile && !files.emplace(info.st_dev, info.st_ino).second ? uint64_t{0} : source.size();
  };
  uint64_t sum = ownBytes(source_);
  for (const auto& other : others_) sum += ownBytes(*other);
  return sum;
}

uint64_t GltfDocument::Accessor::elementBytes() const {
  const uint64_t bytes = componentType == 5120 || componentType == 5121 ? 1 : componentType <= 5123 ? 2 : 4;
  return bytes * components;
}

GltfDocument::Accessor GltfDocument::accessor(uint64_t index) const {
  const Json& json = item("accessors", index);
  const auto wrong = [&](std::string_view what) {
    gltfFault(ErrorCode::kFormat, fmt::format("accessor {}: {}", index, what));
  };
  if (!member(json, "sparse").is_null()) {
    gltfFault(ErrorCode::kUnsupported, fmt::format("accessor {} is sparse; save the file without morphs", index));
  }
  Accessor accessor;
  accessor.count = whole(member(json, "count"), "count");
  const uint64_t type = whole(member(json, "componentType"), "componentType");
  if (type < 5120 || type > 5126 || type == 5124) wrong("its component type is unknown");
  accessor.componentType = static_cast<uint32_t>(type);
  const std::string_view shape = text(json, "type");
  if (shape != "SCALAR" && shape != "VEC3") wrong("it holds neither numbers nor places");
  accessor.components = shape == "SCALAR" ? 1 : 3;
  accessor.normalised = member(json, "normalized") == true;
  const uint64_t size = accessor.elementBytes();
  if (member(json, "bufferView").is_null()) {
    accessor.stride = size;
    return accessor;
  }
  const Json& view = item("bufferViews", whole(member(json, "bufferView"), "bufferView"));
  const uint64_t bufferIndex = whole(member(view, "buffer"), "buffer");
  if (bufferIndex >= buffers_.size()) wrong("its buffer does not exist");
  const Buffer& buffer = buffers_[bufferIndex];
  const uint64_t viewBegin = wholeOr(view, "byteOffset", 0);
  const uint64_t viewLength = whole(member(view, "byteLength"), "byteLength");
  const uint64_t offset = wholeOr(json, "byteOffset", 0);
  accessor.stride = wholeOr(view, "byteStride", size);
  if (accessor.stride < size || accessor.stride > 4096) wrong("its stride does not fit");
  if (buffer.source == nullptr) wrong("its buffer has no content");
  if (viewBegin > buffer.length || viewLength > buffer.length - viewBegin) wrong("its view reaches beyond the buffer");
  // A count above the length is refused first, and no file has 2^51 bytes: the product does not overflow.
  if (accessor.count > 0 && (accessor.count > viewLength || offset > viewLength ||
                             (accessor.count - 1) * accessor.stride + size > viewLength - offset)) {
    wrong("it reaches beyond its view");
  }
  accessor.source = buffer.source;
  accessor.begin = buffer.begin + viewBegin + offset;
  return accessor;
}

AccessorStream::AccessorStream(const GltfDocument::Accessor& accessor) : accessor_(accessor) {
  if (accessor.source == nullptr) return;
  // To its end and no farther: a file may have thousands of short ones.
  const uint64_t bytes = accessor.count == 0 ? 0 : (accessor.count - 1) * accessor.stride + accessor.elementBytes();
  stream_.emplace(*accessor.source, accessor.begin, accessor.begin + bytes);
}

std::span<const std::byte> AccessorStream::element() {
  // The last element may end before its stride does.
  const bool last = ++at_ >= accessor_.count;
  const std::span<const std::byte> bytes = stream_->take(last ? accessor_.elementBytes() : accessor_.stride);
  if (bytes.empty()) {
    if (stream_->error()) throw GltfFault{*stream_->error()};
    gltfFault(ErrorCode::kFormat, "a buffer is cut off");
  }
  return bytes;
}

double AccessorStream::component(const std::byte* bytes) const {
  const auto as = [&]<typename T>(T value) {
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_floating_point_v<T>) return static_cast<double>(value);
    if (!accessor_.normalised) return static_cast<double>(value);
    return std::max(static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
  };
  switch (accessor_.componentType) {
    case 5120:
      return as(int8_t{});
    case 5121:
      return as(uint8_t{});
    case 5122:
      return as(int16_t{});
    case 5123:
      return as(uint16_t{});
    case 5125:
      return as(uint32_t{});
    default:
      return as(float{});
  }
}

std::array<double, 3> AccessorStream::next() {
  std::array<double, 3> values{};
  if (!stream_) return values;
  const std::span<const std::byte> bytes = element();
  const uint64_t size = accessor_.elementBytes() / accessor_.components;
  for (uint32_t k = 0; k < accessor_.components; ++k) values[k] = component(bytes.data() + k * size);
  return values;
}

uint32_t AccessorStream::nextIndex() {
  if (!stream_) return 0;
  const std::byte* bytes = element().data();
  switch (accessor_.componentType) {
    case 5121:
      return static_cast<uint32_t>(*bytes);
    case 5123: {
      uint16_t value = 0;
      std::memcpy(&value, bytes, sizeof value);
      return value;
    }
    case 5125:
      return littleEndian(bytes);
    default:
      gltfFault(ErrorCode::kFormat, "indices are not whole numbers");
  }
}

}  // namespace wend
