#include "generators/growth_cells.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "geometry/index/box_tree.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

constexpr uint32_t kMostLabels = 30;  // overlay() knows 32 groups

// Snap rounding moves a line by at most one unit, twice where two borders end near each other.
constexpr double kBend = 2;

template <typename Visit>
void forEdges(std::span<const Polygon> polygons, const Visit& visit) {
  const auto walk = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) visit(RingEdge(ring[i], ring[(i + 1) % ring.size()]));
  };
  for (const Polygon& polygon : polygons) {
    walk(polygon.outer);
    for (const Ring& ring : polygon.holes) walk(ring);
  }
}

Vec2 nearestOn(const RingEdge& line, Vec2 p) {
  const Vec2 a = toVec2(line.first);
  const double dx = static_cast<double>(line.second.x) - line.first.x;
  const double dy = static_cast<double>(line.second.y) - line.first.y;
  const double t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return {a.x + t * dx, a.y + t * dy};
}

bool isNear(const RingEdge& wall, Point p) {
  const Vec2 nearest = nearestOn(wall, toVec2(p));
  return std::hypot(nearest.x - p.x, nearest.y - p.y) <= kBend;
}

// The original edges of a layer, to find the one that a piece of the cut layer lies along.
class Originals {
 public:
  explicit Originals(std::span<const Polygon> free) {
    forEdges(free, [&](const RingEdge& edge) { edges_.push_back(edge); });
    std::vector<BoxTree::Extent> extents;
    for (const RingEdge& edge : edges_) {
      Box box;
      box.add(edge.first);
      box.add(edge.second);
      extents.push_back({box});
    }
    tree_ = BoxTree(extents);
  }

  // The edge along which a piece runs in the same direction; kNone if the piece is a border.
  uint32_t find(const RingEdge& piece) const {
    constexpr auto kReach = static_cast<int32_t>(kBend) + 1;
    const Box box{{piece.first.x - kReach, piece.first.y - kReach}, {piece.first.x + kReach, piece.first.y + kReach}};
    uint32_t found = kNone;
    tree_.forEach(box, [&](uint32_t i) {
      const RingEdge& edge = edges_[i];
      const double along =
          (static_cast<double>(edge.second.x) - edge.first.x) * (static_cast<double>(piece.second.x) - piece.first.x) +
          (static_cast<double>(edge.second.y) - edge.first.y) * (static_cast<double>(piece.second.y) - piece.first.y);
      if (along <= 0 || !isNear(edge, piece.first) || !isNear(edge, piece.second)) return;
      const bool isExact =
          orient(edge.first, edge.second, piece.first) == 0 && orient(edge.first, edge.second, piece.second) == 0;
      if (found == kNone || isExact || i < found) found = i;
    });
    return found;
  }
  const RingEdge& edge(uint32_t i) const { return edges_[i]; }

 private:
  std::vector<RingEdge> edges_;
  BoxTree tree_;
};

void addShapes(std::vector<Shape>& shapes, uint32_t group, std::span<const Polygon> polygons) {
  for (const Polygon& polygon : polygons) {
    Shape& shape = shapes.emplace_back();
    shape.group = group;
    shape.loops.push_back(polygon.outer);
    shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
  }
}

// Sorts the edges of one class into walls, bent walls and open edges.
void classifyEdges(GrownSpace& space, const Originals& originals, std::span<const RingEdge> connections) {
  forEdges(space.free, [&](const RingEdge& piece) {
    const uint32_t found = originals.find(piece);
    if (found == kNone) {
      space.open.push_back(piece);
      return;
    }
    const RingEdge& wall = originals.edge(found);
    if (std::binary_search(connections.begin(), connections.end(), wall)) space.open.push_back(piece);
    if (orient(wall.first, wall.second, piece.first) != 0 || orient(wall.first, wall.second, piece.second) != 0) {
      space.bent.emplace_back(piece, wall);
    }
  });
  std::sort(space.open.begin(), space.open.end());
  std::sort(space.bent.begin(), space.bent.end());
}

Status cutByTerrain(const Environment& environment, LayerId id, std::span<const RingEdge> connections,
                    std::vector<GrownSpace>& spaces, const Context& context) {
  const Layer& layer = environment.layers[id];
  std::vector<std::string> labels;
  for (const Region& region : layer.regions) labels.push_back(region.label);
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (labels.size() > kMostLabels) {
    return Error{ErrorCode::kLimit,
                 fmt::format("Layer {} has {} labels of regions; growth by terrain knows {}, so give "
                             "fewer or switch the option 'terrain' off.",
                             layer.id, labels.size(), kMostLabels)};
  }
  std::vector<Shape> shapes;
  addShapes(shapes, 0, layer.free);
  for (const Region& region : layer.regions) {
    const auto at = std::lower_bound(labels.begin(), labels.end(), region.label);
    addShapes(shapes, 1 + static_cast<uint32_t>(at - labels.begin()), region.area);
  }
  // The same shapes each time, so the same rounding: the classes fit together.
  std::set<uint32_t> classes;
  const auto all = overlay(
      shapes,
      [&](uint32_t groups) {
        if ((groups & 1U) != 0) classes.insert(groups);
        return (groups & 1U) != 0;
      },
      context);
  if (!all.ok()) return all.error();
  const Originals originals(layer.free);
  for (const uint32_t wanted : classes) {
    auto free = overlay(
        shapes, [&](uint32_t groups) { return groups == wanted; }, context);
    if (!free.ok()) return free.error();
    GrownSpace space;
    space.layer = id;
    space.free = std::move(*free);
    for (uint32_t i = 0; i < labels.size(); ++i) {
      if ((wanted >> (i + 1) & 1U) != 0) space.labels.push_back(labels[i]);
    }
    classifyEdges(space, originals, connections);
    spaces.push_back(std::move(space));
  }
  return Done{};
}

}  // namespace

Result<std::vector<GrownSpace>> grownSpaces(const Environment& environment, bool byTerrain, const Context& context) {
  std::vector<std::vector<RingEdge>> open = connectionEdges(environment);
  std::vector<GrownSpace> spaces;
  for (LayerId id = 0; id < environment.layers.size(); ++id) {
    const Layer& layer = environment.layers[id];
    if (byTerrain && !layer.regions.empty() && !layer.free.empty()) {
      if (const Status status = cutByTerrain(environment, id, open[id], spaces, context); !status.ok()) {
        return status.error();
      }
      continue;
    }
    GrownSpace space;
    space.layer = id;
    space.free = layer.free;
    space.open = std::move(open[id]);
    spaces.push_back(std::move(space));
  }
  return spaces;
}

namespace {

// The wall that a stretch of the cut boundary is moved back to, or nothing.
const RingEdge* originOf(const GrownSpace& space, const growth::Wall& wall) {
  for (auto at = std::lower_bound(space.bent.begin(), space.bent.end(),
                                  std::pair(RingEdge(wall.from, Point{-kMaxCoordinate, -kMaxCoordinate}), RingEdge()));
       at != space.bent.end() && at->first.first == wall.from; ++at) {
    if (orient(wall.from, wall.to, at->first.second) == 0 && isNear({wall.from, wall.to}, at->first.second)) {
      return &at->second;
    }
  }
  return nullptr;
}

// Where the lines of a border and a wall meet, rounded once; not a number if they are parallel.
Vec2 meetingOf(const RingEdge& border, const RingEdge& wall) {
  const Int128 dx = int64_t{border.second.x} - border.first.x;
  const Int128 dy = int64_t{border.second.y} - border.first.y;
  const Int128 ex = int64_t{wall.second.x} - wall.first.x;
  const Int128 ey = int64_t{wall.second.y} - wall.first.y;
  Int128 denominator = dx * ey - dy * ex;
  if (denominator == 0) return {NAN, NAN};
  Int128 t = (int64_t{wall.first.x} - border.first.x) * ey - (int64_t{wall.first.y} - border.first.y) * ex;
  if (denominator < 0) {
    denominator = -denominator;
    t = -t;
  }
  const auto coordinate = [&](int32_t origin, Int128 step) {
    const Int128 numerator = t * step;
    return static_cast<double>(origin + static_cast<int64_t>(numerator / denominator)) +
           static_cast<double>(numerator % denominator) / static_cast<double>(denominator);
  };
  return {coordinate(border.first.x, dx), coordinate(border.first.y, dy)};
}

// Where the ends of bent edges belong: on their walls, and on the line of the border that ends there, so that the
// border itself does not turn. Cells that merely touch such an end move with it.
std::vector<std::pair<Point, Vec2>> movedEnds(const GrownSpace& space) {
  std::vector<std::pair<Point, Vec2>> ends;
  for (const auto& [piece, wall] : space.bent) {
    for (const Point p : {piece.first, piece.second}) {
      if (orient(wall.first, wall.second, p) == 0) continue;
      Vec2 place = nearestOn(wall, toVec2(p));
      for (const RingEdge& border : space.open) {
        if (border.first != p && border.second != p) continue;
        const Vec2 met = meetingOf(border, wall);
        // A border that runs along the wall meets it anywhere.
        if (std::hypot(met.x - p.x, met.y - p.y) <= 2 * kBend) place = met;
      }
      ends.emplace_back(p, place);
    }
  }
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return ends;
}

const Vec2* findEnd(std::span<const std::pair<Point, Vec2>> ends, const growth::Corner& corner) {
  if (ends.empty() || corner.denominator != 1) return nullptr;
  const Point p{static_cast<int32_t>(corner.x), static_cast<int32_t>(corner.y)};
  const auto at = std::lower_bound(ends.begin(), ends.end(), p, [](const auto& a, Point b) { return a.first < b; });
  return at != ends.end() && at->first == p ? &at->second : nullptr;
}

// A corner on a wall: on the same lattice line as before where it has one, so that straight sides stay straight.
Vec2 movedOnto(const RingEdge& wall, const growth::Corner& corner) {
  const Vec2 p = corner.toVec2();
  const double dx = static_cast<double>(wall.second.x) - wall.first.x;
  const double dy = static_cast<double>(wall.second.y) - wall.first.y;
  const bool isWholeX = corner.x % corner.denominator == 0;
  const bool isWholeY = corner.y % corner.denominator == 0;
  if (isWholeX && !isWholeY && dx != 0) return {p.x, wall.first.y + (p.x - wall.first.x) / dx * dy};
  if (isWholeY && !isWholeX && dy != 0) return {wall.first.x + (p.y - wall.first.y) / dy * dx, p.y};
  return nearestOn(wall, p);
}

}  // namespace

void addGrownCells(MeshBuilder& builder, const GrownSpace& space, std::span<const growth::Outline> cells,
                   std::span<const growth::Wall> walls) {
  std::vector<const RingEdge*> origin(walls.size(), nullptr);
  if (!space.bent.empty()) {
    for (size_t i = 0; i < walls.size(); ++i) origin[i] = originOf(space, walls[i]);
  }
  const std::vector<std::pair<Point, Vec2>> ends = movedEnds(space);
  const auto originOfEdge = [&](const growth::OutlineEdge& edge) {
    return edge.wall == kNone ? nullptr : origin[edge.wall];
  };
  std::vector<Vec2> loop;
  std::vector<uint8_t> isWall;
  for (const growth::Outline& cell : cells) {
    loop.clear();
    isWall.clear();
    for (size_t i = 0; i < cell.size(); ++i) {
      const growth::OutlineEdge& edge = cell[i];
      const RingEdge* onto = originOfEdge(edge);
      if (onto == nullptr) onto = originOfEdge(cell[(i + cell.size() - 1) % cell.size()]);
      const Vec2* end = findEnd(ends, edge.start);
      loop.push_back(end != nullptr ? *end : onto == nullptr ? edge.start.toVec2() : movedOnto(*onto, edge.start));
      isWall.push_back(edge.wall != kNone && !walls[edge.wall].isOpen ? 1 : 0);
    }
    builder.addCell(space.layer, std::span<const Vec2>(loop), isWall);
  }
}

}  // namespace wend
