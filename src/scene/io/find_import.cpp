#include "scene/io/find_import.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace wend {
namespace {

constexpr const char* kProgram = "wend-import";

bool isProgram(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<std::string> findImportProgram() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("WEND_IMPORT"); given != nullptr && *given != '\0') {
    if (isProgram(given)) return std::string(given);
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("WEND_IMPORT names '{}', which is not a program; set it to the path of wend-import", given)};
  }
  std::vector<fs::path> folders;
  std::error_code error;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", error); !error) {
    folders.push_back(self.parent_path());
    folders.push_back(self.parent_path() / WEND_LIBEXEC_FROM_BIN);
  }
  folders.emplace_back(WEND_LIBEXEC);
#ifdef WEND_IMPORT_BUILD_FOLDER
  folders.emplace_back(WEND_IMPORT_BUILD_FOLDER);
#endif
  for (const fs::path& folder : folders) {
    if (isProgram(folder / kProgram)) return (folder / kProgram).string();
  }
#ifdef WEND_IMPORT_BUILD_FOLDER
  return Error{ErrorCode::kUnsupported,
               "the program wend-import, which reads FBX, COLLADA and IFC, is not found; set the environment variable "
               "WEND_IMPORT to its path, or convert the file to GLB with another program"};
#else
  return Error{ErrorCode::kUnsupported,
               "this wend was built without wend-import, the program that reads FBX, COLLADA and IFC; install Assimp "
               "(libassimp-dev) and build wend again, or convert the file to GLB with another program"};
#endif
}

}  // namespace wend
