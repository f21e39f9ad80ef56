#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <wend/scenario.h>

#include "crowd/scenario/scenario_world.h"
#include "crowd/simulation/simulation.h"

// A run with everything that a checkpoint can hold: groups, a queue, a waiting place, doors, obstacles that move, lines
// that events wait for, densities. Bytes that are loaded and not refused must run on.
namespace wend::fuzz {

inline constexpr const char* kFullScenario = R"toml(format = 1
environment = "POLYGON ((0 0, 30 0, 30 10, 0 10, 0 0), (12 4, 14 4, 14 6, 12 6, 12 4))"
end_time = 60
end_when = "time"
[profile.walker]
replan = 1
density_weight = 1
[[source]]
id = "in"
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
count = 14
profiles = "walker"
journey = "out"
group_size = [0.5, 0.5]
[[source]]
id = "later"
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
rate = 1
arrivals = "poisson"
profiles = "walker"
journey = "list"
[[stage]]
id = "queue"
kind = "queue"
slots = [[20, 2], [19, 2], [18, 2]]
service = 1
[[stage]]
id = "wait"
kind = "waiting"
slots = [[20, 8], [19, 8]]
duration = 1
[[stage]]
id = "left"
kind = "exit"
area = [[28, 0], [30, 0], [30, 4], [28, 4]]
[[stage]]
id = "right"
kind = "exit"
area = [[28, 6], [30, 6], [30, 10], [28, 10]]
max_flow = 1
[[journey]]
id = "out"
stages = ["queue", "left", "right"]
next = [{ from = "start", to = "queue" }, { from = "queue", to = ["left", "right"], rule = "fastest" }]
[[journey]]
id = "list"
stages = ["wait", "right"]
[[line]]
id = "middle"
from = [15, 0]
to = [15, 10]
[[event]]
time = 2
action = "insert"
target = "box"
area = [[16, 4], [17, 4], [17, 6], [16, 6]]
[[event]]
time = 3
action = "close"
target = "left"
passed = "middle"
persons = 1
)toml";

inline Scenario fullScenario() {
  Result<Scenario> scenario = parseScenario(kFullScenario, "full.toml");
  if (!scenario.ok()) {
    std::fprintf(stderr, "%s\n", scenario.error().message.c_str());
    std::abort();
  }
  return *std::move(scenario);
}

// Changes of a valid state: each is a place and bytes to put there. Data is read as (place, length, bytes)*.
inline std::vector<std::byte> changed(std::vector<std::byte> state, std::span<const uint8_t> data) {
  while (data.size() >= 5 && !state.empty()) {
    uint32_t place = 0;
    std::memcpy(&place, data.data(), 4);
    const size_t length = std::min<size_t>({data[4] % 9U, data.size() - 5, state.size()});
    place %= static_cast<uint32_t>(state.size() - length + 1);
    std::memcpy(state.data() + place, data.data() + 5, length);
    data = data.subspan(5 + length);
  }
  return state;
}

// States of one run at several times. The world is made once, for all runs.
class CheckpointRuns {
 public:
  CheckpointRuns() : scenario_(fullScenario()) {
    context_.threads = 1;
    Result<World> world = loadScenarioWorld(scenario_, context_);
    must(world.ok() ? Status(Done{}) : Status(world.error()));
    world_ = *std::move(world);
    Simulation run(scenario_, settings_, context_);
    must(run.prepare(world_));
    must(run.begin());
    for (const int until : {5, 30, 120, 250}) {
      while (run.state().step < static_cast<uint64_t>(until)) must(run.advance());
      states_.push_back(run.save());
    }
  }

  size_t count() const { return states_.size(); }
  const std::vector<std::byte>& state(size_t i) const { return states_[i]; }

  // What an input of the fuzz target stands for: which state, and its changes. The first eight bytes of a state say of
  // which scenario it is; they stay.
  std::vector<std::byte> stateFor(std::span<const uint8_t> data) const {
    std::vector<std::byte> state = changed(states_[data[0] % states_.size()], data.subspan(1));
    std::memcpy(state.data(), states_[0].data(), 8);
    return state;
  }

  // True if the bytes were taken; some steps have been made from them then.
  bool load(std::span<const std::byte> bytes) const {
    Simulation run(scenario_, settings_, context_);
    must(run.prepare(world_));
    must(run.begin());
    const Status loaded = run.load(bytes);
    if (!loaded.ok()) {
      if (loaded.error().message.empty()) std::abort();
      return false;
    }
    for (int i = 0; i < 12 && !run.isOver(); ++i) {
      if (!run.advance().ok()) break;
    }
    (void)run.save();
    return true;
  }

 private:
  static void must(const Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "%s\n", status.error().message.c_str());
    std::abort();
  }

  Scenario scenario_;
  std::optional<World> world_;
  SimulateSettings settings_;
  Context context_;
  std::vector<std::vector<std::byte>> states_;
};

}  // namespace wend::fuzz
