#include <algorithm>
#include <numbers>

#include "base/always_inline.h"
#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/headway.h"
#include "crowd/local/kernels.h"
#include "crowd/local/vision.h"

// A. van Goethem, N. Jaklin, A. Cook IV, R. Geraerts: On streams and incentives (2015).
namespace wend {
namespace {

constexpr float kView = 8;             // m, half disk ahead
constexpr float kFullyCrowded = 0.3F;  // covered share of the view
constexpr uint32_t kStreamNeighbours = 5;
// Those bound for the same direction are one stream even where it turns a corner.
constexpr float kSimilar = 0.7F;    // cosine of 45 degrees: farther off one walks, or is bound, another way
constexpr float kCrossing = 0.5F;   // cosine of 60 degrees: nearer to a right angle one crosses
constexpr float kMixed = 5;         // one crossing agent among so many ends the stream
constexpr float kNoStream = 0.05F;  // m/s; a slower sum has no direction
constexpr float kDeviation = static_cast<float>(std::numbers::pi / 4);
constexpr float kWallTime = 0.5F;    // s
constexpr float kMotivation = 0;     // internal: 1 never joins a stream
constexpr float kLeastShare = 0.3F;  // of the preferred speed, while there is free space ahead

// What an agent makes of each neighbour, one lane per neighbour: loops that become vector instructions of any width,
// with the same operations and so the same bits.
struct Perceived {
  alignas(64) std::array<float, kMaxNeighbours> covered;  // squared radius, if in view
  alignas(64) std::array<float, kMaxNeighbours> x;        // velocity, m/s
  alignas(64) std::array<float, kMaxNeighbours> y;
  alignas(64) std::array<float, kMaxNeighbours> speed;
  alignas(64) std::array<int32_t, kMaxNeighbours> seen;     // in view
  alignas(64) std::array<int32_t, kMaxNeighbours> counts;   // and walking the same way
  alignas(64) std::array<int32_t, kMaxNeighbours> crosses;  // and crossing the way, instead of going or coming along it
  alignas(64) std::array<int32_t, kMaxNeighbours> opposed;  // bound for where the agent comes from
};

// Share of the view that disks cover, 1 = fully crowded, how far the view reaches, and whether people cross there.
struct Crowding {
  float share = 0;
  float mixed = 0;  // 0: no agent crosses; 1: enough cross to end a stream
  float reach = kView;
  bool opposed = false;  // some agent is bound in the opposite direction
};

WEND_INLINE Crowding crowdingOf(const LocalView& view, Perceived& perceived) {
  Crowding crowding;
  if (view.count >= kAvoidNeighbours) {
    // The list may have been cut: only as far as it goes is the area known.
    const uint32_t last = view.count - 1;
    crowding.reach = std::min(kView, std::max(length({view.wx[last], view.wy[last]}), 0.1F));
  }
  const float most = crowding.reach * crowding.reach;
  const Vec2f wish = view.preferred;
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const auto ahead = static_cast<int32_t>(wx * wish.x + wy * wish.y > 0);
    const int32_t seen = ahead & static_cast<int32_t>(wx * wx + wy * wy <= most);
    const float along = view.vx[j] * wish.x + view.vy[j] * wish.y;
    const float square = view.vx[j] * view.vx[j] + view.vy[j] * view.vy[j];
    const float whole = square * (wish.x * wish.x + wish.y * wish.y);
    const auto forward = static_cast<int32_t>(along > 0);
    const auto similar = static_cast<int32_t>(along * along > kSimilar * kSimilar * whole);
    const auto across = static_cast<int32_t>(along * along < kCrossing * kCrossing * whole);
    const auto walks = static_cast<int32_t>(square > kNoStream * kNoStream);
    const float common = view.bx[j] * view.bound.x + view.by[j] * view.bound.y;
    const auto sameEnd = static_cast<int32_t>(common > kSimilar);
    const auto otherEnd = static_cast<int32_t>(common * common < kCrossing * kCrossing);
    perceived.covered[j] = seen != 0 ? view.r[j] * view.r[j] : 0.0F;
    perceived.seen[j] = seen;
    perceived.counts[j] = seen & forward & (similar | sameEnd);
    perceived.crosses[j] = seen & walks & across & otherEnd;
    perceived.opposed[j] = static_cast<int32_t>(common < 0);
  }
  float squares = 0;
  int32_t seen = 0;
  int32_t crossing = 0;
  int32_t opposed = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    squares += perceived.covered[j];
    seen += perceived.seen[j];
    crossing += perceived.crosses[j];
    opposed |= perceived.opposed[j];
  }
  crowding.opposed = opposed != 0;
  crowding.mixed = std::min(1.0F, kMixed * static_cast<float>(crossing) / static_cast<float>(std::max(seen, 1)));
  crowding.share = std::min(1.0F, 2 * squares / (kFullyCrowded * crowding.reach * crowding.reach));
  return crowding;
}

// The common velocity of the nearest agents that walk the same way; zero if there is none.
WEND_INLINE Vec2f perceivedStream(const LocalView& view, const Crowding& crowding, Perceived& perceived) {
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float distance = std::sqrt(view.wx[j] * view.wx[j] + view.wy[j] * view.wy[j]);
    // In a crowd one walks towards those ahead rather than beside them.
    const float far = crowding.share * distance / kView;
    const float pull = far < 1 ? far : 1.0F;
    const float towards = distance > 1e-9F ? 1 / distance : 0.0F;
    const float own = pull * std::sqrt(view.vx[j] * view.vx[j] + view.vy[j] * view.vy[j]);
    const float x = view.vx[j] * (1 - pull) + view.wx[j] * towards * own;
    const float y = view.vy[j] * (1 - pull) + view.wy[j] * towards * own;
    perceived.x[j] = x;
    perceived.y[j] = y;
    perceived.speed[j] = std::sqrt(x * x + y * y);
  }
  Vec2f sum;
  float speeds = 0;
  uint32_t used = 0;
  for (uint32_t j = 0; j < view.count && used < kStreamNeighbours; ++j) {
    if (perceived.counts[j] == 0) continue;
    sum = sum + Vec2f{perceived.x[j], perceived.y[j]};
    speeds += perceived.speed[j];
    ++used;
  }
  const float l = length(sum);
  if (used == 0 || l < kNoStream) return {};
  return sum * (speeds / static_cast<float>(used) / l);
}

WEND_INLINE bool isTowardsWall(const LocalView& view, Vec2f velocity, float speed) {
  constexpr float kRounding = 1e-3F;
  if (view.free > view.radius + (1 + kRounding) * kWallTime * speed + kRounding) return false;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    if (timeToWall(view.walls[i], velocity, view.radius) < kWallTime) return true;
  }
  return false;
}

WEND_INLINE Vec2f streamInLanes(const LocalView& view, float late) {
  const float wanted = length(view.preferred);
  if (view.count == 0 || !(wanted > 1e-6F)) return view.preferred;
  Perceived perceived;
  const Crowding crowding = crowdingOf(view, perceived);
  const float alone = 1 - crowding.share;
  // An agent in a jam does not join a stream: a common speed of zero would never grow again. Where streams cross, an
  // agent that joined the one beside it would be carried off its route.
  float own = std::max({alone * alone * alone, crowding.mixed, std::clamp(late, 0.0F, 1.0F), view.stuck});
  if (!(own < 1)) return view.preferred;
  const Vec2f flow = perceivedStream(view, crowding, perceived);
  float speed = length(flow);
  if (speed == 0) return view.preferred;

  double angle =
      portableAtan2(static_cast<double>(cross(flow, view.preferred)), static_cast<double>(dot(flow, view.preferred)));
  if (angle >= std::numbers::pi) angle = -angle;  // straight back: by the right
  const float deviation = std::clamp((static_cast<float>(std::abs(angle)) - kDeviation) / kDeviation, 0.0F, 1.0F);
  own = std::max(own, deviation);
  const float incentive = kMotivation + (1 - kMotivation) * own;
  if (!(incentive < 1)) return view.preferred;

  const Vec2f heading = flow * (1 / speed);
  // An agent with free space ahead closes up: a stream that only copies its own speed would stay slow. Against agents
  // from the opposite direction, haste breaks up the lanes; there it is enough to keep walking.
  if (speed < wanted) {
    const float free = std::min(wanted, headwaySpeed(view, heading));
    speed = std::max(speed, crowding.opposed ? std::min(free, kLeastShare * wanted) : free);
  }
  const SineCosine turn = portableSineCosine(static_cast<double>(incentive) * angle);
  const auto c = static_cast<float>(turn.cosine);
  const auto s = static_cast<float>(turn.sine);
  const float blended = (1 - incentive) * speed + incentive * wanted;
  const Vec2f result = Vec2f{heading.x * c - heading.y * s, heading.x * s + heading.y * c} * blended;
  return isTowardsWall(view, result, blended) ? view.preferred : result;
}

Vec2f baseline(const LocalView& view, float late) {
  return streamInLanes(view, late);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] Vec2f avx2(const LocalView& view, float late) {
  return streamInLanes(view, late);
}
#else
Vec2f avx2(const LocalView& view, float late) {
  return streamInLanes(view, late);
}
#endif

}  // namespace

Vec2f stream(const LocalView& view, float late) {
  static const auto widest = available(VectorWidth::kAvx2) ? avx2 : baseline;
  return widest(view, late);
}

}  // namespace wend
