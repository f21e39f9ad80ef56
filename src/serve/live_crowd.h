#pragma once

#include <memory>

#include <wend/world.h>

#include "crowd/simulation/simulation.h"
#include "serve/crowd_show.h"
#include "serve/line_counter.h"

// A scenario that runs while it is shown.
namespace wend::serve {

class LiveCrowd : public CrowdShow {
 public:
  // Runs on the world given, whatever the scenario names. With `output` it is recorded there.
  static Result<std::unique_ptr<LiveCrowd>> make(Scenario scenario, World world, std::string output,
                                                 const Context& context);

  double time() const override { return simulation_->state().time(); }
  double step() const override { return simulation_->state().scenario.step; }
  double duration() const override { return 0; }
  bool isOver() const override { return over_; }
  Status advance() override;
  std::span<FramePerson> persons() override { return persons_; }
  SlotTable& slots() override { return slots_; }
  std::vector<SlotTable::Change> takeChanges() override { return std::exchange(changes_, {}); }
  uint32_t frame() const override { return static_cast<uint32_t>(simulation_->state().step); }
  ChartPoint chart() const override;
  std::vector<std::string> profileNames() const override;
  std::vector<std::string> goalNames() const override;
  std::vector<std::string> lineNames() const override;
  std::optional<PersonView> look(uint32_t slot) override;
  void measured() override;

  // The persons stay where they can.
  Status changeWorld(const World& world) { return simulation_->changeWorld(world); }
  const World& world() const { return simulation_->state().world->world; }
  // Completes the recording.
  Status finish();
  const std::string& output() const { return settings_.output; }
  const SimulationSummary& summary() const { return simulation_->state().summary; }
  // Of everything that decides the future.
  uint64_t hash() const { return simulation_->state().crowd->hash(); }

 private:
  LiveCrowd() = default;
  void readPersons();
  std::string whatItDoes(const Person& person, const FramePerson& shown) const;

  SimulateSettings settings_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<FramePerson> persons_;
  std::vector<float> densities_;  // by slot: measured less often than persons are read
  std::vector<float> waited_;     // s by slot
  SlotTable slots_;
  std::vector<SlotTable::Change> changes_;
  LineCounter lines_;
  bool over_ = false;
  bool finished_ = false;
};

}  // namespace wend::serve
