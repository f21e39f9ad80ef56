#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "crowd/simulation/simulation_run.h"
#include "crowd/simulation/stage_state.h"

// The choice of the stage that a person goes to next, by the rules of its journey.
namespace wend {

class NextStage {
 public:
  NextStage(SimulationRun& run, const StageStates& stages) : run_(run), stages_(stages) {}
  void prepare();

  // The stage after the present one, or -1 at the end of the journey.
  int32_t after(Person& person);
  // The choice that led to the present stage, made again. The person must have made one.
  uint32_t again(Person& person);
  // The nearest stage of that choice, whatever its rule.
  uint32_t nearest(Person& person);
  // A person changes its exit only for one that is clearly faster, so that it does not change it again soon.
  bool isClearlyFaster(const Person& person, Vec3 from, uint32_t stage, uint32_t than);

  // Seconds that a person takes for a route, where stairs and zones change speeds; without it, its length counts.
  void setWalkTime(std::function<double(const Person&, const Route&)> walkTime) { walkTime_ = std::move(walkTime); }
  // The length of the best way where there are gates or lifts: by time, as metres at free speed (Passages).
  using OverPassages = std::function<double(const Person&, Vec3 from, Vec3 to)>;
  void setOverPassages(OverPassages overPassages) { overPassages_ = std::move(overPassages); }
  // Metres without gates and lifts; kForever if there is no path.
  double directLength(const Person& person, Vec3 from, Vec3 to);
  // Metres for the person; kForever if there is no path.
  double pathLength(const Person& person, Vec3 from, uint32_t stage);
  // The place of the stage that a person heads for.
  Vec3 placeOf(const Person& person, Vec3 from, uint32_t stage);

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  // The state of one `next` of a journey.
  struct TransitionState {
    std::vector<double> served;  // by round robin, per stage
  };
  // A person on its way, as another person that makes a choice sees it.
  struct SeenPerson {
    Vec3 at;
    LayerId layer = 0;
    uint32_t stage = 0;
  };
  uint32_t choose(Person& person, const Transition& transition, TransitionState& state);
  double estimate(const Person& person, Vec3 from, uint32_t stage);
  void countQueues();
  void lookAround();
  double othersTo(uint32_t stage, const AgentState& agent);

  SimulationRun& run_;
  const StageStates& stages_;
  std::function<double(const Person&, const Route&)> walkTime_;
  OverPassages overPassages_;
  std::vector<std::vector<TransitionState>> transitions_;                  // per journey
  std::vector<std::vector<uint32_t>> queueAhead_;                          // per stage: persons by distance
  uint64_t queuesCounted_ = ~uint64_t{0};                                  // in this step
  std::map<std::pair<int64_t, int64_t>, std::vector<SeenPerson>> others_;  // by square
  uint64_t othersSeen_ = ~uint64_t{0};                                     // in this step
};

}  // namespace wend
