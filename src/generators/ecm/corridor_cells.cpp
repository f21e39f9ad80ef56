#include "generators/ecm/corridor_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <wend/mesh_builder.h>

#include "base/assert.h"
#include "generators/ecm/layer_pieces.h"
#include "generators/ecm/open_splice.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/validator/check_corridor.h"

namespace wend::ecm {
namespace {

// The distinct corners of a part of an arc's cell, counter-clockwise.
struct Loop {
  std::array<PieceCorner, 4> corners;
  size_t size = 0;

  // Of equal corners, the side of the last one is left.
  void add(PieceCorner corner) {
    if (size > 0 && corners[size - 1].p == corner.p) --size;
    corners[size++] = corner;
  }
  std::span<const PieceCorner> span() const { return {corners.data(), size}; }
};

Loop loopOf(std::initializer_list<PieceCorner> corners) {
  Loop loop;
  for (const PieceCorner& corner : corners) loop.add(corner);
  while (loop.size > 1 && loop.corners[loop.size - 1].p == loop.corners[0].p) --loop.size;
  return loop;
}

double doubledArea(std::span<const Vec2> loop) {
  double sum = 0;
  for (size_t i = 2; i < loop.size(); ++i) {
    sum +=
        (loop[i - 1].x - loop[0].x) * (loop[i].y - loop[0].y) - (loop[i - 1].y - loop[0].y) * (loop[i].x - loop[0].x);
  }
  return sum;
}

// Left of the segment from a to b, or right of it by less than the slack and between its ends.
bool isLeft(Vec2 a, Vec2 b, Vec2 p, double slack) {
  const double area = cross(b - a, p - a);
  return area > 0 || (area > -slack * distance(a, b) && dot(a - p, b - p) < 0);
}

Vec2 middleOf(Vec2 a, Vec2 b) {
  return {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

// Two convex parts of a cell. The chord of the arc divides it, unless the arc goes more than half around a point:
// around the end of a wall without thickness it is half around, and rounding decides. A chord that leaves less than the
// slack to the point would divide off a needle whose sides the builder cannot tell apart; both ends of such an arc are
// wider than what is between, so that the other division is convex too.
std::array<Loop, 2> halvesOf(const CorridorMap::BendingPoint& a, const CorridorMap::BendingPoint& b, double slack) {
  if (a.l == b.l && isLeft(b.p, a.p, a.l, slack)) {
    const Vec2 m = middleOf(a.r, b.r);
    return {loopOf({{a.p}, {a.r, 1}, {m}, {a.l}}), loopOf({{a.l}, {m, 1}, {b.r}, {b.p}})};
  }
  if (a.r == b.r && isLeft(a.p, b.p, a.r, slack)) {
    const Vec2 m = middleOf(a.l, b.l);
    return {loopOf({{a.p}, {a.r}, {m, 1}, {a.l}}), loopOf({{a.r}, {b.p}, {b.l, 1}, {m}})};
  }
  return {loopOf({{a.p}, {a.r, 1}, {b.r}, {b.p}}), loopOf({{a.p}, {b.p}, {b.l, 1}, {a.l}})};
}

// Corners are off by less than kSamePlace of the largest coordinate; equal ones are equal bit by bit but where cells
// are cut at connections. So the builder need not join what is farther apart, and narrow cells stay.
double toleranceOf(const Environment& environment) {
  Box box;
  for (const Layer& layer : environment.layers) box.add(boundingBox(layer.free));
  if (box.empty()) return MeshBuilder::kDoubleTolerance;
  const auto size = [](int32_t v) { return std::abs(static_cast<double>(v)); };
  const double largest = std::max({size(box.min.x), size(box.min.y), size(box.max.x), size(box.max.y)});
  return std::clamp(4 * kSamePlace * largest, 1e-9, MeshBuilder::kDoubleTolerance);
}

// Times the tolerance: a needle as wide as this is matched rightly but for its tips.
constexpr double kNeedle = 1000;

}  // namespace

ArcCells::ArcCells(const Environment& environment, std::vector<WallTouch> touches)
    : tolerance_(toleranceOf(environment)), pieces_(environment, tolerance_), touches_(std::move(touches)) {}

// The touches on a wall of the arc between two of its feet, ends included, in the order of the way.
std::span<const WallTouch> ArcCells::touchesOn(LayerId layer, Vec2 from, Vec2 to) {
  onSide_.clear();
  const Vec2 along = to - from;
  const double length = distance(from, to);
  if (!(length > 0)) return {};
  const double low = std::min(from.x, to.x) - tolerance_;
  const double high = std::max(from.x, to.x) + tolerance_;
  auto it = std::partition_point(touches_.begin(), touches_.end(), [&](const WallTouch& touch) {
    return touch.layer < layer || (touch.layer == layer && touch.p.x < low);
  });
  for (; it != touches_.end() && it->layer == layer && it->p.x <= high; ++it) {
    const auto isOn = [&](const CorridorMap::Site& site) {
      return site.kind == CorridorMap::SiteKind::kSegment && orient(site.a, site.b, it->p) == 0 &&
             onSegment(site.a, site.b, it->p);
    };
    if (!isOn(sites_[0]) && !isOn(sites_[1])) continue;
    const Vec2 p = toVec2(it->p) - from;
    const double at = dot(p, along) / length;
    if (std::abs(cross(along, p)) <= tolerance_ * length && at >= -tolerance_ && at <= length + tolerance_) {
      onSide_.push_back(*it);
    }
  }
  std::sort(onSide_.begin(), onSide_.end(), [&](const WallTouch& one, const WallTouch& other) {
    return dot(toVec2(one.p), along) < dot(toVec2(other.p), along);
  });
  return onSide_;
}

void ArcCells::addCorner(Vec2 p, uint8_t wall) {
  if (!loop_.empty() && loop_.back() == p) {
    walls_.back() = wall;
    return;
  }
  loop_.push_back(p);
  walls_.push_back(wall);
}

// Of equal corners, the side of the last one is left. What has no area is left out.
void ArcCells::add(LayerId layer, std::span<const PieceCorner> corners, const Emit& emit) {
  loop_.clear();
  walls_.clear();
  for (size_t i = 0; i < corners.size(); ++i) {
    addCorner(corners[i].p, corners[i].wall);
    if (corners[i].wall == 0 || touches_.empty()) continue;
    for (const WallTouch& touch : touchesOn(layer, corners[i].p, corners[i + 1 == corners.size() ? 0 : i + 1].p)) {
      addCorner(toVec2(touch.p), 1);
    }
  }
  while (loop_.size() > 1 && loop_.front() == loop_.back()) {
    loop_.pop_back();
    walls_.pop_back();
  }
  if (loop_.size() < 3 || !(doubledArea(loop_) > 0)) return;
  emit(layer, loop_, walls_);
}

void ArcCells::cellsOf(const CorridorMap& map, uint32_t arc, const Emit& emit) {
  const CorridorMap::BendingPoint& a = map.bendingPoints[arc];
  const CorridorMap::BendingPoint& b = map.bendingPoints[arc + 1];
  sites_ = {map.sites[map.arcs[arc].left], map.sites[map.arcs[arc].right]};
  const std::array<PieceCorner, 6> corners{{{a.p}, {a.r, 1}, {b.r}, {b.p}, {b.l, 1}, {a.l}}};
  if (!pieces_.nearConnection(corners, a.layer) && a.layer == b.layer) {
    add(a.layer, corners, emit);
    return;
  }
  // Around an end of a connection it is not clear from top view which way leads across; the wider end of the arc is
  // away from all of them.
  const CorridorMap::BendingPoint& start = a.clearance >= b.clearance ? a : b;
  for (const Loop& half : halvesOf(a, b, kNeedle * tolerance_)) {
    if (half.size < 3) continue;
    pieces_.cut(half.span(), start.p, start.layer,
                [&](LayerId layer, std::span<const PieceCorner> part) { add(layer, part, emit); });
  }
}

Result<NavMesh> corridorMesh(const Environment& environment, CorridorMap map, const std::string& generator,
                             uint64_t settingsHash, const Context& context) {
  ArcCells cells(environment, findWallTouches(environment));
  MeshBuilder builder(environment, cells.tolerance());
  std::vector<uint32_t> arcs;  // per cell
  arcs.reserve(map.arcs.size());
  builder.reserve(map.arcs.size(), 6 * map.arcs.size());
  for (uint32_t i = 0; i < map.arcs.size(); ++i) {
    if (map.arcs[i].left == kNone) continue;
    cells.cellsOf(map, i, [&](LayerId layer, std::span<const Vec2> loop, std::span<const uint8_t> walls) {
      builder.addCell(layer, loop, walls);
      arcs.push_back(i);
    });
  }
  MeshTraits traits;
  traits.convex = false;
  std::vector<uint32_t> kept;
  const Result<NavMesh> mesh = builder.build(generator, settingsHash, traits, context, &kept);
  if (!mesh.ok()) return mesh.error();
  map.cellArc.clear();
  map.cellArc.reserve(kept.size());
  for (const uint32_t cell : kept) map.cellArc.push_back(arcs[cell]);
  WEND_ASSERT(findCorridorFault(map, environment.layers.size(), mesh->cellCount()).empty(),
              "the medial axis fits its mesh");
  return mesh->withCorridorMap(std::make_shared<const CorridorMap>(std::move(map)));
}

}  // namespace wend::ecm
