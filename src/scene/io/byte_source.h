#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

// The bytes of a scene file, in memory or on disk, read in blocks: a file of gigabytes never stands in memory.
namespace wend {

class ByteSource {
 public:
  // A regular file stays on disk; a pipe or device is read to its end.
  static Result<ByteSource> open(const std::string& path, uint64_t maxBytes);
  // An open regular file, which must stay open as long as the source is used.
  static Result<ByteSource> ofFile(int file, uint64_t maxBytes);
  // The bytes must outlive the source.
  static ByteSource over(std::span<const std::byte> bytes);

  uint64_t size() const { return size_; }
  // The open file if the bytes are on disk.
  std::optional<int> file() const { return file_ ? std::optional(*file_) : std::nullopt; }
  // Copies from `offset`; fewer than out.size() bytes only at the end, or if the file shrank meanwhile.
  Result<size_t> readAt(uint64_t offset, std::span<std::byte> out) const;
  // The first bytes, at most `count`.
  Result<std::vector<std::byte>> head(size_t count) const;

 private:
  ByteSource() = default;

  std::shared_ptr<int> file_;  // closed with the last copy
  std::shared_ptr<std::vector<std::byte>> owned_;
  std::span<const std::byte> bytes_;
  uint64_t size_ = 0;
};

// Sequential reading of [begin, end) through one buffer.
class ByteStream {
 public:
  static constexpr size_t kBlock = size_t{1} << 20;

  explicit ByteStream(const ByteSource& source, uint64_t begin = 0, uint64_t end = ~uint64_t{0});

  // The next `count` <= kBlock bytes, valid until the next call; empty at the end (then the rest is shorter).
  std::span<const std::byte> take(size_t count);
  // The next line without its end (LF, CR LF or CR); false at the end. A line longer than kBlock is an error.
  bool line(std::string_view& text);
  bool skip(uint64_t count);

  uint64_t offset() const { return start_ + used_; }  // of the next byte, in the source
  uint64_t remaining() const { return end_ - offset(); }
  uint64_t end() const { return end_; }
  uint64_t lineNumber() const { return lineNumber_; }  // of the last line, from 1
  // Set by a read that failed, or a line too long.
  const std::optional<Error>& error() const { return error_; }

 private:
  bool fill(size_t count);

  const ByteSource& source_;
  std::vector<std::byte> buffer_;
  uint64_t start_ = 0;  // offset of buffer_[0] in the source
  size_t used_ = 0;
  size_t filled_ = 0;
  uint64_t end_ = 0;
  uint64_t lineNumber_ = 0;
  std::optional<Error> error_;
};

}  // namespace wend
