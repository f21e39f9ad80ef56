#pragma once

#include <string>

#include <wend/result.h>

namespace wend::app {

// A new folder with a name that nobody can guess, which only this user can enter. It goes with this object.
class ScratchFolder {
 public:
  // In `parent`, which must exist, or where the system keeps temporary files if that is empty. The name begins with
  // `prefix`.
  static Result<ScratchFolder> make(const std::string& parent, const std::string& prefix);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::string& path() const { return path_; }
  std::string operator/(const char* name) const { return path_ + "/" + name; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Removes a folder and all that is in it. Without memory, std::filesystem ends the program here; this does not.
void removeTree(const std::string& path) noexcept;

}  // namespace wend::app
