#include "crowd/report/line_watch.h"

#include <cmath>

namespace wend {
namespace {

constexpr double kOnLine = 1e-5;  // m; PedPy's tolerance, a tenth of the unit of positions

}  // namespace

bool LineWatch::crosses(const MeasuringLine& line, Vec2 a, Vec2 b, bool isLast) {
  if (isCrossed_) return false;
  const Vec2 along{line.to.x - line.from.x, line.to.y - line.from.y};
  const double length = std::hypot(along.x, along.y);
  // Metres to the left.
  const auto aside = [&](Vec2 q) { return (along.x * (q.y - line.from.y) - along.y * (q.x - line.from.x)) / length; };
  const auto sideOf = [](double metres) {
    if (std::abs(metres) < kOnLine) return 0;
    return metres < 0 ? -1 : 1;
  };
  const double da = aside(a);
  const double db = aside(b);
  const int before = sideOf(da) != 0 ? sideOf(da) : from_;
  int after = sideOf(db);
  if (after == 0) {
    from_ = static_cast<int8_t>(before);
    if (!isLast || before == 0) return false;
    after = -before;
  }
  if (before == after) return false;
  // The point of the move on the line: a itself if the person stood there.
  const double t = sideOf(da) == 0 ? 0 : da / (da - db);
  const Vec2 at{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  const double place = ((at.x - line.from.x) * along.x + (at.y - line.from.y) * along.y) / length;
  if (place < 0 || place > length) return false;
  isCrossed_ = true;
  isForward_ = after > 0;
  return true;
}

}  // namespace wend
