#include "process/folder_lock.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace wend::app {

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FolderLock lock(descriptor);
  if (descriptor < 0) {
    return Error{ErrorCode::kFileNotWritten,
                 fmt::format("cannot open the folder '{}': {}", folder, std::strerror(errno))};
  }
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{ErrorCode::kFileNotWritten,
                 fmt::format("another wend compare works in '{}'; wait for it, or choose another folder", folder)};
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace wend::app
