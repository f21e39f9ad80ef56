#include "crowd/record/database.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace wend {
namespace {

// Another program may be reading the file; it is waited for this long.
constexpr int kPatience = 10'000;  // milliseconds

// A query of a recording looks at each byte of the file a few times. The handler is called once per kOperations of
// SQLite's virtual machine.
constexpr int kOperations = 20'000;
constexpr uint64_t kOperationsAtLeast = 50'000'000;
constexpr uint64_t kOperationsPerByte = 100;

// What SQLite accepts in the text of a schema and in a value.
constexpr std::pair<int, int> kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 1 << 30},     {SQLITE_LIMIT_SQL_LENGTH, 100'000}, {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 20},      {SQLITE_LIMIT_COMPOUND_SELECT, 4},  {SQLITE_LIMIT_VDBE_OP, 25'000},
    {SQLITE_LIMIT_FUNCTION_ARG, 8},     {SQLITE_LIMIT_ATTACHED, 0},         {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 32}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},    {SQLITE_LIMIT_WORKER_THREADS, 0}};

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
      return {ErrorCode::kFormat, fmt::format("'{}' is not a recording, or damaged: {}", path, sqlite3_errstr(code))};
    case SQLITE_INTERRUPT:
      return {ErrorCode::kLimit, fmt::format("'{}' takes longer to read than a recording of its size", path)};
    case SQLITE_NOMEM:
      return {ErrorCode::kLimit, fmt::format("out of memory while reading or writing '{}'", path)};
    default:
      return {ErrorCode::kFormat,
              fmt::format("'{}': {}", path, database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database))};
  }
}

}  // namespace

struct Database::Impl {
  std::string path;
  sqlite3* handle = nullptr;
  uint64_t calls = 0;  // of the progress handler, since the last query began
  uint64_t mostCalls = UINT64_MAX;
  const Context* context = nullptr;
  ~Impl() { sqlite3_close_v2(handle); }

  static int onProgress(void* self) {
    auto& impl = *static_cast<Impl*>(self);
    const bool cancelled = impl.context != nullptr && impl.context->cancelled();
    return ++impl.calls > impl.mostCalls || cancelled ? 1 : 0;
  }

  void defend() {
    for (const auto& [limit, value] : kLimits) sqlite3_limit(handle, limit, value);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_progress_handler(handle, kOperations, onProgress, this);
    std::error_code ignored;
    const auto size = static_cast<uint64_t>(std::filesystem::file_size(path, ignored));
    mostCalls = (kOperationsAtLeast + (ignored ? 0 : size) * kOperationsPerByte) / kOperations;
  }

  int first(const char* sql) const { return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr); }
};

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path, Mode mode, const std::string& named) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (mode != Mode::kCreate && kind != std::filesystem::file_type::regular) {
    return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is not there or no file", path)};
  }
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const int flags = mode == Mode::kRead ? SQLITE_OPEN_READONLY
                                        : SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  const auto attempt = [&](int wanted) {
    const int code = sqlite3_open_v2(path.c_str(), &impl->handle, wanted | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) return code;
    sqlite3_busy_timeout(impl->handle, kPatience);
    impl->defend();
    impl->first("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    // Reads the head of the file, so that a wrong one is found here.
    return impl->first("SELECT count(*) FROM sqlite_master");
  };
  int code = attempt(flags);
  // A killed run leaves a journal that only a writer may roll back.
  if (mode == Mode::kRead && (code & 0xff) == SQLITE_READONLY) {
    sqlite3_close_v2(impl->handle);
    impl->handle = nullptr;
    code = attempt(SQLITE_OPEN_READWRITE);
  }
  if (!named.empty()) impl->path = named;
  if (code != SQLITE_OK) return errorOf(impl->handle, impl->path, code);
  Database database(std::move(impl));
  if (Status status = database.checkSchema(); !status.ok()) return status.error();
  return database;
}

// Whatever runs code of the file when a table is read or written is refused.
Status Database::checkSchema() {
  Result<Statement> query = prepare(
      "SELECT name, type, CASE WHEN type = 'table' AND rootpage = 0 THEN 1 ELSE 0 END FROM sqlite_master "
      "WHERE type IN ('view', 'trigger') OR (type = 'table' AND rootpage = 0)");
  if (!query.ok()) return query.error();
  const Result<bool> found = query->next();
  if (!found.ok()) return found.error();
  if (!*found) return Done{};
  return Error{
      ErrorCode::kFormat,
      fmt::format("'{}' is not a recording that wend reads: '{}' is a {}, and recordings have plain tables only",
                  impl_->path, query->text(0), query->whole(2) != 0 ? std::string("virtual table") : query->text(1))};
}

Status Database::run(const char* sql) {
  impl_->calls = 0;
  const int code = sqlite3_exec(impl_->handle, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return errorOf(impl_->handle, impl_->path, code);
  return Done{};
}

Result<Statement> Database::prepare(std::string_view sql) {
  impl_->calls = 0;
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

Result<std::vector<std::string>> Database::columns(std::string_view table) {
  std::vector<std::string> names;
  Result<Statement> query = prepare("SELECT name, hidden FROM pragma_table_xinfo(?)");
  if (!query.ok()) return query.error();
  query->add(table);
  while (true) {
    const Result<bool> more = query->next();
    if (!more.ok()) return more.error();
    if (!*more) return names;
    if (query->whole(1) != 0) {
      return Error{ErrorCode::kFormat,
                   fmt::format("'{}' is not a recording that wend reads: column '{}' of '{}' is computed", impl_->path,
                               query->text(0), table)};
    }
    names.push_back(query->text(0));
  }
}

void Database::trust() {
  impl_->mostCalls = UINT64_MAX;
  sqlite3_progress_handler(impl_->handle, 0, nullptr, nullptr);
}

void Database::watch(const Context* context) {
  impl_->context = context;
}

void Database::shareWithReaders() {
  impl_->first("PRAGMA journal_mode = WAL");
}

// Without waiting: where others read, the journal stays beside the file until the last of them is gone.
void Database::becomePlain() {
  sqlite3_busy_timeout(impl_->handle, 0);
  impl_->first("PRAGMA journal_mode = DELETE");
  sqlite3_busy_timeout(impl_->handle, kPatience);
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
