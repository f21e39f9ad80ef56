#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <wend/file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replaced_file.h"
#include "base/scratch_folder.h"

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

namespace {

std::string folderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

bool putAll(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t put = ::write(fd, contents.data(), contents.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    contents.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

// A new file in the folder of its target. Where the system can do it, it has no name while it is written: whatever
// ends the program then, nothing is left behind.
class NewFile {
 public:
  explicit NewFile(const std::string& target) : target_(target), name_(target + ".XXXXXX") {
    descriptor_ = ::open(folderOf(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    self_ = fmt::format("/proc/self/fd/{}", descriptor_);
    if (descriptor_ >= 0 && ::access(self_.c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) ::close(descriptor_);  // nothing can give it a name
    descriptor_ = ::mkostemp(name_.data(), O_CLOEXEC);
    isNamed_ = descriptor_ >= 0;
    if (!isNamed_) return;
    rememberScratch(name_);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor_, 0666 & ~mask);
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!isNamed_) return;
    ::unlink(name_.c_str());
    forgetScratch(name_);
  }

  int descriptor() const { return descriptor_; }
  // Puts it in the place of the target.
  bool publish() {
    if (!isNamed_ && !giveName()) return false;
    if (::close(std::exchange(descriptor_, -1)) != 0) return false;
    if (::rename(name_.c_str(), target_.c_str()) != 0) return false;
    forgetScratch(name_);
    isNamed_ = false;
    return true;
  }

 private:
  bool giveName() {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries && !isNamed_; ++i) {
      // An unpredictable name: one of a file that is made and removed.
      std::fill(name_.end() - 6, name_.end(), 'X');
      const int placeholder = ::mkostemp(name_.data(), O_CLOEXEC);
      if (placeholder < 0) return false;
      ::close(placeholder);
      ::unlink(name_.c_str());
      isNamed_ = ::linkat(AT_FDCWD, self_.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
      if (!isNamed_ && errno != EEXIST) return false;
    }
    if (isNamed_) rememberScratch(name_);
    return isNamed_;
  }

  std::string target_;
  std::string name_;
  std::string self_;
  int descriptor_ = -1;
  bool isNamed_ = false;
};

}  // namespace

Status writeFile(const std::string& path, std::string_view contents) {
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    return Error{ErrorCode::kFileNotWritten, fmt::format("cannot write '{}': it is a folder; give a file name", path)};
  }
  const auto fail = [&]() -> Status { return fileError(ErrorCode::kFileNotWritten, "cannot write", path, errno); };
  // A device or pipe (/dev/stdout, /dev/full) cannot be replaced by a rename: write to it as it is.
  if (exists && !S_ISREG(info.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !putAll(file.get(), contents) || ::close(file.release()) != 0) return fail();
    return Done{};
  }
  // A file that may not be written is not replaced either.
  if (exists && ::access(path.c_str(), W_OK) != 0) return fail();
  NewFile file(withoutLinks(path));
  if (file.descriptor() < 0) return fail();
  if (exists && !takeOver(file.descriptor(), info)) return fail();
  if (!putAll(file.descriptor(), contents) || ::fsync(file.descriptor()) != 0 || !file.publish()) return fail();
  return Done{};
}

}  // namespace wend
