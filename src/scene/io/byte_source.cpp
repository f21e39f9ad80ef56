#include "scene/io/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <wend/file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wend {

Result<ByteSource> ByteSource::open(const std::string& path, uint64_t maxBytes) {
  const auto fail = [&](const char* what) {
    return Error{ErrorCode::kFileNotFound, fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail("open");
  ByteSource source;
  source.file_ = std::shared_ptr<int>(new int(fd), [](int* file) {
    ::close(*file);
    delete file;
  });
  struct stat info {};
  if (::fstat(fd, &info) != 0) return fail("read");
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is a folder, not a file", path)};
  if (!S_ISREG(info.st_mode)) {
    source.file_.reset();
    Result<std::vector<std::byte>> bytes = readFile(path, maxBytes);
    if (!bytes.ok()) return bytes.error();
    source.owned_ = std::make_shared<std::vector<std::byte>>(std::move(bytes).value());
    source.bytes_ = *source.owned_;
    source.size_ = source.bytes_.size();
    return source;
  }
  source.size_ = static_cast<uint64_t>(info.st_size);
  if (source.size_ > maxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the limit of {} bytes", path, maxBytes)};
  }
  return source;
}

Result<ByteSource> ByteSource::ofFile(int file, uint64_t maxBytes) {
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kFileNotFound, "the input is not a regular file"};
  }
  ByteSource source;
  source.file_ = std::make_shared<int>(file);
  source.size_ = static_cast<uint64_t>(info.st_size);
  if (source.size_ > maxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("it is larger than the limit of {} bytes", maxBytes)};
  }
  return source;
}

ByteSource ByteSource::over(std::span<const std::byte> bytes) {
  ByteSource source;
  source.bytes_ = bytes;
  source.size_ = bytes.size();
  return source;
}

Result<size_t> ByteSource::readAt(uint64_t offset, std::span<std::byte> out) const {
  if (offset >= size_) return size_t{0};
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(out.size(), size_ - offset));
  if (!file_) {
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), wanted, out.begin());
    return wanted;
  }
  size_t got = 0;
  while (got < wanted) {
    const ssize_t n = ::pread(*file_, out.data() + got, wanted - got, static_cast<off_t>(offset + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{ErrorCode::kFileNotFound, fmt::format("cannot read: {}", std::strerror(errno))};
    if (n == 0) break;
    got += static_cast<size_t>(n);
  }
  return got;
}

Result<std::vector<std::byte>> ByteSource::head(size_t count) const {
  std::vector<std::byte> bytes(static_cast<size_t>(std::min<uint64_t>(count, size_)));
  const Result<size_t> got = readAt(0, bytes);
  if (!got.ok()) return got.error();
  bytes.resize(*got);
  return bytes;
}

ByteStream::ByteStream(const ByteSource& source, uint64_t begin, uint64_t end)
    : source_(source), start_(std::min(begin, source.size())), end_(std::min(end, source.size())) {
  end_ = std::max(end_, start_);
}

// Makes at least `count` bytes available from used_, or as many as there are; false if fewer.
bool ByteStream::fill(size_t count) {
  if (filled_ - used_ >= count) return true;
  if (error_) return false;
  std::copy(buffer_.begin() + static_cast<ptrdiff_t>(used_), buffer_.begin() + static_cast<ptrdiff_t>(filled_),
            buffer_.begin());
  start_ += used_;
  filled_ -= used_;
  used_ = 0;
  const size_t room = static_cast<size_t>(std::min<uint64_t>(std::max(kBlock, count), end_ - start_));
  if (buffer_.size() < room) buffer_.resize(room);
  if (room > filled_) {
    const Result<size_t> got = source_.readAt(start_ + filled_, std::span(buffer_).subspan(filled_, room - filled_));
    if (!got.ok()) {
      error_ = got.error();
      return false;
    }
    // A file that shrank ends here.
    if (*got < room - filled_) end_ = start_ + filled_ + *got;
    filled_ += *got;
  }
  return filled_ - used_ >= count;
}

std::span<const std::byte> ByteStream::take(size_t count) {
  if (!fill(count)) return {};
  const std::span<const std::byte> bytes = std::span(buffer_).subspan(used_, count);
  used_ += count;
  return bytes;
}

bool ByteStream::skip(uint64_t count) {
  while (count > 0) {
    const size_t piece = static_cast<size_t>(std::min<uint64_t>(count, kBlock));
    if (take(piece).size() != piece) return false;
    count -= piece;
  }
  return true;
}

bool ByteStream::line(std::string_view& text) {
  size_t searched = 0;
  while (true) {
    const char* begin = reinterpret_cast<const char*>(buffer_.data()) + used_;
    const char* end = begin + (filled_ - used_);
    const char* stop = std::find_if(begin + searched, end, [](char c) { return c == '\n' || c == '\r'; });
    // A carriage return at the end of the buffer may have its line feed in the next block.
    const bool whole = stop != end && (*stop == '\n' || stop + 1 != end);
    if (whole || offset() + static_cast<uint64_t>(end - begin) >= end_) {
      if (begin == end) return false;
      text = {begin, stop};
      used_ += text.size();
      if (stop != end) used_ += stop[0] == '\r' && stop + 1 != end && stop[1] == '\n' ? 2 : 1;
      ++lineNumber_;
      return true;
    }
    searched = static_cast<size_t>(stop - begin);
    const size_t have = filled_ - used_;
    if (have >= kBlock) {
      error_ = Error{ErrorCode::kLimit, fmt::format("line {} is longer than {} bytes", lineNumber_ + 1, kBlock)};
      return false;
    }
    fill(have + 1);
    if (error_) return false;
  }
}

}  // namespace wend
