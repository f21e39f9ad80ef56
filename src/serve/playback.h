#pragma once

#include <memory>
#include <vector>

#include <wend/recording.h>
#include <wend/world.h>

#include "serve/crowd_show.h"
#include "serve/line_counter.h"

// A recording that plays: forwards, and from any time. All frames are kept in memory, 16 bytes per person and frame; of
// a recording that is too long for that, every second, fourth, ... frame.
namespace wend::serve {

class Playback : public CrowdShow {
 public:
  static constexpr size_t kMaxPositions = 60'000'000;  // about 1 GB

  static Result<std::unique_ptr<Playback>> open(const std::string& path, const Context& context);

  double time() const override { return static_cast<double>(at_) * step(); }
  double step() const override { return static_cast<double>(stride_) / framesPerSecond_; }
  double duration() const override { return frames_.empty() ? 0 : static_cast<double>(frames_.size() - 1) * step(); }
  bool isOver() const override { return at_ + 1 >= frames_.size(); }
  Status advance() override;
  bool canSeek() const override { return true; }
  void seek(double time) override;
  std::span<FramePerson> persons() override { return persons_; }
  SlotTable& slots() override { return slots_; }
  std::vector<SlotTable::Change> takeChanges() override { return std::exchange(changes_, {}); }
  uint32_t frame() const override { return static_cast<uint32_t>(at_); }
  ChartPoint chart() const override { return charts_.empty() ? ChartPoint{} : charts_[at_]; }
  std::vector<std::string> profileNames() const override { return profiles_; }
  std::vector<std::string> goalNames() const override { return goals_; }
  std::vector<std::string> lineNames() const override;
  std::optional<PersonView> look(uint32_t slot) override;

  // The environment that it was recorded in, as it was at the beginning.
  const Environment& environment() const { return environment_; }
  const std::vector<ChartPoint>& charts() const { return charts_; }
  uint64_t stride() const { return stride_; }
  const std::string& title() const { return title_; }

 private:
  struct Position {
    uint32_t person = 0;  // index
    float x = 0;
    float y = 0;
    uint16_t z = 0;  // cm above the lowest
    uint8_t heading = 0;
    uint8_t layer = 0;
  };
  Playback() = default;
  Status readFrames(const Recording& recording, const Context& context);
  void thin();
  void show(size_t frame);

  Environment environment_;
  std::string title_;
  double framesPerSecond_ = 1;
  uint64_t stride_ = 1;  // recorded frames per frame kept
  double lowest_ = 0;
  std::vector<RecordedPerson> recorded_;
  std::vector<std::vector<Position>> frames_;
  std::vector<std::vector<uint8_t>> stages_;  // per frame and position: goal
  std::vector<ChartPoint> charts_;
  std::vector<std::string> profiles_;
  std::vector<std::string> goals_;
  std::vector<MeasuringLine> lines_;
  size_t at_ = 0;
  std::vector<FramePerson> persons_;
  SlotTable slots_;
  std::vector<SlotTable::Change> changes_;
};

}  // namespace wend::serve
