#pragma once

#include <string>

#include <wend/result.h>

namespace wend::app {

// Only one run works in a folder. The lock ends with the process, however that ends.
class FolderLock {
 public:
  // An Error if another run has it. A file system without locks has none to refuse.
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace wend::app
