#include "environment/build_layer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "environment/check_connections.h"
#include "environment/fence.h"
#include "geometry/overlay.h"
#include "geometry/predicates.h"

namespace wend {
namespace {

constexpr uint32_t kWalkable = 0;
constexpr uint32_t kObstacle = 1;
constexpr uint32_t kOpening = 2;

struct HeightCorner {
  Point p;
  double z;
  uint32_t rank;  // three for each triangle, in order
};

// One point for all corners at the same place and height, in the order of their first use.
HeightField joinCorners(std::vector<HeightCorner> corners, double base) {
  HeightField field;
  field.base = base;
  std::sort(corners.begin(), corners.end(), [](const HeightCorner& a, const HeightCorner& b) {
    return std::tie(a.p, a.z, a.rank) < std::tie(b.p, b.z, b.rank);
  });
  std::vector<uint32_t> first(corners.size());  // by rank: the rank of the first corner at the same place
  for (size_t i = 0; i < corners.size(); ++i) {
    const bool same = i > 0 && corners[i].p == corners[i - 1].p && corners[i].z == corners[i - 1].z;
    first[corners[i].rank] = same ? first[corners[i - 1].rank] : corners[i].rank;
  }
  std::sort(corners.begin(), corners.end(),
            [](const HeightCorner& a, const HeightCorner& b) { return a.rank < b.rank; });
  std::vector<uint32_t> id(corners.size());
  field.triangles.resize(corners.size() / 3);
  for (size_t i = 0; i < corners.size(); ++i) {
    if (first[i] == i) {
      id[i] = static_cast<uint32_t>(field.points.size());
      field.points.push_back(corners[i].p);
      field.z.push_back(corners[i].z);
    }
    field.triangles[i / 3][i % 3] = id[first[i]];
  }
  return field;
}

class LayerBuilder {
 public:
  LayerBuilder(const LayerDraft& draft, const Lattice& lattice, const Context& context)
      : draft_(draft), lattice_(lattice), context_(context) {}

  Result<Layer> run() {
    layer_.id = draft_.id;
    layer_.name = draft_.name;
    if (Status status = buildFree(); !status.ok()) return status.error();
    if (Status status = buildRegions(); !status.ok()) return status.error();
    if (Status status = buildHeights(); !status.ok()) return status.error();
    if (dropped_ > 0) {
      note(fmt::format("{} {} without area {} dropped", dropped_, dropped_ == 1 ? "loop" : "loops",
                       dropped_ == 1 ? "was" : "were"));
    }
    return std::move(layer_);
  }

 private:
  void note(const std::string& sentence) const { context_.note(fmt::format("layer {}: {}", draft_.id, sentence)); }

  // `list` names the loops in messages.
  Status addShapes(const std::vector<Loops>& polygons, uint32_t group, const char* list, std::vector<Shape>& shapes) {
    for (size_t i = 0; i < polygons.size(); ++i) {
      Shape shape;
      shape.group = group;
      for (const std::vector<Vec2>& loop : polygons[i]) {
        Ring ring;
        ring.reserve(loop.size());
        for (const Vec2 metres : loop) {
          const Result<Point> p = lattice_.snap(metres);
          if (!p.ok()) {
            return Error{p.error().code,
                         fmt::format("layer {}, {} polygon {}: {}", draft_.id, list, i, p.error().message)};
          }
          if (ring.empty() || ring.back() != *p) ring.push_back(*p);
        }
        while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        // Drawn as a segment or a point: a fence or a post.
        if (group == kObstacle && !ring.empty() && loop.size() < 3) ring = fence(ring.front(), ring.back());
        if (ring.size() < 3) {
          ++dropped_;
          continue;
        }
        shape.loops.push_back(std::move(ring));
      }
      if (!shape.loops.empty()) shapes.push_back(std::move(shape));
    }
    return Done{};
  }

  Status buildFree() {
    std::vector<Shape> shapes;
    if (Status s = addShapes(draft_.walkable, kWalkable, "walkable", shapes); !s.ok()) return s;
    if (Status s = addShapes(draft_.obstacles, kObstacle, "obstacle", shapes); !s.ok()) return s;
    if (Status s = addShapes(draft_.openings, kOpening, "opening", shapes); !s.ok()) return s;
    const auto isFree = [](uint32_t groups) {
      const bool walkable = (groups & (1U << kWalkable)) != 0;
      const bool obstacle = (groups & (1U << kObstacle)) != 0;
      return (groups & (1U << kOpening)) != 0 || (walkable && !obstacle);
    };
    Result<std::vector<Polygon>> free = overlay(shapes, isFree, context_);
    if (!free.ok()) return named(free.error());
    layer_.free = std::move(free).value();
    return Done{};
  }

  Status buildRegions() {
    for (const RegionDraft& drawn : draft_.regions) {
      std::vector<Shape> shapes;
      if (Status s = addShapes(drawn.area, 0, ("region \"" + drawn.label + "\",").c_str(), shapes); !s.ok()) return s;
      Result<std::vector<Polygon>> area = overlay(
          shapes, [](uint32_t groups) { return groups != 0; }, context_);
      if (!area.ok()) return named(area.error());
      if (area->empty()) {
        note(fmt::format("the region \"{}\" without area was dropped", drawn.label));
        continue;
      }
      layer_.regions.push_back({drawn.label, std::move(area).value()});
    }
    return Done{};
  }

  Status buildHeights() {
    HeightField& field = layer_.heights;
    if (!std::isfinite(draft_.height)) {
      return Error{ErrorCode::kInvalidGeometry, fmt::format("layer {}: the height is not a finite number", draft_.id)};
    }
    field.base = draft_.height + 0.0;  // no negative zero
    std::vector<HeightCorner> corners;
    size_t flat = 0;
    for (size_t t = 0; t < draft_.surface.size(); ++t) {
      std::array<Point, 3> points;
      for (size_t i = 0; i < 3; ++i) {
        const Vec3 v = draft_.surface[t][i];
        const Result<Point> p = lattice_.snap({v.x, v.y});
        if (!p.ok() || !std::isfinite(v.z)) {
          return Error{p.ok() ? ErrorCode::kInvalidGeometry : p.error().code,
                       fmt::format("layer {}, surface triangle {}: {}", draft_.id, t,
                                   p.ok() ? fmt::format("the height at {} is not a finite number", nameOf({v.x, v.y}))
                                          : p.error().message)};
        }
        points[i] = *p;
      }
      const int turn = orient(points[0], points[1], points[2]);
      if (turn == 0) {
        ++flat;
        continue;
      }
      for (const size_t i : {0, turn > 0 ? 1 : 2, turn > 0 ? 2 : 1}) {
        corners.push_back({points[i], draft_.surface[t][i].z + 0.0, static_cast<uint32_t>(corners.size())});
      }
    }
    field = joinCorners(std::move(corners), field.base);
    if (flat > 0) note(fmt::format("{} surface triangles without area in top view were dropped", flat));
    return Done{};
  }

  Error named(const Error& error) const { return {error.code, fmt::format("layer {}: {}", draft_.id, error.message)}; }

  const LayerDraft& draft_;
  const Lattice& lattice_;
  const Context& context_;
  Layer layer_;
  size_t dropped_ = 0;
};

}  // namespace

Result<Layer> buildLayer(const LayerDraft& draft, const Lattice& lattice, const Context& context) {
  return LayerBuilder(draft, lattice, context).run();
}

}  // namespace wend
