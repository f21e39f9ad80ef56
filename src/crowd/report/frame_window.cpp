#include "crowd/report/frame_window.h"

namespace wend {
namespace {

constexpr double kHalfSecond = 0.5;
// No person has walked across the border of a periodic world.
constexpr double kJump = 5;  // m

const RecordedPosition* find(const std::vector<RecordedPosition>& persons, uint32_t id) {
  const auto found = std::lower_bound(persons.begin(), persons.end(), id,
                                      [](const RecordedPosition& p, uint32_t wanted) { return p.person < wanted; });
  return found == persons.end() || found->person != id ? nullptr : &*found;
}

}  // namespace

FrameWindow::FrameWindow(double framesPerSecond)
    : framesPerSecond_(framesPerSecond),
      half_(static_cast<size_t>(std::max(1.0, std::round(kHalfSecond * framesPerSecond)))) {}

void FrameWindow::findSpeeds(size_t index) {
  Frame& frame = frames_[index];
  frame.speeds.clear();
  for (const RecordedPosition& p : frame.persons) {
    // As far as the person was there.
    const RecordedPosition* before = &p;
    const RecordedPosition* after = &p;
    size_t steps = 0;
    for (size_t n = std::min(half_, index); n > 0; --n) {
      if (const RecordedPosition* at = find(frames_[index - n].persons, p.person)) {
        before = at;
        steps += n;
        break;
      }
    }
    for (size_t n = std::min(half_, frames_.size() - 1 - index); n > 0; --n) {
      if (const RecordedPosition* at = find(frames_[index + n].persons, p.person)) {
        after = at;
        steps += n;
        break;
      }
    }
    const double way = std::hypot(after->place.x - before->place.x, after->place.y - before->place.y);
    if (steps == 0) {
      frame.speeds.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (way > kJump) {
      frame.speeds.push_back(std::hypot(p.velocity.x, p.velocity.y));
    } else {
      frame.speeds.push_back(way * framesPerSecond_ / static_cast<double>(steps));
    }
  }
}

}  // namespace wend
