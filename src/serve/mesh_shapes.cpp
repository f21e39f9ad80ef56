#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/disjoint_sets.h"
#include "draw/palette.h"
#include "generators/ecm/arc.h"
#include "mesh/cell_geometry.h"
#include "serve/blob.h"
#include "serve/ground.h"
#include "serve/shapes.h"

namespace wend::serve {
namespace {

class Floats {
 public:
  explicit Floats(Vec3 origin) : origin_(origin) {}
  void add(Vec3 p) {
    values.push_back(static_cast<float>(p.x - origin_.x));
    values.push_back(static_cast<float>(p.y - origin_.y));
    values.push_back(static_cast<float>(p.z - origin_.z));
  }
  std::vector<float> values;

 private:
  Vec3 origin_;
};

// Ears of a loop, which may be concave. O(n^2); cells are small.
template <typename Visit>
void cutEars(std::vector<Vec2> loop, const Visit& visit) {
  size_t misses = 0;
  size_t i = 0;
  while (loop.size() > 3 && misses < loop.size()) {
    const size_t n = loop.size();
    const Vec2 a = loop[(i + n - 1) % n];
    const Vec2 b = loop[i % n];
    const Vec2 c = loop[(i + 1) % n];
    bool isEar = orient(a, b, c) > 0;
    for (size_t k = 0; isEar && k < n; ++k) {
      const Vec2 p = loop[k];
      if (p == a || p == b || p == c) continue;
      if (orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0) isEar = false;
    }
    if (isEar) {
      visit(a, b, c);
      loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i % n));
      misses = 0;
    } else if (orient(a, b, c) == 0) {
      loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(i % n));
      misses = 0;
    } else {
      ++i;
      ++misses;
    }
    if (!loop.empty()) i %= loop.size();
  }
  // What is left of a loop that is not simple is drawn as it is.
  for (size_t k = 1; k + 1 < loop.size(); ++k) visit(loop[0], loop[k], loop[k + 1]);
}

std::vector<Vec2> loopOf(const NavMesh& mesh, CellId cell) {
  std::vector<Vec2> loop;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) loop.push_back(startPoint(mesh, s));
  return loop;
}

bool isConvex(const std::vector<Vec2>& loop) {
  const size_t n = loop.size();
  for (size_t i = 0; i < n; ++i) {
    if (orient(loop[i], loop[(i + 1) % n], loop[(i + 2) % n]) < 0) return false;
  }
  return true;
}

std::vector<uint32_t> componentsOf(const NavMesh& mesh) {
  DisjointSets sets(mesh.cellCount());
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s)) sets.join(mesh.cellOf(s), mesh.neighbour(s));
  }
  std::vector<uint32_t> number(mesh.cellCount(), kNone);
  std::vector<uint32_t> component(mesh.cellCount());
  uint32_t next = 0;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    const uint32_t root = sets.find(cell);
    if (number[root] == kNone) number[root] = next++;
    component[cell] = number[root];
  }
  return component;
}

}  // namespace

Vec3 originOf(const Environment& environment) {
  const Box box = boundingBox(environment);
  if (box.empty()) return {};
  const Vec2 low = environment.lattice.toMetres(box.min);
  const Vec2 high = environment.lattice.toMetres(box.max);
  return {std::round((low.x + high.x) / 2), std::round((low.y + high.y) / 2), 0};
}

Bytes meshBlob(const World& world, Vec3 origin) {
  const NavMesh& mesh = world.mesh();
  const Ground ground(mesh);
  std::vector<CellId> order(mesh.cellCount());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](CellId a, CellId b) { return mesh.layerOf(a) < mesh.layerOf(b); });

  Floats floor(origin);
  Floats portals(origin);
  Floats walls(origin);
  Floats connections(origin);
  std::vector<uint32_t> floorCell;
  std::vector<uint32_t> floorBegin{0};
  std::vector<uint32_t> portalsBegin{0};
  std::vector<uint32_t> wallsBegin{0};
  size_t left = 0;
  size_t at = 0;
  for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
    for (; at < order.size() && mesh.layerOf(order[at]) == layer; ++at) {
      const CellId cell = order[at];
      if (floorCell.size() > kMaxDrawnTriangles) {
        ++left;
        continue;
      }
      const auto triangle = [&](Vec2 a, Vec2 b, Vec2 c) {
        ground.cover(a, b, c, layer, [&](Vec3 p, Vec3 q, Vec3 r) {
          for (const Vec3& corner : {p, q, r}) floor.add(corner);
          floorCell.push_back(cell);
        });
      };
      std::vector<Vec2> loop = loopOf(mesh, cell);
      if (isConvex(loop)) {
        for (size_t k = 1; k + 1 < loop.size(); ++k) triangle(loop[0], loop[k], loop[k + 1]);
      } else {
        cutEars(std::move(loop), triangle);
      }
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const bool wall = mesh.isWall(s);
        if (!wall && mesh.twin(s) < s) continue;
        Floats& lines = wall ? walls : mesh.layerOf(mesh.neighbour(s)) != layer ? connections : portals;
        ground.follow(startPoint(mesh, s), endPoint(mesh, s), layer, [&](Vec3 p, Vec3 q) {
          lines.add(p);
          lines.add(q);
        });
      }
    }
    floorBegin.push_back(static_cast<uint32_t>(floorCell.size()));
    portalsBegin.push_back(static_cast<uint32_t>(portals.values.size() / 6));
    wallsBegin.push_back(static_cast<uint32_t>(walls.values.size() / 6));
  }
  std::vector<uint8_t> cellLayer;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    cellLayer.push_back(static_cast<uint8_t>(std::min(mesh.layerOf(cell), 255U)));
  }
  BlobWriter blob;
  blob.add("floor", floor.values);
  blob.add("floorCell", floorCell);
  blob.add("floorBegin", floorBegin);
  blob.add("portals", portals.values);
  blob.add("portalsBegin", portalsBegin);
  blob.add("walls", walls.values);
  blob.add("wallsBegin", wallsBegin);
  blob.add("connections", connections.values);
  blob.add("cellColour", colourCells(mesh));
  blob.add("cellComponent", componentsOf(mesh));
  blob.add("cellLayer", cellLayer);
  return blob.finish({{"cells", mesh.cellCount()}, {"left", left}});
}

Bytes axisBlob(const World& world, Vec3 origin) {
  Floats axis(origin);
  std::vector<float> clearance;
  std::vector<uint8_t> axisLayer;
  Floats bends(origin);
  std::vector<uint8_t> bendLayer;
  std::vector<float> disks;
  std::vector<uint8_t> diskLayer;
  const auto small = [](LayerId layer) { return static_cast<uint8_t>(std::min(layer, 255U)); };
  if (const auto& map = world.medialAxis()) {
    const Ground ground(world.mesh());
    const double unit = map->lattice.unit;
    constexpr int kArcSteps = 12;
    for (uint32_t i = 0; i < map->arcs.size(); ++i) {
      const CorridorMap::Arc& arc = map->arcs[i];
      if (arc.left == kNone) continue;
      const CorridorMap::BendingPoint& from = map->bendingPoints[i];
      const CorridorMap::BendingPoint& to = map->bendingPoints[i + 1];
      const ecm::ArcCurve curve(map->sites[arc.left], map->sites[arc.right], from.p, to.p, from.clearance,
                                to.clearance);
      const int steps = curve.kind() == ecm::ArcCurve::Kind::kParabola ? kArcSteps : 1;
      Vec2 last = from.p;
      for (int k = 1; k <= steps; ++k) {
        const double u = curve.begin() + (curve.end() - curve.begin()) * k / steps;
        const Vec2 p = k == steps ? to.p : curve.position(u);
        // An arc across a connection counts to the layer of the nearer end.
        const LayerId layer = 2 * k <= steps ? from.layer : to.layer;
        ground.follow(last, p, layer, [&](Vec3 a, Vec3 b) {
          axis.add(a);
          axis.add(b);
          clearance.push_back(static_cast<float>(arc.minClearance * unit));
          axisLayer.push_back(small(layer));
        });
        last = p;
      }
    }
    for (const CorridorMap::BendingPoint& bp : map->bendingPoints) {
      bends.add(ground.lift(bp.p, bp.layer));
      bends.add(ground.lift(bp.l, bp.layerL));
      bends.add(ground.lift(bp.r, bp.layerR));
      bendLayer.push_back(small(bp.layer));
    }
    for (const CorridorMap::Vertex& vertex : map->vertices) {
      if (vertex.clearance == 0) continue;
      const Vec3 p = ground.lift(vertex.p, vertex.layer);
      for (const double value : {p.x - origin.x, p.y - origin.y, p.z - origin.z, vertex.clearance * unit}) {
        disks.push_back(static_cast<float>(value));
      }
      diskLayer.push_back(small(vertex.layer));
    }
  }
  BlobWriter blob;
  blob.add("axis", axis.values);
  blob.add("axisClearance", clearance);
  blob.add("axisLayer", axisLayer);
  blob.add("bends", bends.values);
  blob.add("bendLayer", bendLayer);
  blob.add("disks", disks);
  blob.add("diskLayer", diskLayer);
  return blob.finish({{"edges", world.medialAxis() ? world.medialAxis()->edges.size() : 0}});
}

Bytes marksBlob(const World& world, const ExtractReport* extraction, Vec3 origin) {
  Floats places(origin);
  std::vector<uint8_t> kinds;
  nlohmann::json sentences = nlohmann::json::array();
  constexpr size_t kMost = 500;
  const auto mark = [&](Vec3 place, uint8_t kind, std::string sentence) {
    if (kinds.size() >= kMost) return;
    places.add(place);
    kinds.push_back(kind);
    sentences.push_back(std::move(sentence));
  };
  const Ground ground(world.mesh());
  for (const MeshFault& fault : checkMesh(world.mesh(), &world.environment(), kMost)) {
    const bool known = fault.cell < world.mesh().cellCount();
    const double unit = world.mesh().lattice().unit;
    const Vec2 place{fault.place.x / unit, fault.place.y / unit};
    mark(known ? ground.lift(place, world.mesh().layerOf(fault.cell)) : Vec3{fault.place.x, fault.place.y, 0}, 0,
         fault.message);
  }
  for (const Violation& violation : validate(world.environment(), kMost)) {
    const bool known = violation.layer < world.environment().layers.size();
    mark({violation.place.x, violation.place.y, known ? world.environment().layers[violation.layer].heights.base : 0},
         1, violation.message);
  }
  if (extraction != nullptr) {
    for (const ExtractSpot& spot : extraction->spots) mark(spot.place, 2, spot.reason);
  }
  BlobWriter blob;
  blob.add("places", places.values);
  blob.add("kind", kinds);
  return blob.finish(
      {{"kinds", {"fault of the mesh", "fault of the environment", "lost in extraction"}}, {"marks", sentences}});
}

}  // namespace wend::serve
