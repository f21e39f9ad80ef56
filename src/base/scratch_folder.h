#pragma once

#include <string>

#include <wend/result.h>

namespace wend {

// A new folder with an unpredictable name, which only this user can enter. It is removed with this object, or by
// removeScratchFolders().
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

// Removes a folder and all that is in it, or a file. Needs no memory and may be called in a signal handler.
void removeTree(const char* path) noexcept;

// A file or folder that must not outlive the process, however that ends: removeScratchFolders() removes it, unless
// forgetScratch() came before. At most 16 are known at a time; further ones are removed by their destructors only.
void rememberScratch(const std::string& path) noexcept;
void forgetScratch(const std::string& path) noexcept;

// For an end of the process without destructors: in a signal handler, or where an exception cannot be thrown.
void removeScratchFolders() noexcept;

}  // namespace wend
