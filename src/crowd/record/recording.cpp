#include <algorithm>
#include <charconv>
#include <cmath>

#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/recording.h>

#include <fmt/format.h>

#include "crowd/record/database.h"
#include "crowd/record/frame_limits.h"

namespace wend {
namespace {

constexpr size_t kMaxEnvironmentBytes = size_t{1} << 30;
// Sums and differences of frame numbers fit into all types.
constexpr int64_t kMaxFrame = int64_t{1} << 40;

Error damaged(const std::string& path, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}' is not a recording that wend reads: {}", path, what)};
}

}  // namespace

struct Recording::Impl {
  mutable Database database;
  double framesPerSecond = 10;
  int64_t frames = 0;
  bool own = false;  // has our tables
  bool headings = true;
  std::map<std::string, std::string> notes;
  std::vector<RecordedPerson> persons;
  std::vector<RecordedEvent> events;
  std::vector<RecordedWorld> worlds;

  explicit Impl(Database opened) : database(std::move(opened)) {}

  // Calls `row` for each row of a query.
  template <typename Row>
  Status each(std::string_view sql, const Row& row) const {
    Result<Statement> query = database.prepare(sql);
    if (!query.ok()) return query.error();
    while (true) {
      const Result<bool> more = query->next();
      if (!more.ok()) return more.error();
      if (!*more) return Done{};
      if (!row(*query)) return Done{};
    }
  }

  Status readNotes() {
    Status status = each("SELECT key, value FROM metadata", [&](const Statement& s) {
      notes[s.text(0)] = s.text(1);
      return true;
    });
    if (!status.ok()) return status;
    const std::string& fps = notes["fps"];
    const auto [end, error] = std::from_chars(fps.data(), fps.data() + fps.size(), framesPerSecond);
    if (error != std::errc() || !(framesPerSecond >= 1e-3) || !(framesPerSecond <= 1e4)) {
      return damaged(database.path(), "the frames per second ('fps' in the table metadata) are missing or wrong");
    }
    return Done{};
  }

  Status readFrames() {
    const char* sql = database.has("frame_data") ? "SELECT coalesce(max(frame), -1), count(*) FROM frame_data"
                                                 : "SELECT coalesce(max(frame), -1), count(*) FROM trajectory_data";
    int64_t rows = 0;
    int64_t last = -1;
    Status status = each(sql, [&](const Statement& s) {
      last = s.whole(0);
      frames = std::clamp(last, int64_t{-1}, kMaxFrame) + 1;
      rows = std::clamp(s.whole(1), int64_t{0}, kMaxFrame);
      return true;
    });
    if (!status.ok()) return status;
    if (!isFrameCountOf(frames, rows)) {
      return damaged(database.path(),
                     fmt::format("its last frame is number {}, but it has only {} rows of frames", last, rows));
    }
    return Done{};
  }

  Status readPersons() {
    if (!own) {
      return each("SELECT id, min(frame), max(frame) FROM trajectory_data GROUP BY id ORDER BY id",
                  [&](const Statement& s) {
                    RecordedPerson person;
                    person.id = static_cast<uint32_t>(s.whole(0));
                    person.spawnFrame = std::clamp(s.whole(1), int64_t{0}, kMaxFrame);
                    person.start = static_cast<double>(person.spawnFrame) / framesPerSecond;
                    if (s.whole(2) >= 0 && s.whole(2) < frames - 1) {
                      person.exitFrame = s.whole(2);
                      person.exitTime = static_cast<double>(person.exitFrame) / framesPerSecond;
                    }
                    persons.push_back(person);
                    return true;
                  });
    }
    // Older recordings do not say where a person left.
    const bool placed = database.prepare("SELECT exit_x, exit_y, fed FROM wend_person").ok();
    return each(fmt::format("SELECT id, profile, radius, free_speed, premovement, source, journey, spawn_frame, start, "
                            "shortest, exit_frame, exit, exit_time, {} FROM wend_person ORDER BY id",
                            placed ? "exit_x, exit_y, fed" : "NULL, NULL, 0"),
                [&](const Statement& s) {
                  RecordedPerson p;
                  p.id = static_cast<uint32_t>(s.whole(0));
                  p.profile = s.text(1);
                  p.radius = s.number(2);
                  p.freeSpeed = s.number(3);
                  p.premovement = s.number(4);
                  p.source = s.text(5);
                  p.journey = s.text(6);
                  p.spawnFrame = std::clamp(s.whole(7), int64_t{0}, kMaxFrame);
                  p.start = s.isNull(8) ? -1 : s.number(8);
                  p.shortest = s.isNull(9) ? -1 : s.number(9);
                  p.exitFrame = s.isNull(10) ? -1 : std::clamp(s.whole(10), int64_t{-1}, kMaxFrame);
                  p.exit = s.text(11);
                  p.exitTime = s.isNull(12) ? -1 : s.number(12);
                  p.exitPlaced = !s.isNull(13) && !s.isNull(14);
                  if (p.exitPlaced) p.exitPlace = {s.number(13), s.number(14)};
                  p.fed = s.number(15);
                  persons.push_back(std::move(p));
                  return true;
                });
  }

  Status readWorlds() {
    std::optional<Error> error;
    const auto parse = [&](int64_t frame, const std::string& text) {
      ReadSettings settings;
      settings.maxBytes = kMaxEnvironmentBytes;
      Result<Environment> environment = parseEnvironment(asBytes(text), database.path(), settings);
      if (!environment.ok()) {
        error = environment.error();
        return false;
      }
      worlds.push_back({frame, std::move(environment).value()});
      return true;
    };
    Status status =
        own ? each("SELECT frame, env FROM wend_environment ORDER BY frame",
                   [&](const Statement& s) { return parse(std::clamp(s.whole(0), int64_t{0}, kMaxFrame), s.text(1)); })
            : each("SELECT wkt FROM geometry", [&](const Statement& s) { return parse(0, s.text(0)); });
    if (!status.ok()) return status;
    if (error) return std::move(*error);
    if (worlds.empty()) return damaged(database.path(), "it has no geometry");
    return Done{};
  }
};

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

Result<Recording> Recording::open(const std::string& path, const Context& context) {
  Result<Database> database = Database::open(path, Database::Mode::kRead);
  if (!database.ok()) return database.error();
  for (const char* table : {"trajectory_data", "metadata", "geometry"}) {
    if (!database->has(table)) return damaged(path, fmt::format("there is no table '{}'", table));
  }
  auto impl = std::make_unique<Impl>(std::move(database).value());
  impl->database.watch(&context);
  Result<Recording> recording = read(std::move(impl));
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "stopped"};
  if (recording.ok()) recording->impl_->database.watch(nullptr);
  return recording;
}

Result<Recording> Recording::read(std::unique_ptr<Impl> impl) {
  impl->own =
      impl->database.has("wend_person") && impl->database.has("wend_state") && impl->database.has("wend_environment");
  for (const char* table : {"trajectory_data", "metadata", "geometry", "frame_data", "wend_person", "wend_state",
                            "wend_environment", "wend_event"}) {
    const Result<std::vector<std::string>> columns = impl->database.columns(table);
    if (!columns.ok()) return columns.error();
    if (std::string_view(table) != "trajectory_data") continue;
    impl->headings = std::find(columns->begin(), columns->end(), "ori_x") != columns->end();
  }
  if (Status status = impl->readNotes(); !status.ok()) return status.error();
  if (Status status = impl->readFrames(); !status.ok()) return status.error();
  if (Status status = impl->readPersons(); !status.ok()) return status.error();
  if (Status status = impl->readWorlds(); !status.ok()) return status.error();
  if (impl->own) {
    const Status status =
        impl->each("SELECT frame, action, target FROM wend_event ORDER BY rowid", [&](const Statement& s) {
          impl->events.push_back({std::clamp(s.whole(0), int64_t{0}, kMaxFrame), s.text(1), s.text(2)});
          return true;
        });
    if (!status.ok()) return status.error();
  }
  return Recording(std::move(impl));
}

const std::string& Recording::path() const {
  return impl_->database.path();
}
double Recording::framesPerSecond() const {
  return impl_->framesPerSecond;
}
int64_t Recording::frames() const {
  return impl_->frames;
}
std::string Recording::note(const std::string& key) const {
  const auto found = impl_->notes.find(key);
  return found == impl_->notes.end() ? std::string() : found->second;
}
const std::vector<RecordedPerson>& Recording::persons() const {
  return impl_->persons;
}
const std::vector<RecordedEvent>& Recording::events() const {
  return impl_->events;
}
const std::vector<RecordedWorld>& Recording::worlds() const {
  return impl_->worlds;
}

Status Recording::forEach(
    const std::function<bool(int64_t frame, std::span<const RecordedPosition> persons)>& visit) const {
  std::string sql = impl_->headings ? "SELECT t.frame, t.id, t.pos_x, t.pos_y, t.ori_x, t.ori_y"
                                    : "SELECT t.frame, t.id, t.pos_x, t.pos_y, 0, 0";
  sql += impl_->own ? ", s.layer, s.z, s.vel_x, s.vel_y, s.stage FROM trajectory_data t JOIN wend_state s ON s.frame = "
                      "t.frame AND s.id = t.id ORDER BY t.frame, t.id"
                    : ", 0, 0, 0, 0, -1 FROM trajectory_data t ORDER BY t.frame, t.id";
  std::vector<RecordedPosition> persons;
  int64_t frame = 0;
  bool go = true;
  bool isSound = true;
  const auto flushUpTo = [&](int64_t next) {
    for (; go && frame < next; ++frame) {
      go = visit(frame, persons);
      persons.clear();
    }
    return go;
  };
  Status status = impl_->each(sql, [&](const Statement& s) {
    if (s.whole(0) < frame || s.whole(0) >= impl_->frames) return true;
    if (s.whole(0) > frame && !flushUpTo(s.whole(0))) return false;
    for (const int column : {2, 3, 4, 5, 7, 8, 9}) isSound = isSound && std::abs(s.number(column)) <= kMaxMetres;
    if (!isSound) return false;
    persons.push_back({static_cast<uint32_t>(s.whole(1)),
                       {s.number(2), s.number(3), s.number(7)},
                       {s.number(8), s.number(9)},
                       {s.number(4), s.number(5)},
                       static_cast<int32_t>(s.whole(6)),
                       static_cast<int32_t>(s.whole(10))});
    return true;
  });
  if (!status.ok()) return status;
  if (!isSound) return damaged(path(), fmt::format("a person of frame {} is nowhere on earth", frame));
  flushUpTo(impl_->frames);
  return Done{};
}

Status writeText(const Recording& recording, const std::string& path) {
  std::string text = fmt::format("# framerate: {}\n# id frame x/m y/m z/m\n", recording.framesPerSecond());
  Status status = recording.forEach([&](int64_t frame, std::span<const RecordedPosition> persons) {
    for (const RecordedPosition& p : persons) {
      text += fmt::format("{} {} {:.4f} {:.4f} {:.4f}\n", p.person, frame, p.place.x, p.place.y, p.place.z);
    }
    return true;
  });
  if (!status.ok()) return status;
  return writeFile(path, text);
}

}  // namespace wend
