#include "process/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <ftw.h>
#include <unistd.h>

namespace wend::app {

Result<ScratchFolder> ScratchFolder::make(const std::string& parent, const std::string& prefix) {
  std::error_code error;
  const std::filesystem::path folder =
      parent.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(parent);
  std::string path = (folder / (prefix + "XXXXXX")).string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Error{ErrorCode::kFileNotWritten, fmt::format("cannot make a temporary folder in '{}': {}", folder.string(),
                                                         error ? error.message() : std::strerror(errno))};
  }
  return ScratchFolder(std::move(path));
}

void removeTree(const std::string& path) noexcept {
  constexpr int kFolders = 8;  // that may be open at a time
  constexpr int kTries = 3;    // memory may be there the next time
  const auto removeOne = [](const char* name, const struct stat*, int, FTW*) { return ::remove(name); };
  for (int i = 0; i < kTries && ::access(path.c_str(), F_OK) == 0; ++i) {
    ::nftw(path.c_str(), removeOne, kFolders, FTW_DEPTH | FTW_PHYS);
  }
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) removeTree(path_);
}

}  // namespace wend::app
