#include "generators/neogen/slivers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "generators/neogen/area_of_interest.h"
#include "generators/neogen/simple_cells.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

constexpr double kThin = 5 * std::numbers::pi / 180;
constexpr size_t kSliverTargets = 8;
constexpr size_t kSliverTargetSteps = 64;
// Visits per portal, on average. What moves makes room for its neighbours, and fans of slivers open one by one; more
// visits widen hardly any more.
constexpr size_t kVisits = 16;

class Widener {
 public:
  Widener(Subdivision& subdivision, bool relaxed)
      : subdivision_(subdivision), relaxed_(relaxed), query_(subdivision), simpleCells_(subdivision) {}

  void run(const Context& context) {
    queue_ = subdivision_.portals();
    const size_t most = kVisits * queue_.size();
    for (size_t i = 0; i < queue_.size() && i < most; ++i) {
      if ((i & 0xffU) == 0 && context.cancelled()) return;
      if (subdivision_.isPortal(queue_[i])) widen(queue_[i]);
    }
  }

 private:
  void widen(Half portal) {
    const bool atOrigin = subdivision_.neededAtOrigin(portal);
    if (atOrigin == subdivision_.neededAtOrigin(portal ^ 1)) return;
    const std::array<Half, 4> corners = cornersOf(portal);
    if (std::none_of(corners.begin(), corners.end(), [&](Half out) { return mayBeThin(out); })) return;
    const double before = narrowest(portal);
    if (before >= kThin) return;
    const uint32_t notch = atOrigin ? subdivision_.origin(portal) : subdivision_.target(portal);
    const uint32_t end = atOrigin ? subdivision_.target(portal) : subdivision_.origin(portal);
    const Subdivision::Removed removed = subdivision_.unmark(portal);
    const std::array<Half, 4> sides{removed.before, removed.after, removed.twinBefore, removed.twinAfter};
    const Half corner = subdivision_.notchCorner(notch);
    collect(corner);
    std::optional<Target> best;
    double widest = before;
    subdivision_.forgetFlips();
    for (const Target& target : targets_) {
      const Half made = connect(corner, target);
      if (made == kNone) continue;
      const double angle = narrowest(made);
      if (angle > widest && (!relaxed_ || staysSimple(made, end))) {
        widest = angle;
        best = target;
      }
      disconnect(made, target);
    }
    if (!best) {
      subdivision_.remark(removed);
      return;
    }
    const Half made = connect(corner, *best);
    for (const Half h : sides) visitAgain(h);
    for (const Half h : {made, made ^ 1}) {
      for (const Half side : {h, subdivision_.before(h), subdivision_.after(h)}) visitAgain(side);
    }
  }
  void visitAgain(Half h) {
    if (subdivision_.isPortal(h)) queue_.push_back(h & ~1U);
  }

  struct Target {
    uint32_t vertex;  // or kNone:
    Half wall;
    Vec2 point;
  };

  // Scalar and cross product of the sides of a corner.
  Vec2 products(Half out) const {
    const Vec2 v = subdivision_.start(out);
    const Vec2 along = subdivision_.end(out) - v;
    const Vec2 back = subdivision_.start(subdivision_.before(out)) - v;
    return {dot(along, back), cross(along, back)};
  }
  // The angle of a corner below 180 degrees.
  double angle(Half out) const {
    const Vec2 product = products(out);
    return std::abs(std::atan2(product.y, product.x));
  }
  // False for angles well above kThin, which are most.
  bool mayBeThin(Half out) const {
    constexpr double kTangent = 0.1;
    const Vec2 product = products(out);
    return std::abs(product.y) < kTangent * product.x;
  }
  std::array<Half, 4> cornersOf(Half portal) const {
    return {portal, portal ^ 1, subdivision_.after(portal), subdivision_.after(portal ^ 1)};
  }
  double narrowest(Half portal) const {
    double least = std::numbers::pi;
    for (const Half out : cornersOf(portal)) least = std::min(least, angle(out));
    return least;
  }

  // Whether the cells that the portal left and those that it came to are simple polygons.
  bool staysSimple(Half made, uint32_t oldEnd) {
    return simpleCells_.around(oldEnd) && simpleCells_.around(subdivision_.origin(made)) &&
           simpleCells_.around(subdivision_.target(made));
  }

  void collect(Half corner) {
    targets_.clear();
    query_.start(corner);
    while (targets_.size() < kSliverTargets && query_.steps() < kSliverTargetSteps) {
      const auto sight = query_.next();
      if (!sight) return;
      if (sight->kind == Sight::Kind::kVertex) targets_.push_back({sight->vertex, kNone, {}});
      if (sight->kind != Sight::Kind::kWall) continue;
      if (const auto p = query_.pointOn(*sight)) targets_.push_back({kNone, sight->edge, *p});
    }
  }

  Half connect(Half corner, const Target& target) {
    flips_ = subdivision_.flipCount();
    if (target.vertex != kNone) return subdivision_.connect(corner, target.vertex);
    const Half made = subdivision_.connect(corner, subdivision_.splitWall(target.wall, target.point));
    if (made == kNone) subdivision_.joinWall(target.wall);
    return made;
  }
  void disconnect(Half made, const Target& target) {
    subdivision_.disconnect(made, flips_);
    if (target.vertex == kNone) subdivision_.joinWall(target.wall);
  }

  Subdivision& subdivision_;
  bool relaxed_;
  AreaOfInterest query_;
  SimpleCells simpleCells_;
  std::vector<Half> queue_;
  std::vector<Target> targets_;
  size_t flips_ = 0;
};

}  // namespace

void widenSlivers(Subdivision& subdivision, bool relaxed, const Context& context) {
  Widener(subdivision, relaxed).run(context);
}

}  // namespace wend::neogen
