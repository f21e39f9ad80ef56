#include "base/scratch_folder.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace wend {
namespace {

// What the kernel says of a name in a folder. readdir() allocates, which a signal handler may not do.
struct Entry {
  uint64_t inode;
  int64_t next;
  uint16_t length;  // bytes, to the next entry
  uint8_t type;
  char name[1];
};

void emptyFolder(int folder, int depth) noexcept {
  alignas(Entry) char buffer[2048];
  for (bool removed = true; removed;) {
    removed = false;
    ::lseek(folder, 0, SEEK_SET);
    for (long bytes = 0; (bytes = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;) {
      for (long at = 0; at < bytes;) {
        const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
        at += entry->length;
        const std::string_view name(entry->name);
        if (name == "." || name == "..") continue;
        if (::unlinkat(folder, entry->name, 0) == 0) {
          removed = true;
          continue;
        }
        const int inner =
            depth == 0 ? -1 : ::openat(folder, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0) continue;
        emptyFolder(inner, depth - 1);
        ::close(inner);
        removed |= ::unlinkat(folder, entry->name, AT_REMOVEDIR) == 0;
      }
    }
  }
}

// Paths that removeScratchFolders() removes. Fixed, so that a signal handler can read it at any time.
struct Remembered {
  enum State : int { kFree, kReady };
  std::atomic<int> state{kFree};
  pid_t owner = 0;  // a child that is forked knows the path too, and must leave it to its parent
  char path[PATH_MAX] = {};
};
std::array<Remembered, 16> remembered;
std::mutex changes;  // of what is remembered; the removal of all does not wait

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const std::string& parent, const std::string& prefix) {
  std::error_code error;
  const std::filesystem::path folder =
      parent.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(parent);
  std::string path = (folder / (prefix + "XXXXXX")).string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Error{ErrorCode::kFileNotWritten, fmt::format("cannot make a temporary folder in '{}': {}", folder.string(),
                                                         error ? error.message() : std::strerror(errno))};
  }
  rememberScratch(path);
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  removeTree(path_.c_str());
  forgetScratch(path_);
}

void removeTree(const char* path) noexcept {
  constexpr int kDepth = 16;  // of folders in folders
  constexpr int kTries = 3;   // another process may still write into it
  for (int i = 0; i < kTries && ::unlink(path) != 0 && errno != ENOENT; ++i) {
    // An empty one needs no descriptor, of which there may be none left.
    if (::rmdir(path) == 0) return;
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) continue;
    emptyFolder(folder, kDepth);
    ::close(folder);
    if (::rmdir(path) == 0) return;
  }
}

void rememberScratch(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return;
  const std::lock_guard lock(changes);
  for (Remembered& one : remembered) {
    if (one.state != Remembered::kFree) continue;
    std::memcpy(one.path, path.c_str(), path.size() + 1);
    one.owner = ::getpid();
    one.state = Remembered::kReady;
    return;
  }
}

void forgetScratch(const std::string& path) noexcept {
  const std::lock_guard lock(changes);
  for (Remembered& one : remembered) {
    if (one.state == Remembered::kReady && path == one.path) one.state = Remembered::kFree;
  }
}

void removeScratchFolders() noexcept {
  for (Remembered& one : remembered) {
    if (one.state == Remembered::kReady && one.owner == ::getpid()) removeTree(one.path);
  }
}

}  // namespace wend
