#include "crowd/local/headway.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/always_inline.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/vision.h"

namespace wend {
namespace {

// Of the two radii: an agent that is not farther aside is in the way at any speed. Persons that creep stand staggered,
// with their shoulders in the gap between two others. The body length does not count here: neighbours side by side at a
// door that is wide enough for both would wait for each other.
constexpr float kStagger = 0.67F;
// s; the lane is wider on either side by what one walks in this time (0.16 m at 1.3 m/s): persons that walk sway and
// swing their arms. It makes crowds as slow as Weidmann's; in lanes of one width a staggered crowd of 1 person per m2
// walks at the free speed.
constexpr float kSway = 0.12F;
constexpr float kSameEnd = 0.5F;   // cosine of 60 degrees between the directions to the ends of two routes
constexpr float kAlong = 0.7F;     // cosine of 45 degrees: a smaller angle to the heading counts as the same way
constexpr float kStanding = 0.1F;  // m/s; a slower agent has no direction
constexpr float kMixed = 10;       // one agent among so many with another direction ends the headway
constexpr float kWallsMatter = 1;  // metres; farther from walls the width is not measured

// Metres from the agent to the first wall in a direction (unit); infinite without one.
float wallIn(const LocalView& view, Vec2f way) {
  float least = HUGE_VALF;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const WallView& wall = view.walls[i];
    const float a = cross(way, wall.a);
    const float b = cross(way, wall.b);
    if ((a > 0) == (b > 0)) continue;
    const float distance = dot(wall.a + (wall.b - wall.a) * (a / (a - b)), way);
    if (distance > 0 && distance < least) least = distance;
  }
  return least;
}

// Metres between the walls to the left and to the right of the agent.
float widthAcross(const LocalView& view, Vec2f heading) {
  if (view.free > kWallsMatter) return HUGE_VALF;
  const Vec2f left = leftOf(heading);
  return wallIn(view, left) + wallIn(view, -left);
}

// One lane per neighbour, without branches. The least of some numbers is the same in any order.
WEND_INLINE float headwaySpeedInLanes(const LocalView& view, Vec2f heading, float width) {
  if (!(view.timeGap > 0)) return view.maxSpeed;
  const uint32_t count = avoidedCount(view);
  const float perSpeed = view.timeGap / kSway;
  alignas(64) std::array<float, kMaxNeighbours> gaps;
  alignas(64) std::array<int32_t, kMaxNeighbours> ahead;
  alignas(64) std::array<int32_t, kMaxNeighbours> elsewhere;  // ahead, and bound for another end
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const float vx = view.vx[j];
    const float vy = view.vy[j];
    const float bx = view.bx[j];
    const float by = view.by[j];
    const float sum = view.radius + view.r[j];
    const float square = wx * wx + wy * wy;
    // Members of one group keep no distance unless they are about to touch; as avoids() has it.
    const float near = sum + 0.1F;
    const int32_t isAvoided = static_cast<int32_t>(view.group == ~0U) |
                              static_cast<int32_t>(view.groups[j] != view.group) |
                              static_cast<int32_t>(square < near * near);
    const int32_t isAhead = isAvoided & static_cast<int32_t>(wx * heading.x + wy * heading.y > 0);
    const auto sameEnd = static_cast<int32_t>(bx * view.bound.x + by * view.bound.y > kSameEnd);
    const int32_t isBound = static_cast<int32_t>(bx != 0) | static_cast<int32_t>(by != 0);
    ahead[j] = isAhead;
    elsewhere[j] = isAhead & (sameEnd ^ 1) & isBound;
    const float speed = std::sqrt(vx * vx + vy * vy);
    const int32_t sameWay = sameEnd | (static_cast<int32_t>(speed > kStanding) &
                                       static_cast<int32_t>(vx * heading.x + vy * heading.y > kAlong * speed));
    const float aside = std::abs(heading.x * wy - heading.y * wx);
    const int32_t isInFile = static_cast<int32_t>(width < 2 * sum) & static_cast<int32_t>(aside < width);
    const float body = view.bodyLength < sum ? sum : view.bodyLength;
    // A jammed agent closes up to contact.
    const float gap = std::sqrt(square) - (view.stuck * sum + (1 - view.stuck) * body);
    // As fast as its lane is beside the other one.
    const float beside = isInFile != 0 ? 0.0F : (aside - kStagger * sum) * perSpeed;
    const float kept = gap > beside ? gap : beside;
    gaps[j] = (isAhead & sameWay) != 0 ? kept : HUGE_VALF;
  }
  float gap = HUGE_VALF;
  int32_t seen = 0;
  int32_t others = 0;
  for (uint32_t j = 0; j < count; ++j) {
    gap = std::min(gap, gaps[j]);
    seen += ahead[j];
    others += elsewhere[j];
  }
  if (seen == 0) return view.maxSpeed;
  const float mixed = std::min(1.0F, kMixed * static_cast<float>(others) / static_cast<float>(seen));
  const float kept = std::min(view.maxSpeed, std::max(gap, 0.0F) / view.timeGap);
  return std::max(kept, mixed * view.maxSpeed);
}

float headwaySpeedBaseline(const LocalView& view, Vec2f heading, float width) {
  return headwaySpeedInLanes(view, heading, width);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] float headwaySpeedAvx2(const LocalView& view, Vec2f heading, float width) {
  return headwaySpeedInLanes(view, heading, width);
}
#else
float headwaySpeedAvx2(const LocalView& view, Vec2f heading, float width) {
  return headwaySpeedInLanes(view, heading, width);
}
#endif

}  // namespace

float headwaySpeed(const LocalView& view, Vec2f heading) {
  static const auto widest = available(VectorWidth::kAvx2) ? headwaySpeedAvx2 : headwaySpeedBaseline;
  return widest(view, heading, widthAcross(view, heading));
}

}  // namespace wend
