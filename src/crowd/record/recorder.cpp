#include "crowd/record/recorder.h"

#include <wend/environment_file.h>

#include <fmt/format.h>

#include "base/wall_clock.h"
#include "crowd/record/database.h"
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
  Database database;
  Statement position, state, frame, person, event, note, geometry, environment;
  bool headings = true;
  bool inTransaction = false;
  int64_t geometryHash = 0;
  double lastCommit = wallSeconds();
  double lastSimulated = 0;
  double committed = 0;
  double seconds = 0;

  explicit Impl(Database opened) : database(std::move(opened)) {}

  Status begin() {
    if (inTransaction) return Done{};
    Status status = database.run("BEGIN IMMEDIATE");
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
      Result<Statement> prepared = database.prepare(sql);
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
  Result<Database> database = Database::open(path, Database::Mode::kCreate);
  if (!database.ok()) return database.error();
  Recorder recorder(std::make_unique<Impl>(std::move(database).value()));
  Impl& impl = *recorder.impl_;
  impl.headings = header.version < 3;
  for (const char* sql :
       {"PRAGMA synchronous = NORMAL", "BEGIN IMMEDIATE", kTables, kTrajectory[impl.headings ? 0 : 1]}) {
    if (Status status = impl.database.run(sql); !status.ok()) return status.error();
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
  Result<Database> database = Database::open(path, Database::Mode::kWrite);
  if (!database.ok()) return database.error();
  if (!database->has("wend_checkpoint")) {
    return Error{ErrorCode::kFormat, fmt::format("'{}' is no recording of wend; it cannot be continued", path)};
  }
  Recorder recorder(std::make_unique<Impl>(std::move(database).value()));
  Impl& impl = *recorder.impl_;
  int64_t at = -1;
  std::vector<std::byte> state;
  {
    Result<Statement> query = impl.database.prepare("SELECT frame, state FROM wend_checkpoint");
    if (!query.ok()) return query.error();
    const Result<bool> found = query->next();
    if (!found.ok()) return found.error();
    if (!*found) return std::optional<Resumed>();
    at = query->whole(0);
    const std::span<const std::byte> bytes = query->bytes(1);
    state.assign(bytes.begin(), bytes.end());
  }
  {
    Result<Statement> query = impl.database.prepare("SELECT value FROM metadata WHERE key = 'version'");
    if (!query.ok()) return query.error();
    const Result<bool> found = query->next();
    impl.headings = !found.ok() || !*found || query->text(0) != "3";
  }
  if (Status status = impl.database.run("PRAGMA synchronous = NORMAL"); !status.ok()) return status.error();
  if (Status status = impl.begin(); !status.ok()) return status.error();
  for (const char* table : {"trajectory_data", "wend_state", "frame_data", "wend_event", "wend_environment"}) {
    const std::string sql = fmt::format("DELETE FROM {} WHERE frame > {}", table, at);
    if (Status status = impl.database.run(sql.c_str()); !status.ok()) return status.error();
  }
  // Persons that left after the checkpoint are inside again; persons that came after it come anew.
  const std::string persons = fmt::format(
      "UPDATE wend_person SET exit_frame = NULL, exit = NULL, exit_time = NULL, exit_x = NULL, "
      "exit_y = NULL WHERE exit_frame > {0};"
      "DELETE FROM wend_person WHERE spawn_frame > {0}",
      at);
  if (Status status = impl.database.run(persons.c_str()); !status.ok()) return status.error();
  if (Status status = impl.prepare(); !status.ok()) return status.error();
  Result<Statement> last = impl.database.prepare("SELECT geometry_hash FROM frame_data ORDER BY frame DESC LIMIT 1");
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
  Status status = impl_->database.run("COMMIT");
  if (!status.ok()) return status;
  impl_->inTransaction = false;
  impl_->lastCommit = wallSeconds();
  impl_->lastSimulated = impl_->seconds;
  impl_->committed = impl_->seconds;
  return Done{};
}

Status Recorder::checkpoint(int64_t frame, std::span<const std::byte> state) {
  if (Status status = impl_->begin(); !status.ok()) return status;
  if (Status status = impl_->database.run("DELETE FROM wend_checkpoint"); !status.ok()) return status;
  Result<Statement> insert = impl_->database.prepare("INSERT INTO wend_checkpoint VALUES(?, ?)");
  if (!insert.ok()) return insert.error();
  return insert->add(frame).add(state).run();
}

Status Recorder::finish() {
  if (Status status = impl_->begin(); !status.ok()) return status;
  if (Status status = impl_->database.run("DELETE FROM wend_checkpoint"); !status.ok()) return status;
  return commit();
}

double Recorder::committedSeconds() const {
  return impl_->committed;
}

}  // namespace wend
