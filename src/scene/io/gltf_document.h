#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

#include <nlohmann/json.hpp>

#include "scene/io/byte_source.h"

// A glTF 2 document: its JSON, its buffers wherever they are, and checked access to both. It is not trusted.
namespace wend {

// Thrown inside the reader only, and turned into an Error at its border.
struct GltfFault {
  Error error;
};
[[noreturn]] void gltfFault(ErrorCode code, std::string sentence);

class GltfDocument {
 public:
  using Json = nlohmann::json;

  // `path` is the file that buffers are named relative to; empty: other files are refused.
  GltfDocument(const ByteSource& source, bool binary, const std::string& path, uint64_t maxBytes);

  // --- JSON: absent members are null; wrong types are faults. ---
  static const Json& member(const Json& object, const char* key);
  // The elements of a list of the top level.
  size_t count(const char* list) const;
  const Json& item(const char* list, uint64_t index) const;
  static uint64_t whole(const Json& value, std::string_view what);
  static uint64_t wholeOr(const Json& object, const char* key, uint64_t otherwise);
  static double number(const Json& value);
  // In place; empty if there is no text.
  static std::string_view text(const Json& object, const char* key);
  const Json& root() const { return root_; }

  // --- Accessors ---
  struct Accessor {
    const ByteSource* source = nullptr;  // null: all zero
    uint64_t begin = 0;
    uint64_t stride = 0;
    uint64_t count = 0;
    uint32_t componentType = 0;
    uint32_t components = 0;
    bool normalised = false;
    uint64_t elementBytes() const;
  };
  // Of the file and of its buffers elsewhere, each once.
  uint64_t bytes() const;
  // Within its buffer, or a fault.
  Accessor accessor(uint64_t index) const;

 private:
  struct Buffer {
    const ByteSource* source = nullptr;
    uint64_t begin = 0;
    uint64_t length = 0;
  };

  void parse(std::string_view text);
  void readChunks();
  void openBuffers(const std::string& path, uint64_t maxBytes);
  std::string readText(uint64_t begin, uint64_t length) const;

  const ByteSource& source_;
  Json root_;
  bool hasBinary_ = false;
  uint64_t binaryBegin_ = 0;
  uint64_t binaryLength_ = 0;
  std::vector<Buffer> buffers_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> decoded_;
  std::vector<std::unique_ptr<ByteSource>> others_;
};

// Reads the elements of an accessor in order.
class AccessorStream {
 public:
  explicit AccessorStream(const GltfDocument::Accessor& accessor);
  // The next element's components as numbers.
  std::array<double, 3> next();
  // The next element's first component as an index.
  uint32_t nextIndex();

 private:
  std::span<const std::byte> element();
  double component(const std::byte* bytes) const;

  GltfDocument::Accessor accessor_;
  std::optional<ByteStream> stream_;
  uint64_t at_ = 0;
};

}  // namespace wend
