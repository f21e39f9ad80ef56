#include "crowd/record/database.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <sqlite3.h>

namespace wend {
namespace {

// Another program may be reading the file; it is waited for this long.
constexpr int kPatience = 10'000;  // milliseconds

sqlite3_stmt* statement(void* handle) {
  return static_cast<sqlite3_stmt*>(handle);
}

Error errorOf(sqlite3* database, const std::string& path, int code) {
  const int system = database == nullptr ? 0 : sqlite3_system_errno(database);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {ErrorCode::kFileNotWritten, fmt::format("'{}' cannot be written: no space is left; free some", path)};
    case SQLITE_IOERR:
      return {ErrorCode::kFileNotWritten,
              fmt::format("'{}' cannot be read or written: {}", path,
                          system == 0 ? "the disk is full or fails" : std::strerror(system))};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return {ErrorCode::kFileNotWritten,
              fmt::format("'{}' cannot be opened{}; check that the folder exists and may be written to", path,
                          system == 0 ? "" : fmt::format(": {}", std::strerror(system)))};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kFileNotWritten, fmt::format("'{}' is in use by another program", path)};
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return {ErrorCode::kFormat, fmt::format("'{}' is no recording, or damaged: {}", path, sqlite3_errstr(code))};
    case SQLITE_NOMEM:
      return {ErrorCode::kLimit, fmt::format("out of memory while writing '{}'", path)};
    default:
      return {ErrorCode::kFormat,
              fmt::format("'{}': {}", path, database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database))};
  }
}

// Empty, or begins as every SQLite file does.
bool mayReplace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[15] = {};
  file.read(head, sizeof(head));
  return file.gcount() == 0 || std::string_view(head, static_cast<size_t>(file.gcount())) == "SQLite format 3";
}

}  // namespace

struct Database::Impl {
  std::string path;
  sqlite3* handle = nullptr;
  ~Impl() { sqlite3_close_v2(handle); }
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path, Mode mode) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (mode == Mode::kCreate && kind != std::filesystem::file_type::not_found) {
    if (kind != std::filesystem::file_type::regular || !mayReplace(path)) {
      return Error{ErrorCode::kFileNotWritten,
                   fmt::format("'{}' exists and is no recording; choose another name for the output", path)};
    }
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error)
      return Error{ErrorCode::kFileNotWritten, fmt::format("'{}' cannot be replaced: {}", path, error.message())};
    std::filesystem::remove(path + "-journal", error);
  }
  if (mode != Mode::kCreate && kind != std::filesystem::file_type::regular) {
    return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is not there or no file", path)};
  }
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const int flags = mode == Mode::kRead ? SQLITE_OPEN_READONLY
                                        : SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite3_open_v2(path.c_str(), &impl->handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_busy_timeout(impl->handle, kPatience);
    // Reads the head of the file, so that a wrong one is found here.
    code = sqlite3_exec(impl->handle, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
    // A killed run leaves a journal that only a writer may roll back.
    if (mode == Mode::kRead && (code & 0xff) == SQLITE_READONLY) {
      sqlite3_close_v2(impl->handle);
      impl->handle = nullptr;
      code = sqlite3_open_v2(path.c_str(), &impl->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
      if (code == SQLITE_OK) {
        code = sqlite3_exec(impl->handle, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
      }
    }
  }
  if (code != SQLITE_OK) return errorOf(impl->handle, path, code);
  return Database(std::move(impl));
}

Status Database::run(const char* sql) {
  const int code = sqlite3_exec(impl_->handle, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return errorOf(impl_->handle, impl_->path, code);
  return Done{};
}

Result<Statement> Database::prepare(std::string_view sql) {
  Statement result;
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(impl_->handle, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) return errorOf(impl_->handle, impl_->path, code);
  result.handle_ = handle;
  result.path_ = &impl_->path;
  return result;
}

bool Database::has(std::string_view table) {
  Result<Statement> query = prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  if (!query.ok()) return false;
  const Result<bool> found = query->add(table).next();
  return found.ok() && *found;
}

const std::string& Database::path() const {
  return impl_->path;
}

Statement::Statement(Statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), path_(other.path_), bound_(other.bound_) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(path_, other.path_);
  std::swap(bound_, other.bound_);
  return *this;
}

Statement::~Statement() {
  sqlite3_finalize(statement(handle_));
}

Statement& Statement::add(int64_t value) {
  sqlite3_bind_int64(statement(handle_), ++bound_, value);
  return *this;
}

Statement& Statement::add(double value) {
  sqlite3_bind_double(statement(handle_), ++bound_, value);
  return *this;
}

Statement& Statement::add(std::string_view value) {
  sqlite3_bind_text(statement(handle_), ++bound_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::add(std::span<const std::byte> value) {
  sqlite3_bind_blob64(statement(handle_), ++bound_, value.data(), value.size(), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::addNull() {
  sqlite3_bind_null(statement(handle_), ++bound_);
  return *this;
}

void Statement::reset() {
  sqlite3_reset(statement(handle_));
  bound_ = 0;
}

Status Statement::run() {
  const int code = sqlite3_step(statement(handle_));
  Status status = code == SQLITE_DONE || code == SQLITE_ROW
                      ? Status(Done{})
                      : Status(errorOf(sqlite3_db_handle(statement(handle_)), *path_, code));
  reset();
  return status;
}

Result<bool> Statement::next() {
  const int code = sqlite3_step(statement(handle_));
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  Error error = errorOf(sqlite3_db_handle(statement(handle_)), *path_, code);
  reset();
  return error;
}

int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(statement(handle_), column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(statement(handle_), column);
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement(handle_), column));
  return data == nullptr ? std::string()
                         : std::string(data, static_cast<size_t>(sqlite3_column_bytes(statement(handle_), column)));
}

std::span<const std::byte> Statement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement(handle_), column));
  return {data, static_cast<size_t>(sqlite3_column_bytes(statement(handle_), column))};
}

bool Statement::isNull(int column) const {
  return sqlite3_column_type(statement(handle_), column) == SQLITE_NULL;
}

}  // namespace wend
