#pragma once

#include <memory>
#include <optional>

#include <wend/recording.h>

// Writes a recording while a simulation runs.
//
// The file takes its name with the first commit; until then an older file of that name is untouched. If the program is
// killed, only the data since the last commit is lost: SQLite's journal brings the file back to its last commit when it
// is next opened. Commits come at least once per second of wall time. Others may read the file meanwhile, and no second
// Recorder can have it.
namespace wend {

struct RecordHeader {
  int version = 2;  // of the tables: 2, or 3 without headings
  double framesPerSecond = 10;
  std::vector<std::pair<std::string, std::string>> notes;  // further rows of metadata
  bool force = false;  // replace whatever file has the name; else only a recording of the same scenario
};

class Recorder {
 public:
  static Result<Recorder> create(const std::string& path, const RecordHeader& header);
  // Continues at the last checkpoint of a recording and drops the rows after it. Nothing if there is no checkpoint. An
  // Error if the tables are not as create() makes them.
  struct Resumed;
  static Result<std::optional<Resumed>> resume(const std::string& path);
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;
  ~Recorder();

  // From the next frame on.
  Status world(int64_t frame, const Environment& environment);
  Status frame(int64_t frame, std::span<const RecordedPosition> persons);
  // Adds a person, or replaces the values of a known one.
  Status person(const RecordedPerson& person);
  Status event(const RecordedEvent& event);
  Status note(const std::string& key, const std::string& value);
  // Commits if enough simulated or wall time has passed since the last commit; `seconds` is the simulated time.
  Status pulse(double seconds);
  Status commit();
  // The state from which resume() continues; it replaces the one before.
  Status checkpoint(int64_t frame, std::span<const std::byte> state);
  // Drops the checkpoint and commits; the last call.
  Status finish();
  // Commits what can be continued later, and leaves one plain file; the last call.
  Status close();

  double committedSeconds() const;

 private:
  struct Impl;
  explicit Recorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct Recorder::Resumed {
  Recorder recorder;
  int64_t frame = 0;
  std::vector<std::byte> state;
};

// The free space of all layers seen from above, as one WKT.
Result<std::string> projectedWkt(const Environment& environment);

}  // namespace wend
