#pragma once

#include <string>

#include <wend/result.h>

// The file of a recording while it is written: a temporary file beside the target, which takes its name when it is
// complete. It is locked, so that no second run writes it.
namespace wend {

class RecordFile {
 public:
  // A new file in the folder of `path`. What `path` names stays as it is until publish(); links are followed.
  static Result<RecordFile> create(const std::string& path);
  // A file that is there and goes on.
  static Result<RecordFile> reopen(const std::string& path);
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) noexcept;
  // Removes a file that was not published.
  ~RecordFile();

  // To be opened and written.
  const std::string& path() const { return working_; }
  bool isPublished() const { return working_ == target_; }
  // Puts the file in the place of its target, with the mode of an older file there. No database may have it open.
  Status publish();

 private:
  RecordFile() = default;
  void forgetWorking() const;

  std::string named_;    // by the caller
  std::string target_;   // without links
  std::string working_;  // the target once it is published
  bool replaces_ = false;
  // SQLite's own locks go when any descriptor of the file is closed: these stay open until the database is closed.
  int lock_ = -1;     // of the working file
  int oldLock_ = -1;  // of the file that is replaced
};

}  // namespace wend
