#include "crowd/record/recorder.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include <wend/environment_file.h>

#include <fmt/format.h>

#include "base/wall_clock.h"
#include "crowd/record/database.h"
#include "crowd/record/record_file.h"
#include "geometry/overlay.h"

namespace wend {
namespace {

constexpr double kWallSeconds = 1.0;       // between commits at most
constexpr double kLeastWallSeconds = 0.1;  // between commits at least: each one waits for the disk
constexpr double kSimulatedSeconds = 1.0;

// "trajectory_data" to "frame_data" are JuPedSim's, byte for byte as its readers ask for them.
constexpr const char* kTables = R"sql(
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE wend_person(id INTEGER PRIMARY KEY, profile TEXT NOT NULL, radius REAL NOT NULL, free_speed REAL NOT NULL,
  premovement REAL NOT NULL, source TEXT NOT NULL, journey TEXT NOT NULL, spawn_frame INTEGER NOT NULL, start REAL,
  shortest REAL, exit_frame INTEGER, exit TEXT, exit_time REAL, exit_x REAL, exit_y REAL,
  fed REAL);
CREATE TABLE wend_state(frame INTEGER NOT NULL, id INTEGER NOT NULL, layer INTEGER NOT NULL, z REAL NOT NULL,
  vel_x REAL NOT NULL, vel_y REAL NOT NULL, stage INTEGER NOT NULL, PRIMARY KEY(frame, id)) WITHOUT ROWID;
CREATE TABLE wend_event(frame INTEGER NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL);
CREATE TABLE wend_environment(frame INTEGER NOT NULL, env TEXT NOT NULL);
CREATE TABLE wend_checkpoint(frame INTEGER NOT NULL, state BLOB NOT NULL);
)sql";
constexpr const char* kTrajectory[2] = {
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT "
    "NULL, "
    "ori_x REAL NOT NULL, ori_y REAL NOT NULL);CREATE INDEX frame_id_idx ON trajectory_data(frame, id);",
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT "
    "NULL);CREATE INDEX frame_id_idx ON trajectory_data(frame, id);"};

// Fowler, Noll, Vo: stable on every machine, and known to other tools.
uint64_t fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::string ringText(const Ring& ring, const Lattice& lattice) {
  std::string text = "(";
  for (size_t i = 0; i <= ring.size(); ++i) {
    const Vec2 p = lattice.toMetres(ring[i % ring.size()]);
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", p.x, p.y);
  }
  return text + ")";
}

std::string valueOf(const std::vector<std::pair<std::string, std::string>>& notes, const char* key) {
  for (const auto& [name, value] : notes) {
    if (name == key) return value;
  }
  return {};
}

std::string noteOf(Database& database, const char* key) {
  Result<Statement> query = database.prepare("SELECT value FROM metadata WHERE key = ?");
  if (!query.ok()) return {};
  const Result<bool> found = query->add(std::string_view(key)).next();
  return found.ok() && *found ? query->text(0) : std::string();
}

// Whether a new recording may take the place of what has its name: nothing, an empty file, or a recording of the same
// scenario, that is one of the same text or from a file of the same name.
Status mayReplace(const std::string& path, const RecordHeader& header) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return Done{};
  const auto refused = [&](const std::string& what) {
    return Error{
        ErrorCode::kFileNotWritten,
        fmt::format("'{}' exists and {}; choose another name for the output, or replace it with --force", path, what)};
  };
  Result<Database> old = Database::open(path, Database::Mode::kRead);
  if (!old.ok()) return refused("is not a recording");
  if (!old->has("metadata") || !old->has("wend_person")) return refused("is not a recording of wend");
  const std::string text = noteOf(*old, "wend_scenario_hash");
  const std::string file = std::filesystem::path(noteOf(*old, "wend_scenario_file")).filename().string();
  const bool sameText = text == valueOf(header.notes, "wend_scenario_hash");
  const bool sameFile = file == std::filesystem::path(valueOf(header.notes, "wend_scenario_file")).filename().string();
  if (!sameText && !sameFile) return refused(fmt::format("is a recording of another scenario, '{}'", file));
  return Done{};
}

// Type, name and text of what a schema has on tables of a recording.
using Schema = std::set<std::tuple<std::string, std::string, std::string>>;
Result<Schema> schemaOf(Database& database, const std::set<std::string>& tables) {
  Schema schema;
  Result<Statement> query =
      database.prepare("SELECT type, name, sql, tbl_name FROM sqlite_master WHERE sql IS NOT NULL");
  if (!query.ok()) return query.error();
  while (true) {
    const Result<bool> more = query->next();
    if (!more.ok()) return more.error();
    if (!*more) return schema;
    if (tables.empty() || tables.contains(query->text(3))) {
      schema.insert({query->text(0), query->text(1), query->text(2)});
    }
  }
}

// Text of a table can hold expressions that run when rows are written: it must be the text that create() wrote.
Status checkTables(Database& database, bool headings) {
  Result<Database> model = Database::open(":memory:", Database::Mode::kCreate);
  if (!model.ok()) return model.error();
  for (const char* sql : {kTables, kTrajectory[headings ? 0 : 1]}) {
    if (Status status = model->run(sql); !status.ok()) return status;
  }
  const Result<Schema> wanted = schemaOf(*model, {});
  if (!wanted.ok()) return wanted.error();
  std::set<std::string> tables;
  for (const auto& [type, name, sql] : *wanted) {
    if (type == "table") tables.insert(name);
  }
  const Result<Schema> found = schemaOf(database, tables);
  if (!found.ok()) return found.error();
  if (*found == *wanted) return Done{};
  return Error{ErrorCode::kFormat, fmt::format("the tables of '{}' are not those of this version of wend; it cannot be "
                                               "continued (run it without --resume)",
                                               database.path())};
}

}  // namespace

Result<std::string> projectedWkt(const Environment& environment) {
  std::vector<Polygon> all;
  for (const Layer& layer : environment.layers) {
    Result<std::vector<Polygon>> united = unite(all, layer.free);
    if (!united.ok()) return united.error();
    all = std::move(united).value();
  }
  std::string text = all.size() == 1 ? "POLYGON " : "MULTIPOLYGON (";
  for (size_t i = 0; i < all.size(); ++i) {
    text += i == 0 ? "(" : ", (";
    text += ringText(all[i].outer, environment.lattice);
    for (const Ring& hole : all[i].holes) text += ", " + ringText(hole, environment.lattice);
    text += ")";
  }
  if (all.size() != 1) text += ")";
  return all.empty() ? std::string("POLYGON EMPTY") : text;
}

struct Recorder::Impl {
  RecordFile file;  // outlives the database, whose locks end with any descriptor of its file
  std::optional<Database> database;
  Statement position, state, frame, person, event, note, geometry, environment;
  bool headings = true;
  bool inTransaction = false;
  int64_t geometryHash = 0;
  double lastCommit = wallSeconds();
  double lastSimulated = 0;
  double committed = 0;
  double seconds = 0;

  Impl(RecordFile made, Database opened) : file(std::move(made)), database(std::move(opened)) {}

  // The first commit: the file takes its name, and may be read from then on.
  Status publish() {
    const std::string named = database->path();
    const std::initializer_list<Statement*> statements = {&position, &state, &frame,    &person,
                                                          &event,    &note,  &geometry, &environment};
    for (Statement* statement : statements) *statement = {};
    database.reset();
    if (Status status = file.publish(); !status.ok()) return status;
    Result<Database> opened = Database::open(file.path(), Database::Mode::kWrite, named);
    if (!opened.ok()) return opened.error();
    database.emplace(*std::move(opened));
    return go();
  }

  // The tables are known to be ours.
  Status go() {
    database->trust();
    database->shareWithReaders();
    // Each commit waits for the disk.
    if (Status status = database->run("PRAGMA synchronous = FULL"); !status.ok()) return status;
    return prepare();
  }

  Status begin() {
    if (inTransaction) return Done{};
    Status status = database->run("BEGIN IMMEDIATE");
    inTransaction = status.ok();
    return status;
  }

  Status prepare() {
    const std::pair<Statement*, const char*> all[] = {
        {&position, headings ? "INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)"
                             : "INSERT INTO trajectory_data VALUES(?, ?, ?, ?)"},
        {&state, "INSERT INTO wend_state VALUES(?, ?, ?, ?, ?, ?, ?)"},
        {&frame, "INSERT INTO frame_data VALUES(?, ?)"},
        {&person, "INSERT OR REPLACE INTO wend_person VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&event, "INSERT INTO wend_event VALUES(?, ?, ?)"},
        {&note, "INSERT OR REPLACE INTO metadata VALUES(?, ?)"},
        {&geometry, "INSERT OR IGNORE INTO geometry VALUES(?, ?)"},
        {&environment, "INSERT INTO wend_environment VALUES(?, ?)"}};
    for (const auto& [statement, sql] : all) {
      Result<Statement> prepared = database->prepare(sql);
      if (!prepared.ok()) return prepared.error();
      *statement = std::move(prepared).value();
    }
    return Done{};
  }
};

Recorder::Recorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;
Recorder::~Recorder() = default;

Result<Recorder> Recorder::create(const std::string& path, const RecordHeader& header) {
  Result<RecordFile> file = RecordFile::create(path);
  if (!file.ok()) return file.error();
  if (!header.force) {
    if (Status status = mayReplace(path, header); !status.ok()) return status.error();
  }
  Result<Database> database = Database::open(file->path(), Database::Mode::kCreate, path);
  if (!database.ok()) return database.error();
  Recorder recorder(std::make_unique<Impl>(*std::move(file), *std::move(database)));
  Impl& impl = *recorder.impl_;
  impl.database->trust();
  impl.headings = header.version < 3;
  // Until it has its name the file is thrown away if anything fails.
  for (const char* sql :
       {"PRAGMA journal_mode = MEMORY", "BEGIN IMMEDIATE", kTables, kTrajectory[impl.headings ? 0 : 1]}) {
    if (Status status = impl.database->run(sql); !status.ok()) return status.error();
  }
  impl.inTransaction = true;
  if (Status status = impl.prepare(); !status.ok()) return status.error();
  if (Status status = recorder.note("version", fmt::format("{}", header.version)); !status.ok()) return status.error();
  if (Status status = recorder.note("fps", fmt::format("{}", header.framesPerSecond)); !status.ok()) {
    return status.error();
  }
  for (const auto& [key, value] : header.notes) {
    if (Status status = recorder.note(key, value); !status.ok()) return status.error();
  }
  return recorder;
}

Result<std::optional<Recorder::Resumed>> Recorder::resume(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return Error{ErrorCode::kFileNotFound, fmt::format("'{}' is not there or no file", path)};
  }
  Result<RecordFile> file = RecordFile::reopen(path);
  if (!file.ok()) return file.error();
  Result<Database> database = Database::open(path, Database::Mode::kWrite);
  if (!database.ok()) return database.error();
  if (!database->has("wend_checkpoint") || !database->has("metadata")) {
    return Error{ErrorCode::kFormat, fmt::format("'{}' is not a recording of wend; it cannot be continued", path)};
  }
  Recorder recorder(std::make_unique<Impl>(*std::move(file), *std::move(database)));
  Impl& impl = *recorder.impl_;
  impl.headings = noteOf(*impl.database, "version") != "3";
  if (Status status = checkTables(*impl.database, impl.headings); !status.ok()) return status.error();
  int64_t at = -1;
  std::vector<std::byte> state;
  {
    Result<Statement> query = impl.database->prepare("SELECT frame, state FROM wend_checkpoint");
    if (!query.ok()) return query.error();
    const Result<bool> found = query->next();
    if (!found.ok()) return found.error();
    if (!*found) return std::optional<Resumed>();
    at = query->whole(0);
    const std::span<const std::byte> bytes = query->bytes(1);
    state.assign(bytes.begin(), bytes.end());
  }
  if (Status status = impl.go(); !status.ok()) return status.error();
  if (Status status = impl.begin(); !status.ok()) return status.error();
  for (const char* table : {"trajectory_data", "wend_state", "frame_data", "wend_event", "wend_environment"}) {
    const std::string sql = fmt::format("DELETE FROM {} WHERE frame > {}", table, at);
    if (Status status = impl.database->run(sql.c_str()); !status.ok()) return status.error();
  }
  // Persons that left after the checkpoint are inside again; persons that came after it come anew.
  const std::string persons = fmt::format(
      "UPDATE wend_person SET exit_frame = NULL, exit = NULL, exit_time = NULL, exit_x = NULL, "
      "exit_y = NULL WHERE exit_frame > {0};"
      "DELETE FROM wend_person WHERE spawn_frame > {0}",
      at);
  if (Status status = impl.database->run(persons.c_str()); !status.ok()) return status.error();
  Result<Statement> last = impl.database->prepare("SELECT geometry_hash FROM frame_data ORDER BY frame DESC LIMIT 1");
  if (!last.ok()) return last.error();
  if (const Result<bool> found = last->next(); found.ok() && *found) impl.geometryHash = last->whole(0);
  return std::optional<Resumed>(Resumed{std::move(recorder), at, std::move(state)});
}

Status Recorder::world(int64_t frame, const Environment& environment) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  const Result<std::string> wkt = projectedWkt(environment);
  if (!wkt.ok()) return wkt.error();
  const Result<std::string> env = formatEnvironment(environment, EnvironmentFormat::kEnv);
  if (!env.ok()) return env.error();
  impl_->geometryHash = static_cast<int64_t>(fnv1a(*wkt));
  if (Status status = impl_->geometry.add(impl_->geometryHash).add(*wkt).run(); !status.ok()) return status;
  if (frame == 0) {
    const Box box = boundingBox(environment);
    const Vec2 min = environment.lattice.toMetres(box.min);
    const Vec2 max = environment.lattice.toMetres(box.max);
    for (const auto& [key, value] : {std::pair("xmin", min.x), {"xmax", max.x}, {"ymin", min.y}, {"ymax", max.y}}) {
      if (Status status = note(key, fmt::format("{}", value)); !status.ok()) return status;
    }
  }
  return impl_->environment.add(frame).add(*env).run();
}

Status Recorder::frame(int64_t frame, std::span<const RecordedPosition> persons) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  if (Status status = impl_->frame.add(frame).add(impl_->geometryHash).run(); !status.ok()) return status;
  for (const RecordedPosition& p : persons) {
    const auto id = static_cast<int64_t>(p.person);
    impl_->position.add(frame).add(id).add(p.place.x).add(p.place.y);
    if (impl_->headings) impl_->position.add(p.heading.x).add(p.heading.y);
    if (Status status = impl_->position.run(); !status.ok()) return status;
    impl_->state.add(frame).add(id).add(static_cast<int64_t>(p.layer)).add(p.place.z);
    impl_->state.add(p.velocity.x).add(p.velocity.y).add(static_cast<int64_t>(p.stage));
    if (Status status = impl_->state.run(); !status.ok()) return status;
  }
  return Done{};
}

Status Recorder::person(const RecordedPerson& p) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  Statement& s = impl_->person;
  s.add(static_cast<int64_t>(p.id)).add(p.profile).add(p.radius).add(p.freeSpeed).add(p.premovement);
  s.add(p.source).add(p.journey).add(p.spawnFrame);
  p.start < 0 ? s.addNull() : s.add(p.start);
  p.shortest < 0 ? s.addNull() : s.add(p.shortest);
  p.exitFrame < 0 ? s.addNull() : s.add(p.exitFrame);
  p.exit.empty() ? s.addNull() : s.add(p.exit);
  p.exitTime < 0 ? s.addNull() : s.add(p.exitTime);
  for (const double at : {p.exitPlace.x, p.exitPlace.y}) p.exitPlaced ? s.add(at) : s.addNull();
  s.add(p.fed);
  return s.run();
}

Status Recorder::event(const RecordedEvent& e) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  return impl_->event.add(e.frame).add(e.action).add(e.target).run();
}

Status Recorder::note(const std::string& key, const std::string& value) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  return impl_->note.add(key).add(value).run();
}

Status Recorder::pulse(double seconds) {
  impl_->seconds = seconds;
  const double wall = wallSeconds() - impl_->lastCommit;
  const bool due = seconds - impl_->lastSimulated >= kSimulatedSeconds && wall >= kLeastWallSeconds;
  return due || wall >= kWallSeconds ? commit() : Status(Done{});
}

Status Recorder::commit() {
  if (!impl_->inTransaction) return Done{};
  Status status = impl_->database->run("COMMIT");
  if (!status.ok()) return status;
  impl_->inTransaction = false;
  if (!impl_->file.isPublished()) {
    if (status = impl_->publish(); !status.ok()) return status;
  }
  impl_->lastCommit = wallSeconds();
  impl_->lastSimulated = impl_->seconds;
  impl_->committed = impl_->seconds;
  return Done{};
}

Status Recorder::checkpoint(int64_t frame, std::span<const std::byte> state) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  if (Status status = impl_->database->run("DELETE FROM wend_checkpoint"); !status.ok()) return status;
  Result<Statement> insert = impl_->database->prepare("INSERT INTO wend_checkpoint VALUES(?, ?)");
  if (!insert.ok()) return insert.error();
  return insert->add(frame).add(state).run();
}

Status Recorder::finish() {
  if (Status status = impl_->begin(); !status.ok()) return status;
  if (Status status = impl_->database->run("DELETE FROM wend_checkpoint"); !status.ok()) return status;
  return close();
}

Status Recorder::close() {
  if (Status status = commit(); !status.ok()) return status;
  impl_->database->becomePlain();
  return Done{};
}

double Recorder::committedSeconds() const {
  return impl_->committed;
}

}  // namespace wend
