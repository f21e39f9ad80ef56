#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/result.h>

// Persons over time, in an SQLite file: the tables that JuPedSim 1.2 writes and PedPy reads, and our own beside them
// (docs/recording.md). Lengths in metres, times in seconds.
namespace wend {

struct RecordedPosition {
  uint32_t person = 0;
  Vec3 place;
  Vec2 velocity;
  Vec2 heading;
  int32_t layer = 0;   // the id that the environment gives it
  int32_t stage = -1;  // of the scenario, that the person heads for or waits at; -1: not yet under way, or arrived
};

struct RecordedPerson {
  uint32_t id = 0;
  std::string profile;
  double radius = 0.24;
  double freeSpeed = 0;
  double premovement = 0;
  std::string source;
  std::string journey;
  int64_t spawnFrame = 0;
  double start = -1;       // seconds, when it was free to walk; -1: not yet
  double shortest = -1;    // metres to the first goal, and so on for further ones as they were chosen; -1: unknown
  int64_t exitFrame = -1;  // -1: still inside when the recording ended
  std::string exit;        // stage
  double exitTime = -1;    // seconds; -1: still inside
  Vec2 exitPlace;          // where it left; valid with exitPlaced
  bool exitPlaced = false;
  double fed = 0;  // fractional effective dose of smoke
};

struct RecordedEvent {
  int64_t frame = 0;
  std::string action;
  std::string target;
};

struct RecordedWorld {
  int64_t frame = 0;  // the first that it holds for
  Environment environment;
};

// A finished or unfinished recording, by wend or by another program in the same tables.
class Recording {
 public:
  // The file is not trusted. An Error if tables are views, if nearly all frames are missing, or if a number is not
  // finite; found before the frames are read.
  static Result<Recording> open(const std::string& path, const Context& context = {});
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  const std::string& path() const;
  double framesPerSecond() const;
  int64_t frames() const;  // frame_data's rows; frames are numbered from 0
  // Values of the table metadata; empty for what is not there.
  std::string note(const std::string& key) const;
  const std::vector<RecordedPerson>& persons() const;  // in the order of ids
  const std::vector<RecordedEvent>& events() const;
  const std::vector<RecordedWorld>& worlds() const;  // at least one

  // Calls `visit` for every frame in order, with its persons in the order of ids, until it returns false.
  Status forEach(const std::function<bool(int64_t frame, std::span<const RecordedPosition> persons)>& visit) const;

 private:
  struct Impl;
  explicit Recording(std::unique_ptr<Impl> impl);
  static Result<Recording> read(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The text form of the Jülich archive: "id frame x y z" per line.
Status writeText(const Recording& recording, const std::string& path);

// A recording per layer: run.sqlite becomes run.layer0.sqlite and so on, by the ids of the layers. Each visit of a
// person to a layer has an id of its own, so that its frames have no gaps. Layers without a visit are left out.
Status writeLayers(const Recording& recording, const std::string& path);

}  // namespace wend
