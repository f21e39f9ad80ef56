#include <algorithm>
#include <numbers>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"

// A. van Goethem, N. Jaklin, A. Cook IV, R. Geraerts: On streams and incentives (2015).
namespace wend {
namespace {

constexpr float kView = 8;             // m, half disk ahead
constexpr float kFullyCrowded = 0.3F;  // covered share of the view
constexpr uint32_t kStreamNeighbours = 5;
constexpr float kNoStream = 0.05F;  // m/s; a slower sum has no direction
constexpr float kDeviation = static_cast<float>(std::numbers::pi / 4);
constexpr float kWallTime = 0.5F;    // s
constexpr float kMotivation = 0;     // internal: 1 never joins a stream
constexpr float kLeastShare = 0.3F;  // of the preferred speed, while there is room ahead
constexpr float kRoomAhead = 0.5F;   // m

// Share of the view that disks cover, 1 = fully crowded, and how far the view reaches.
struct Crowding {
  float share = 0;
  float reach = kView;
};

bool ahead(const LocalView& view, uint32_t j, float reach) {
  const Vec2f w{view.wx[j], view.wy[j]};
  return dot(w, view.preferred) > 0 && dot(w, w) <= reach * reach;
}

Crowding crowdingOf(const LocalView& view) {
  Crowding crowding;
  if (view.count >= kAvoidNeighbours) {
    // The list may have been cut: only as far as it goes is the area known.
    const uint32_t last = view.count - 1;
    crowding.reach = std::min(kView, std::max(length({view.wx[last], view.wy[last]}), 0.1F));
  }
  float squares = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    if (ahead(view, j, crowding.reach)) squares += view.r[j] * view.r[j];
  }
  crowding.share = std::min(1.0F, 2 * squares / (kFullyCrowded * crowding.reach * crowding.reach));
  return crowding;
}

// The common velocity of the nearest who walk the same way; zero if there is none.
Vec2f perceivedStream(const LocalView& view, const Crowding& crowding) {
  Vec2f sum;
  float speeds = 0;
  uint32_t used = 0;
  for (uint32_t j = 0; j < view.count && used < kStreamNeighbours; ++j) {
    const Vec2f v{view.vx[j], view.vy[j]};
    if (!ahead(view, j, crowding.reach) || !(dot(v, view.preferred) > 0)) continue;
    const Vec2f w{view.wx[j], view.wy[j]};
    const float distance = length(w);
    // In a crowd one walks towards those ahead rather than beside them.
    const float pull = std::min(1.0F, crowding.share * distance / kView);
    const Vec2f perceived = v * (1 - pull) + direction(w, {}) * (pull * length(v));
    sum = sum + perceived;
    speeds += length(perceived);
    ++used;
  }
  const float l = length(sum);
  if (used == 0 || l < kNoStream) return {};
  return sum * (speeds / static_cast<float>(used) / l);
}

float roomAhead(const LocalView& view, Vec2f heading) {
  float room = kView;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    const float reach = view.radius + view.r[j];
    const float forward = dot(w, heading);
    if (forward > 0 && std::abs(det(heading, w)) < reach) room = std::min(room, forward - reach);
  }
  return room;
}

}  // namespace

Vec2f stream(const LocalView& view, float late) {
  const float wanted = length(view.preferred);
  if (view.count == 0 || !(wanted > 1e-6F)) return view.preferred;
  const Crowding crowding = crowdingOf(view);
  const Vec2f flow = perceivedStream(view, crowding);
  float speed = length(flow);
  if (speed == 0) return view.preferred;

  double angle =
      portableAtan2(static_cast<double>(det(flow, view.preferred)), static_cast<double>(dot(flow, view.preferred)));
  if (angle >= std::numbers::pi) angle = -angle;  // straight back: by the right
  const float deviation = std::clamp((static_cast<float>(std::abs(angle)) - kDeviation) / kDeviation, 0.0F, 1.0F);
  const float alone = 1 - crowding.share;
  // Who stands in a jam has no stream to join: a common speed of zero would keep itself up.
  const float own = std::max({deviation, alone * alone * alone, std::clamp(late, 0.0F, 1.0F), view.stuck});
  const float incentive = kMotivation + (1 - kMotivation) * own;
  if (!(incentive < 1)) return view.preferred;

  const Vec2f heading = flow * (1 / speed);
  // A stream of slow people would hold itself up.
  if (speed < kLeastShare * wanted && roomAhead(view, heading) > kRoomAhead) speed = kLeastShare * wanted;
  const SineCosine turn = portableSineCosine(static_cast<double>(incentive) * angle);
  const auto c = static_cast<float>(turn.cosine);
  const auto s = static_cast<float>(turn.sine);
  const float blended = (1 - incentive) * speed + incentive * wanted;
  const Vec2f result = Vec2f{heading.x * c - heading.y * s, heading.x * s + heading.y * c} * blended;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    if (timeToWall(view.walls[i], result, view.radius) < kWallTime) return view.preferred;
  }
  return result;
}

}  // namespace wend
