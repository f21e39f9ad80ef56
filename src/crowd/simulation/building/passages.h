#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "crowd/simulation/building/gates.h"
#include "crowd/simulation/building/lifts.h"

// Ways that lead over gates and by lifts, which the mesh does not know. Persons choose by time: that of walking, slower
// on stairs and in zones, and that of passing or riding, with the waiting for those that head for the same gate or
// lift. Times are given as metres at the free speed of the person, so that they compare with lengths.
namespace wend {

class Passages {
 public:
  Passages(SimulationRun& run, const Gates& gates, const Lifts& lifts) : run_(run), gates_(gates), lifts_(lifts) {}
  // Seconds that a person takes for a route; without it, its length counts. A steady one leaves out what changes
  // during the run.
  using WalkTime = std::function<double(const Person&, const Route&, bool isSteady)>;
  void setWalkTime(WalkTime walkTime) { walkTime_ = std::move(walkTime); }
  bool areThere() const { return gates_.areThere() || lifts_.areThere(); }

  // The shortest way and what to head for first: a lane of a gate, a ride of a lift, or neither. kForever as its
  // length if there is no way.
  struct Way {
    double length = 0;
    uint32_t lane = kNone;
    uint32_t ride = kNone;
  };
  Way find(const Person& person, Vec3 from, Vec3 to);

 private:
  Vec3 entryOf(size_t passage) const;
  Vec3 exitOf(size_t passage) const;
  bool isUsable(size_t passage, const Person& person) const;
  double walk(const Person& person, Vec3 from, Vec3 to, bool isSteady);
  double between(const Person& person, size_t from, size_t to);
  // Seconds from the entry to the exit, for a person that comes to the entry in so many seconds.
  double through(size_t passage, const Person& person, double arrival) const;
  size_t count() const { return gates_.laneCount() + lifts_.rideCount(); }

  SimulationRun& run_;
  const Gates& gates_;
  const Lifts& lifts_;
  WalkTime walkTime_;
  std::vector<double> between_;  // per profile and pair of passages; -1: not known yet
  uint64_t version_ = 0;         // of the world that `between_` holds for
};

}  // namespace wend
