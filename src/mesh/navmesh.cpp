#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <wend/corridor_map.h>
#include <wend/navmesh.h>

#include "base/disjoint_sets.h"
#include "base/hash.h"
#include "geometry/int128.h"
#include "mesh/cell_geometry.h"

namespace wend {

namespace {

// Twice the signed area of a loop around its first corner. Exact for whole coordinates.
struct CellSum {
  Int128 whole = 0;
  double fraction = 0;  // of loops with a corner off the lattice
};

// By way of 64 bits, which every difference of coordinates has room in: one instruction instead of a call.
Int128 wholeOf(double difference) {
  return static_cast<int64_t>(difference);
}

CellSum doubledArea(const NavMesh& mesh, CellId cell) {
  const SideId begin = mesh.firstSide(cell);
  const SideId end = mesh.endSide(cell);
  if (end - begin < 3) return {};
  const Vec2 origin = mesh.vertex(mesh.startVertex(begin));
  bool whole = isWhole(origin);
  Int128 exact = 0;
  double rounded = 0;
  for (SideId s = begin + 1; s + 1 < end; ++s) {
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.startVertex(s + 1));
    whole = whole && isWhole(a) && isWhole(b);
    rounded += (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
    if (whole) {
      exact += wholeOf(a.x - origin.x) * wholeOf(b.y - origin.y) - wholeOf(a.y - origin.y) * wholeOf(b.x - origin.x);
    }
  }
  return whole ? CellSum{exact, 0} : CellSum{0, rounded};
}

uint32_t countComponents(const NavMesh& mesh) {
  DisjointSets sets(mesh.cellCount());
  uint32_t components = mesh.cellCount();
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s) && sets.join(mesh.cellOf(s), mesh.neighbour(s))) --components;
  }
  return components;
}

// Follows the walls through the fans between them. Each side is passed once, so the walk ends even if the twins of a
// damaged mesh do not match.
uint32_t countBoundaries(const NavMesh& mesh) {
  std::vector<bool> passed(mesh.sideCount(), false);
  uint32_t boundaries = 0;
  for (SideId wall = 0; wall < mesh.sideCount(); ++wall) {
    if (!mesh.isWall(wall) || passed[wall]) continue;
    ++boundaries;
    for (SideId s = wall; !passed[s];) {
      passed[s] = true;
      s = mesh.nextSide(mesh.isWall(s) ? s : mesh.twin(s));
    }
  }
  return boundaries;
}

}  // namespace

struct LateHash::Pending {
  std::once_flag once;
  std::function<uint64_t()> compute;
  uint64_t value = 0;
};

LateHash::LateHash(std::function<uint64_t()> compute) : pending_(std::make_shared<Pending>()) {
  pending_->compute = std::move(compute);
}

uint64_t LateHash::value() const {
  if (!pending_) return value_;
  std::call_once(pending_->once, [this] {
    pending_->value = pending_->compute();
    pending_->compute = nullptr;
  });
  return pending_->value;
}

NavMesh::NavMesh(MeshArrays arrays) : info_(std::make_shared<const MeshArrays>(std::move(arrays))) {
  views_ = {info_->vertices,   info_->heights,  info_->cellBegin, info_->cellLayer,
            info_->sideVertex, info_->sideTwin, info_->sideCell};
}

NavMesh::NavMesh(MeshArrays small, Views views, std::shared_ptr<const void> owner)
    : info_(std::make_shared<const MeshArrays>(std::move(small))), owner_(std::move(owner)), views_(views) {}

NavMesh NavMesh::withCorridorMap(std::shared_ptr<const CorridorMap> map) const {
  NavMesh mesh = *this;
  mesh.corridorMap_ = std::move(map);
  return mesh;
}

uint32_t NavMesh::portalCount() const {
  const auto walls = std::count(views_.sideTwin.begin(), views_.sideTwin.end(), kNone);
  return (sideCount() - static_cast<uint32_t>(walls)) / 2;
}

size_t NavMesh::memory() const {
  size_t bytes = views_.vertices.size_bytes() + views_.heights.size_bytes() + views_.cellBegin.size_bytes() +
                 views_.cellLayer.size_bytes() + views_.sideVertex.size_bytes() + views_.sideTwin.size_bytes() +
                 views_.sideCell.size_bytes() + info_->layerIds.size() * sizeof(int32_t);
  for (const std::string& name : info_->layerNames) bytes += name.size();
  for (const HeightField& field : info_->layerHeights) {
    bytes += field.points.size() * sizeof(Point) + field.z.size() * sizeof(double) +
             field.triangles.size() * sizeof(field.triangles[0]);
  }
  if (corridorMap_ != nullptr) bytes += corridorMap_->memory();
  return bytes;
}

double cellArea(const NavMesh& mesh, CellId cell) {
  const CellSum area = doubledArea(mesh, cell);
  return (static_cast<double>(area.whole) + area.fraction) * 0.5 * mesh.lattice().unit * mesh.lattice().unit;
}

size_t countSlivers(const NavMesh& mesh) {
  constexpr double kSliver = 5 * M_PI / 180;
  size_t count = 0;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    bool thin = false;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const SideId next = mesh.nextSide(s);
      if (mesh.isWall(s) && mesh.isWall(next)) continue;
      const Vec2 a = mesh.vertex(mesh.startVertex(s));
      const Vec2 b = mesh.vertex(mesh.startVertex(next));
      const Vec2 c = mesh.vertex(mesh.endVertex(next));
      const double turn = std::atan2((c.x - b.x) * (a.y - b.y) - (c.y - b.y) * (a.x - b.x),
                                     (c.x - b.x) * (a.x - b.x) + (c.y - b.y) * (a.y - b.y));
      thin = thin || std::abs(turn) < kSliver;
    }
    count += thin ? 1 : 0;
  }
  return count;
}

Topology topology(const NavMesh& mesh) {
  Topology result;
  Int128 whole = 0;
  // Neumaier's sum: a million cells lose no more than one rounding.
  double sum = 0;
  double lost = 0;
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    const CellSum area = doubledArea(mesh, c);
    whole += area.whole;
    const double next = sum + area.fraction;
    lost += std::abs(sum) >= std::abs(area.fraction) ? (sum - next) + area.fraction : (area.fraction - next) + sum;
    sum = next;
  }
  result.doubledArea = toDoubledArea(whole + static_cast<Int128>(std::nearbyint(sum + lost)));
  result.components = countComponents(mesh);
  result.boundaries = countBoundaries(mesh);
  const int64_t edges = static_cast<int64_t>(mesh.sideCount()) - static_cast<int64_t>(mesh.portalCount());
  const int64_t euler = static_cast<int64_t>(mesh.vertexCount()) - edges + mesh.cellCount();
  const int64_t handles = 2 * static_cast<int64_t>(result.components) - result.boundaries - euler;
  result.genus = handles > 0 ? static_cast<uint32_t>(handles / 2) : 0;
  return result;
}

uint64_t hash(const NavMesh& mesh) {
  const MeshArrays& info = mesh.info();
  const NavMesh::Views& views = mesh.views();
  Hash h;
  h.add(info.lattice.unit);
  h.add(info.generator);
  h.add(info.settingsHash);
  h.add(info.environmentHash.value());
  h.add(info.environment.doubledArea.low);
  h.add(info.environment.doubledArea.high);
  h.add(info.environment.components);
  h.add(info.environment.boundaries);
  h.add(info.environment.genus);
  h.add(static_cast<uint8_t>(info.traits.convex + 2 * info.traits.disjoint + 4 * info.traits.exact));
  h.array(views.vertices);
  h.array(views.heights);
  h.array(views.cellBegin);
  h.array(views.cellLayer);
  h.array(views.sideVertex);
  h.array(views.sideTwin);
  h.array(views.sideCell);
  h.array(std::span<const int32_t>(info.layerIds));
  h.add(info.layerNames.size());
  for (const std::string& name : info.layerNames) h.add(name);
  h.add(info.layerHeights.size());
  for (const HeightField& field : info.layerHeights) {
    h.add(field.base);
    h.array(std::span<const Point>(field.points));
    h.array(std::span<const double>(field.z));
    h.array(std::span<const std::array<uint32_t, 3>>(field.triangles));
  }
  if (mesh.corridorMap() != nullptr) h.add(hash(*mesh.corridorMap()));
  return h.value();
}

}  // namespace wend
