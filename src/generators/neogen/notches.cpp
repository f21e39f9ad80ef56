#include "generators/neogen/notches.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "generators/neogen/area_of_interest.h"
#include "geometry/vec2.h"

namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

// How many partners a notch proposes. The nearest are the ones whose portals cross least; more partners make hardly
// fewer cells.
constexpr size_t kPartners = 6;
// Edges that the search for partners looks through, so that a notch above an open field stays cheap.
constexpr size_t kPartnerSteps = 16;

double squaredLength(Vec2 a, Vec2 b) {
  return dot(b - a, b - a);
}

struct Pair {
  double square;
  uint32_t a, b;
  auto operator<=>(const Pair&) const = default;
};

// The reflex corner of each vertex, or kNone.
std::vector<Half> notchCorners(const Subdivision& subdivision) {
  std::vector<Half> corners(subdivision.vertexCount());
  for (uint32_t v = 0; v < subdivision.vertexCount(); ++v) corners[v] = subdivision.notchCorner(v);
  return corners;
}

std::vector<Pair> proposePairs(const Subdivision& subdivision, std::span<const Half> corners, const Context& context) {
  std::vector<Pair> pairs;
  std::vector<size_t> first(corners.size());  // of the pairs that each notch proposes
  AreaOfInterest query(subdivision);
  for (uint32_t v = 0; v < subdivision.vertexCount(); ++v) {
    first[v] = pairs.size();
    if (corners[v] == kNone) continue;
    if ((v & 0xfffU) == 0 && context.cancelled()) break;
    const Vec2 at = subdivision.point(v);
    size_t found = 0;
    query.visitVertices(corners[v], kPartnerSteps, [&](uint32_t w) {
      if (corners[w] == kNone || !subdivision.inAreaOfInterest(corners[w], at)) return true;
      const bool known = w < v && std::any_of(pairs.begin() + first[w], pairs.begin() + first[w + 1],
                                              [&](const Pair& pair) { return pair.b == v; });
      if (!known) pairs.push_back({squaredLength(at, subdivision.point(w)), std::min(v, w), std::max(v, w)});
      return ++found < kPartners;
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// One notch after the other. A portal may meet a notch that it does not resolve; that one still has its own turn.
class Cutter {
 public:
  explicit Cutter(Subdivision& subdivision) : subdivision_(subdivision), query_(subdivision) {}

  void resolve(uint32_t notch) {
    // At most two portals are needed; each turn leaves a smaller corner.
    for (Half corner = subdivision_.notchCorner(notch); corner != kNone; corner = subdivision_.notchCorner(notch)) {
      if (!cut(corner)) cutAlongSpokes(corner);
    }
  }

 private:
  bool cut(Half corner) {
    query_.start(corner);
    auto sight = query_.next();
    if (!sight) return false;
    const Sight nearest = *sight;
    if (nearest.kind == Sight::Kind::kWall) {
      if (const auto p = query_.pointOn(nearest)) {
        const uint32_t vertex = subdivision_.splitWall(nearest.edge, *p);
        return subdivision_.connect(corner, vertex) != kNone;
      }
    }
    // Portals and connections have no points of their own to end on.
    while (sight && sight->kind != Sight::Kind::kVertex) sight = query_.next();
    const bool one = sight && subdivision_.connect(corner, sight->vertex) != kNone;
    const bool done = one || cutToBoth(corner, nearest);
    if (nearest.kind == Sight::Kind::kPortal && done && !subdivision_.isNeeded(nearest.edge)) {
      subdivision_.unmark(nearest.edge);
    }
    return done;
  }

  // Without a vertex in the area of interest, the notch sees a single edge there, and the vertices that limit the view
  // lie on both sides of it.
  bool cutToBoth(Half corner, const Sight& edge) {
    const uint32_t notch = subdivision_.origin(corner);
    const Half right = subdivision_.connect(corner, edge.right);
    if (right == kNone) return false;
    const Half rest = subdivision_.notchCorner(notch);
    return rest == kNone || subdivision_.connect(rest, edge.left) != kNone;
  }

  // The last spoke of the triangulation at most 180 degrees after the leaving side.
  void cutAlongSpokes(Half corner) {
    const Vec2 v = subdivision_.start(corner);
    Half best = kNone;
    for (Half in = subdivision_.previous(corner); subdivision_.isFree(in); in = subdivision_.previous(in ^ 1)) {
      if (best != kNone && Subdivision::reflex(v, subdivision_.end(corner), subdivision_.start(in))) break;
      best = in ^ 1;
    }
    subdivision_.mark(best);
  }

  Subdivision& subdivision_;
  AreaOfInterest query_;
};

// Notches in a row, as on a round obstacle, look along it past all the others until a portal stops them. So in a long
// row a few are cut first, far apart, then eight times as many, and so on: each then looks past few.
constexpr uint32_t kLongRow = 512;
constexpr int kLevels = 8;

std::vector<uint32_t> cuttingOrder(const Subdivision& subdivision) {
  const uint32_t count = subdivision.vertexCount();
  const auto following = [&](uint32_t v) { return subdivision.target(subdivision.wallFrom(v)); };
  std::vector<uint8_t> isNotch(count, 0);
  std::vector<uint8_t> isInside(count, 0);  // of a row, after another notch
  for (uint32_t v = 0; v < count; ++v) isNotch[v] = subdivision.notchCorner(v) != kNone ? 1 : 0;
  for (uint32_t v = 0; v < count; ++v) {
    if (isNotch[v] != 0) isInside[following(v)] = isNotch[following(v)];
  }
  std::vector<int> level(count, 0);
  std::vector<uint8_t> done(count, 0);
  std::vector<uint32_t> row;
  const auto walk = [&](uint32_t first) {
    row.clear();
    for (uint32_t v = first; isNotch[v] != 0 && done[v] == 0; v = following(v)) {
      done[v] = 1;
      row.push_back(v);
    }
    if (row.size() < kLongRow) return;
    for (size_t k = 0; k < row.size(); ++k) level[row[k]] = std::min(kLevels, std::countr_zero(k) / 3);
  };
  for (uint32_t v = 0; v < count; ++v) {
    if (isInside[v] == 0) walk(v);
  }
  for (uint32_t v = 0; v < count; ++v) walk(v);  // rings of notches only
  std::vector<uint32_t> order;
  order.reserve(count);
  for (int now = kLevels; now >= 0; --now) {
    for (uint32_t v = 0; v < count; ++v) {
      if (level[v] == now) order.push_back(v);
    }
  }
  return order;
}

}  // namespace

void connectNotchPairs(Subdivision& subdivision, const Context& context) {
  // Every portal made here resolves both its ends, so a notch is either untouched or done.
  std::vector<Half> corners = notchCorners(subdivision);
  for (const Pair& pair : proposePairs(subdivision, corners, context)) {
    if (corners[pair.a] == kNone || corners[pair.b] == kNone) continue;
    if (subdivision.connect(corners[pair.a], pair.b) == kNone) continue;
    corners[pair.a] = kNone;
    corners[pair.b] = kNone;
  }
}

void connectNotches(Subdivision& subdivision, const Context& context) {
  const std::vector<uint32_t> order = cuttingOrder(subdivision);
  Cutter cutter(subdivision);
  for (size_t i = 0; i < order.size(); ++i) {
    if ((i & 0xfffU) == 0 && context.cancelled()) return;
    cutter.resolve(order[i]);
  }
}

std::vector<Half> portalsByLength(const Subdivision& subdivision) {
  struct Keyed {
    bool outside;  // of connections, with both ends
    double square;
    Half portal;
  };
  std::vector<Keyed> keyed;
  for (const Half h : subdivision.portals()) {
    const bool outside = !subdivision.isInsideConnection(subdivision.origin(h)) &&
                         !subdivision.isInsideConnection(subdivision.target(h));
    keyed.push_back({outside, squaredLength(subdivision.start(h), subdivision.end(h)), h});
  }
  std::sort(keyed.begin(), keyed.end(), [](const Keyed& a, const Keyed& b) {
    return std::tuple(a.outside, -a.square, a.portal) < std::tuple(b.outside, -b.square, b.portal);
  });
  std::vector<Half> order;
  order.reserve(keyed.size());
  for (const Keyed& key : keyed) order.push_back(key.portal);
  return order;
}

void removeUnneeded(Subdivision& subdivision) {
  for (const Half h : portalsByLength(subdivision)) {
    if (!subdivision.isNeeded(h)) subdivision.unmark(h);
  }
}

}  // namespace wend::neogen
