#pragma once

#include <deque>
#include <limits>
#include <span>
#include <vector>

#include <wend/recording.h>

// The frames around a moment, so that speeds come from displacements over half a second to both sides.
namespace wend {

class FrameWindow {
 public:
  struct Frame {
    int64_t number = 0;
    std::vector<RecordedPosition> persons;  // in the order of ids
    std::vector<double> speeds;             // m/s; NaN for a person seen in one frame only
  };

  explicit FrameWindow(double framesPerSecond);
  // Calls `handle` for each frame in order, as soon as the frames around it are known.
  template <typename Handle>
  void push(int64_t number, std::span<const RecordedPosition> persons, const Handle& handle) {
    frames_.push_back({number, {persons.begin(), persons.end()}, {}});
    if (frames_.size() > ready_ + half_) give(handle);
  }
  template <typename Handle>
  void finish(const Handle& handle) {
    while (ready_ < frames_.size()) give(handle);
  }

 private:
  template <typename Handle>
  void give(const Handle& handle) {
    findSpeeds(ready_);
    handle(frames_[ready_]);
    if (ready_ == half_) {
      frames_.pop_front();
    } else {
      ++ready_;
    }
  }
  void findSpeeds(size_t index);

  double framesPerSecond_;
  size_t half_;       // frames to both sides
  size_t ready_ = 0;  // index of the next frame to give
  std::deque<Frame> frames_;
};

}  // namespace wend
