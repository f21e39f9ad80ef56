#include <algorithm>
#include <cmath>
#include <utility>

#include <wend/environment.h>

#include <fmt/format.h>

#include "environment/boundary.h"
#include "environment/check_connections.h"
#include "environment/heights.h"
#include "geometry/polygon_check.h"

namespace wend {
namespace {

ViolationKind kindOf(PolygonFaultKind kind) {
  switch (kind) {
    case PolygonFaultKind::kRingTooShort:
      return ViolationKind::kRingTooShort;
    case PolygonFaultKind::kRepeatedPoint:
      return ViolationKind::kRepeatedPoint;
    case PolygonFaultKind::kOutsideLattice:
      return ViolationKind::kOutsideLattice;
    case PolygonFaultKind::kCrossing:
      return ViolationKind::kCrossing;
    case PolygonFaultKind::kVertexOnEdge:
      return ViolationKind::kVertexOnEdge;
    case PolygonFaultKind::kOrientation:
      return ViolationKind::kOrientation;
    case PolygonFaultKind::kNesting:
      return ViolationKind::kNesting;
    case PolygonFaultKind::kBoundaryWalk:
      return ViolationKind::kBoundaryWalk;
  }
  return ViolationKind::kCrossing;
}

const char* meaningOf(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::kRingTooShort:
      return "has fewer than three points";
    case ViolationKind::kRepeatedPoint:
      return "repeats a point";
    case ViolationKind::kOutsideLattice:
      return "leaves the lattice";
    case ViolationKind::kCrossing:
      return "crosses or overlaps another boundary segment";
    case ViolationKind::kVertexOnEdge:
      return "touches the inside of a segment with a vertex";
    case ViolationKind::kOrientation:
      return "runs in the wrong direction (outer rings run counter-clockwise)";
    case ViolationKind::kNesting:
      return "is a hole outside its polygon, or its polygon overlaps another";
    case ViolationKind::kBoundaryWalk:
      return "turns the wrong way at a vertex it visits twice";
    default:
      return "is not valid";
  }
}

class Validator {
 public:
  Validator(const Environment& environment, size_t limit) : environment_(environment), limit_(limit) {}

  std::vector<Violation> run() {
    checkUnit();
    checkLayerIds();
    for (uint32_t layer = 0; layer < environment_.layers.size() && !full(); ++layer) checkLayer(layer);
    if (!full()) {
      checkConnections(environment_, Boundary(environment_.layers, environment_.connections), limit_, found_);
    }
    if (!full()) checkTruth();
    return std::move(found_);
  }

 private:
  bool full() const { return found_.size() >= limit_; }

  void report(ViolationKind kind, uint32_t layer, Point place, std::string message) {
    if (!full()) found_.push_back({kind, layer, environment_.lattice.toMetres(place), std::move(message)});
  }

  void checkUnit() {
    const double unit = environment_.lattice.unit;
    if (unit >= 1e-6 && unit <= 1) return;
    report(ViolationKind::kUnit, kNone, {},
           fmt::format("the lattice unit is {:g} m; it must be within 1e-6 to 1 m", unit));
  }

  void checkLayerIds() {
    std::vector<std::pair<int32_t, uint32_t>> ids;
    for (uint32_t i = 0; i < environment_.layers.size(); ++i) ids.emplace_back(environment_.layers[i].id, i);
    std::sort(ids.begin(), ids.end());
    for (size_t i = 1; i < ids.size(); ++i) {
      if (ids[i].first != ids[i - 1].first) continue;
      const auto& free = environment_.layers[ids[i].second].free;
      report(ViolationKind::kDuplicateLayer, ids[i].second,
             free.empty() || free[0].outer.empty() ? Point{} : free[0].outer[0],
             fmt::format("two layers have the id {}; ids must be unique", ids[i].first));
    }
  }

  void checkLayer(uint32_t index) {
    const Layer& layer = environment_.layers[index];
    checkPolygons(index, layer.free, "");
    for (const Region& region : layer.regions) {
      if (full()) return;
      checkPolygons(index, region.area, fmt::format("region \"{}\", ", region.label));
    }
    checkHeights(index);
  }

  void checkPolygons(uint32_t index, const std::vector<Polygon>& polygons, const std::string& where) {
    for (const PolygonFault& fault : findPolygonFaults(polygons, limit_ - found_.size())) {
      const ViolationKind kind = kindOf(fault.kind);
      const std::string ring = fault.ring == 0 ? std::string("the outer ring") : fmt::format("hole {}", fault.ring - 1);
      report(kind, index, fault.place,
             fmt::format("layer {}, {}polygon {}: {} {} at {}", environment_.layers[index].id, where, fault.polygon,
                         ring, meaningOf(kind), nameOf(environment_.lattice.toMetres(fault.place))));
    }
  }

  void checkHeights(uint32_t index) {
    const Layer& layer = environment_.layers[index];
    const HeightField& field = layer.heights;
    if (!std::isfinite(field.base)) {
      report(ViolationKind::kHeights, index, {}, fmt::format("layer {}: the height is not a finite number", layer.id));
    }
    if (field.points.size() != field.z.size()) {
      report(ViolationKind::kHeights, index, {},
             fmt::format("layer {}: {} points of the height field have {} heights", layer.id, field.points.size(),
                         field.z.size()));
    }
    for (size_t i = 0; i < std::min(field.points.size(), field.z.size()) && !full(); ++i) {
      const Point p = field.points[i];
      const bool inside =
          p.x >= -kMaxCoordinate && p.x <= kMaxCoordinate && p.y >= -kMaxCoordinate && p.y <= kMaxCoordinate;
      if (std::isfinite(field.z[i]) && inside) continue;
      report(ViolationKind::kHeights, index, p,
             fmt::format("layer {}: point {} of the height field {}", layer.id, i,
                         inside ? "has no finite height" : "leaves the lattice"));
    }
    for (uint32_t t = 0; t < field.triangles.size() && !full(); ++t) {
      if (soundTriangle(field, t)) continue;
      const uint32_t first = field.triangles[t][0];
      report(ViolationKind::kHeights, index, first < field.points.size() ? field.points[first] : Point{},
             fmt::format("layer {}: triangle {} of the height field is not a counter-clockwise triangle of known, "
                         "finite points",
                         layer.id, t));
    }
  }

  void checkTruth() {
    if (!environment_.truth) return;
    const Topology found = topology(environment_);
    const Topology& truth = *environment_.truth;
    if (found == truth) return;
    const Box box = boundingBox(environment_);
    report(ViolationKind::kTruth, kNone, box.empty() ? Point{} : box.min,
           fmt::format("the recorded truth is {}, but the polygons have {}", describe(truth), describe(found)));
  }

  std::string describe(const Topology& t) const {
    return fmt::format("area {:.17g} m2, {} components, {} boundaries, genus {}",
                       environment_.lattice.area(t.doubledArea), t.components, t.boundaries, t.genus);
  }

  const Environment& environment_;
  size_t limit_;
  std::vector<Violation> found_;
};

}  // namespace

const char* violationName(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::kRingTooShort:
      return "ring-too-short";
    case ViolationKind::kRepeatedPoint:
      return "repeated-point";
    case ViolationKind::kOutsideLattice:
      return "outside-lattice";
    case ViolationKind::kCrossing:
      return "crossing";
    case ViolationKind::kVertexOnEdge:
      return "vertex-on-edge";
    case ViolationKind::kOrientation:
      return "orientation";
    case ViolationKind::kNesting:
      return "nesting";
    case ViolationKind::kBoundaryWalk:
      return "boundary-walk";
    case ViolationKind::kConnectionLayers:
      return "connection-layers";
    case ViolationKind::kConnectionTooShort:
      return "connection-too-short";
    case ViolationKind::kConnectionOffBoundary:
      return "connection-off-boundary";
    case ViolationKind::kConnectionFolded:
      return "connection-folded";
    case ViolationKind::kConnectionObstacle:
      return "connection-obstacle";
    case ViolationKind::kConnectionShared:
      return "connection-shared";
    case ViolationKind::kConnectionSplit:
      return "connection-split";
    case ViolationKind::kWinding:
      return "winding";
    case ViolationKind::kHeights:
      return "heights";
    case ViolationKind::kHeightJump:
      return "height-jump";
    case ViolationKind::kDuplicateLayer:
      return "duplicate-layer";
    case ViolationKind::kUnit:
      return "unit";
    case ViolationKind::kTruth:
      return "truth";
  }
  return "unknown";
}

std::vector<Violation> validate(const Environment& environment, size_t limit) {
  return Validator(environment, limit).run();
}

}  // namespace wend
