#include "process/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

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

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace wend::app
