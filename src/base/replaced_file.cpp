#include "base/replaced_file.h"

#include <climits>
#include <cstdlib>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace wend {

std::string withoutLinks(const std::string& path) {
  if (char* const resolved = ::realpath(path.c_str(), nullptr); resolved != nullptr) {
    std::string target = resolved;
    std::free(resolved);  // NOLINT: realpath() allocates with malloc()
    return target;
  }
  // Nothing is there, or the last link leads to nothing yet.
  constexpr int kMostLinks = 40;
  std::string target = path;
  for (int i = 0; i < kMostLinks; ++i) {
    char next[PATH_MAX];
    const ssize_t length = ::readlink(target.c_str(), next, sizeof next);
    if (length <= 0 || length == static_cast<ssize_t>(sizeof next)) return target;
    const std::string_view named(next, static_cast<size_t>(length));
    const size_t slash = target.rfind('/');
    const bool isRelative = named.front() != '/';
    target = (isRelative && slash != std::string::npos ? target.substr(0, slash + 1) : std::string()).append(named);
  }
  return path;
}

bool takeOver(int descriptor, const struct stat& older) {
  constexpr mode_t kPermissions = 0777;
  struct stat own {};
  if (::fstat(descriptor, &own) != 0) return false;
  // Only root gives files away; a member of the group may give them to the group.
  if (own.st_uid != older.st_uid || own.st_gid != older.st_gid) {
    [[maybe_unused]] const bool isGiven = ::fchown(descriptor, older.st_uid, older.st_gid) == 0 ||
                                          ::fchown(descriptor, static_cast<uid_t>(-1), older.st_gid) == 0;
  }
  return ::fchmod(descriptor, older.st_mode & kPermissions) == 0;
}

}  // namespace wend
