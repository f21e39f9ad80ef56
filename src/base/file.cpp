#include <cerrno>
#include <cstring>

#include <wend/file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wend {
namespace {

Error fileError(ErrorCode code, const char* what, const std::string& path, int cause) {
  return {code, fmt::format("{} '{}': {}", what, path, std::strerror(cause))};
}

// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace

Result<std::vector<std::byte>> readFile(const std::string& path, size_t maxBytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fileError(ErrorCode::kFileNotFound, "cannot open", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return fileError(ErrorCode::kFileNotFound, "cannot read", path, errno);
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is a folder, not a file", path)};

  std::vector<std::byte> bytes;
  if (info.st_size > 0) bytes.reserve(std::min(static_cast<size_t>(info.st_size), maxBytes) + 1);
  constexpr size_t kBlock = size_t{1} << 20;
  size_t used = 0;
  while (true) {
    bytes.resize(used + kBlock);
    const ssize_t got = ::read(file.get(), bytes.data() + used, kBlock);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fileError(ErrorCode::kFileNotFound, "cannot read", path, errno);
    used += static_cast<size_t>(got);
    if (used > maxBytes) {
      return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the limit of {} bytes", path, maxBytes)};
    }
    if (got == 0) break;
  }
  bytes.resize(used);
  return bytes;
}

Status writeFile(const std::string& path, std::string_view contents) {
  // A device or pipe (/dev/stdout, /dev/full) cannot be replaced by a rename: write to it as it is.
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    return Error{ErrorCode::kFileNotWritten, fmt::format("cannot write '{}': it is a folder; give a file name", path)};
  }
  const bool direct = exists && !S_ISREG(info.st_mode);
  std::string target = path;
  int fd = -1;
  if (direct) {
    fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    target = path + ".XXXXXX";
    fd = ::mkostemp(target.data(), O_CLOEXEC);
  }
  Descriptor file(fd);
  if (fd < 0) return fileError(ErrorCode::kFileNotWritten, "cannot write", path, errno);

  const auto fail = [&](int cause) -> Status {
    if (!direct) ::unlink(target.c_str());
    return fileError(ErrorCode::kFileNotWritten, "cannot write", path, cause);
  };
  while (!contents.empty()) {
    const ssize_t put = ::write(fd, contents.data(), contents.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail(errno);
    contents.remove_prefix(static_cast<size_t>(put));
  }
  if (!direct) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(fd, 0666 & ~mask) != 0 || ::fsync(fd) != 0) return fail(errno);
  }
  if (::close(file.release()) != 0) return fail(errno);
  if (!direct && ::rename(target.c_str(), path.c_str()) != 0) return fail(errno);
  return Done{};
}

}  // namespace wend
