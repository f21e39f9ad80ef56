#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/context.h>
#include <wend/result.h>

// SQLite behind a few calls, so that only one source file includes it. A database is not trusted: it is opened
// with SQLite's defences on, views, triggers and virtual tables are refused, and no query takes longer than the size of
// the file allows.
namespace wend {

class Statement {
 public:
  Statement() = default;
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  // Binds the next parameter, from the first on.
  Statement& add(int64_t value);
  Statement& add(double value);
  Statement& add(std::string_view value);
  Statement& add(std::span<const std::byte> value);
  Statement& addNull();
  // Runs a statement without rows, and makes it ready for the next values.
  Status run();
  // The next row: true if there is one. After the last it is ready for the next values.
  Result<bool> next();

  int64_t whole(int column) const;
  double number(int column) const;
  std::string text(int column) const;
  std::span<const std::byte> bytes(int column) const;  // until the next call
  bool isNull(int column) const;

 private:
  friend class Database;
  void reset();
  void* handle_ = nullptr;
  const std::string* path_ = nullptr;
  int bound_ = 0;
};

class Database {
 public:
  enum class Mode : uint8_t { kCreate, kWrite, kRead };
  // kCreate: there must be no file, or an empty one. Messages name the file as `named`; empty: as `path`.
  static Result<Database> open(const std::string& path, Mode mode, const std::string& named = {});
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Status run(const char* sql);
  Result<Statement> prepare(std::string_view sql);
  // True if there is a table of that name.
  bool has(std::string_view table);
  // The names of all columns of a table.
  Result<std::vector<std::string>> columns(std::string_view table);
  // From here on queries may take as long as they like: the tables are known to be our own.
  void trust();
  // Queries end with kCancelled when the context is cancelled; null: none. The caller keeps it alive.
  void watch(const Context* context);
  // Others may read while this connection writes, if the file system can do it; back to one plain file.
  void shareWithReaders();
  void becomePlain();
  const std::string& path() const;

 private:
  Status checkSchema();
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wend
