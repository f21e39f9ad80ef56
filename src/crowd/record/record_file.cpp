#include "crowd/record/record_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replaced_file.h"
#include "base/scratch_folder.h"

namespace wend {
namespace {

Error cannotWrite(const std::string& path, int cause) {
  return {ErrorCode::kFileNotWritten,
          fmt::format("'{}' cannot be written: {}; check that the folder exists and may be written to", path,
                      std::strerror(cause))};
}

Error inUse(const std::string& path) {
  return {ErrorCode::kFileNotWritten,
          fmt::format("'{}' is being written by another run; wait for it, or choose another "
                      "name for the output",
                      path)};
}

void closeIfOpen(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Opens and locks a file. An Error if another run has it, or if it was replaced meanwhile.
Result<int> locked(const std::string& path, const std::string& named) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannotWrite(named, errno);
  struct stat opened {};
  struct stat present {};
  const bool isFree = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  const bool isSame = ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &present) == 0 &&
                      opened.st_dev == present.st_dev && opened.st_ino == present.st_ino;
  if (isFree && isSame) return descriptor;
  closeIfOpen(descriptor);
  return inUse(named);
}

}  // namespace

Result<RecordFile> RecordFile::create(const std::string& path) {
  RecordFile file;
  file.named_ = path;
  std::error_code error;
  file.target_ = std::filesystem::weakly_canonical(withoutLinks(path), error).string();
  if (error) return cannotWrite(path, error.value());
  struct stat old {};
  file.replaces_ = ::stat(file.target_.c_str(), &old) == 0;
  if (file.replaces_ && !S_ISREG(old.st_mode)) {
    return Error{ErrorCode::kFileNotWritten,
                 fmt::format("'{}' exists and is not a file; choose another name for the output", path)};
  }
  if (file.replaces_) {
    if (::access(file.target_.c_str(), W_OK) != 0) return cannotWrite(path, errno);
    Result<int> lock = locked(file.target_, path);
    if (!lock.ok()) return lock.error();
    file.oldLock_ = *lock;
  }
  std::string name = file.target_ + ".XXXXXX";
  file.lock_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file.lock_ < 0) return cannotWrite(path, errno);
  file.working_ = std::move(name);
  rememberScratch(file.working_);
  rememberScratch(file.working_ + "-journal");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool isReady = file.replaces_ ? takeOver(file.lock_, old) : ::fchmod(file.lock_, 0666 & ~mask) == 0;
  if (!isReady) return cannotWrite(path, errno);
  ::flock(file.lock_, LOCK_EX | LOCK_NB);
  return file;
}

Result<RecordFile> RecordFile::reopen(const std::string& path) {
  RecordFile file;
  file.named_ = path;
  file.target_ = path;
  file.working_ = path;
  Result<int> lock = locked(path, path);
  if (!lock.ok()) return lock.error();
  file.lock_ = *lock;
  return file;
}

RecordFile::RecordFile(RecordFile&& other) noexcept {
  *this = std::move(other);
}

RecordFile& RecordFile::operator=(RecordFile&& other) noexcept {
  std::swap(named_, other.named_);
  std::swap(target_, other.target_);
  std::swap(working_, other.working_);
  std::swap(replaces_, other.replaces_);
  std::swap(lock_, other.lock_);
  std::swap(oldLock_, other.oldLock_);
  return *this;
}

RecordFile::~RecordFile() {
  if (!working_.empty() && !isPublished()) {
    ::unlink(working_.c_str());
    ::unlink((working_ + "-journal").c_str());
    forgetWorking();
  }
  closeIfOpen(lock_);
  closeIfOpen(oldLock_);
}

void RecordFile::forgetWorking() const {
  forgetScratch(working_);
  forgetScratch(working_ + "-journal");
}

Status RecordFile::publish() {
  if (isPublished()) return Done{};
  // Journals of the older file do not belong to the new one.
  if (replaces_) {
    for (const char* end : {"-journal", "-wal", "-shm"}) ::unlink((target_ + end).c_str());
    if (::rename(working_.c_str(), target_.c_str()) != 0) return cannotWrite(named_, errno);
  } else {
    // Another run may have begun at the same moment: a link never replaces.
    if (::link(working_.c_str(), target_.c_str()) == 0) {
      ::unlink(working_.c_str());
    } else if (errno == EEXIST) {
      return inUse(named_);
    } else if (::rename(working_.c_str(), target_.c_str()) != 0) {  // a file system without links
      return cannotWrite(named_, errno);
    }
  }
  forgetWorking();
  working_ = target_;
  closeIfOpen(oldLock_);
  return Done{};
}

}  // namespace wend
