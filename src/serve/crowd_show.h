#pragma once

#include <optional>
#include <string>
#include <vector>

#include <wend/navigator.h>
#include <wend/scenario.h>

#include "serve/crowd_frame.h"

// A crowd to show: a running simulation, or a recording.
namespace wend::serve {

// A person that was clicked on.
struct PersonView {
  uint32_t id = 0;
  Vec3 place;
  double radius = 0;
  double speed = 0;
  double freeSpeed = 0;
  double density = 0;  // persons per m2
  double waited = 0;   // s
  std::string profile;
  std::string goalName;
  std::optional<Vec3> goal;
  std::string doing;                 // one sentence: what it does, and why it stands
  std::vector<Vec3> route;           // from where it is to its goal, as it would be planned now
  std::vector<uint32_t> neighbours;  // slots, the nearest first
};

// A row of the charts.
struct ChartPoint {
  double time = 0;
  uint32_t inside = 0;
  uint64_t left = 0;
  std::vector<uint64_t> crossed;  // per line
};

class CrowdShow {
 public:
  virtual ~CrowdShow() = default;

  virtual double time() const = 0;      // s, of the present frame
  virtual double step() const = 0;      // s from one frame to the next
  virtual double duration() const = 0;  // s; 0: not known
  virtual bool isOver() const = 0;
  // The next frame. Does nothing when it is over.
  virtual Status advance() = 0;
  // Recordings only.
  virtual bool canSeek() const { return false; }
  virtual void seek(double) {}

  // Of the present frame, in ascending order of ids.
  virtual std::span<FramePerson> persons() = 0;
  virtual SlotTable& slots() = 0;
  // What changed its slot or goal since the last call.
  virtual std::vector<SlotTable::Change> takeChanges() = 0;
  virtual uint32_t frame() const = 0;
  virtual ChartPoint chart() const = 0;
  virtual std::vector<std::string> profileNames() const = 0;
  virtual std::vector<std::string> goalNames() const = 0;
  virtual std::vector<std::string> lineNames() const = 0;
  virtual std::optional<PersonView> look(uint32_t slot) = 0;
  // Called when the densities of persons() were measured; a show that keeps them does so here.
  virtual void measured() {}
};

}  // namespace wend::serve
