#include <algorithm>

#include <wend/volume/volume_mesh.h>

#include <fmt/format.h>

#include "geometry/solid/box_grid.h"
#include "geometry/solid/volume_sum.h"
#include "volume/find_gateways.h"
#include "volume/volume_data.h"

namespace wend {
namespace {

class Checker {
 public:
  Checker(const VolumeMesh& mesh, size_t limit) : mesh_(mesh), data_(mesh.data()), limit_(limit) {}

  std::vector<VolumeFault> run() {
    checkCells();
    if (mesh_.info().traits.disjoint) checkOverlaps();
    checkGateways();
    if (mesh_.info().traits.exact) checkVolume();
    return std::move(faults_);
  }

 private:
  bool full() const { return faults_.size() >= limit_; }
  void report(VolumeFaultKind kind, VolumeId cell, Vec3 place, std::string message) {
    if (!full()) faults_.push_back({kind, cell, place, std::move(message)});
  }

  // Convex: all corners inside all planes, and each corner of a face on its plane.
  void checkCells() {
    const Box3 bounds{data_.info.low, data_.info.high};
    for (VolumeId c = 0; c < mesh_.cellCount() && !full(); ++c) {
      const Polyhedron& solid = data_.solids[c];
      for (const Polyhedron::Face& face : solid.faces) {
        const bool flat = std::all_of(face.loop.begin(), face.loop.end(),
                                      [&](uint32_t v) { return side(face.plane, solid.vertices[v]) == 0; });
        if (face.loop.size() >= 3 && flat && isWithin(solid, face.plane)) continue;
        report(VolumeFaultKind::kConvexity, c, mesh_.centre(c),
               fmt::format("volume {} is not the convex body of its half-spaces", c));
        break;
      }
      const Box3& box = data_.boxes[c];
      for (int axis = 0; axis < 3; ++axis) {
        if (coordinate(box.low, axis) >= coordinate(bounds.low, axis) &&
            coordinate(box.high, axis) <= coordinate(bounds.high, axis)) {
          continue;
        }
        report(VolumeFaultKind::kBounds, c, mesh_.centre(c), fmt::format("volume {} leaves the bounds", c));
      }
    }
  }

  void checkOverlaps() {
    BoxGrid grid({data_.info.low, data_.info.high}, mesh_.cellCount());
    for (VolumeId c = 0; c < mesh_.cellCount() && !full(); ++c) {
      std::vector<VolumeId> near;
      grid.visit(data_.boxes[c], [&](uint32_t other) {
        if (data_.boxes[other].overlaps(data_.boxes[c])) near.push_back(other);
      });
      std::sort(near.begin(), near.end());
      for (const VolumeId other : near) {
        const Polyhedron shared = common(data_.solids[c], data_.solids[other]);
        if (shared.empty()) continue;
        report(VolumeFaultKind::kOverlap, c, data_.info.lattice.toMetres(middleOf(shared)),
               fmt::format("volumes {} and {} overlap", other, c));
      }
      grid.add(c, data_.boxes[c]);
    }
  }

  // Every pair of faces that face each other, seen from the cell with the larger id.
  void checkGateways() {
    std::vector<FaceContact> found;
    for (const VolumeGateway& g : data_.gateways) {
      found.push_back({g.cellA, g.cellB, g.faceA - data_.faceBegin[g.cellA], g.faceB - data_.faceBegin[g.cellB]});
    }
    size_t next = 0;
    for (const FaceContact& pair : facingPairs(data_.solids, data_.boxes)) {
      if (full()) return;
      const std::vector<ExactVertex> polygon =
          contactPolygon(data_.solids[pair.cellB], pair.faceB, data_.solids[pair.cellA], pair.faceA);
      const bool listed = next < found.size() && found[next] == pair;
      if (listed != !polygon.empty()) {
        report(VolumeFaultKind::kGateway, pair.cellA, mesh_.centre(pair.cellA),
               fmt::format("volumes {} and {} disagree about what they share", pair.cellA, pair.cellB));
        return;
      }
      if (!listed) continue;
      const size_t corners = mesh_.gatewayCorners(static_cast<GatewayId>(next)).size();
      if (corners != polygon.size()) {
        report(VolumeFaultKind::kGateway, pair.cellA, mesh_.gateway(static_cast<GatewayId>(next)).centre,
               fmt::format("the gateway between volumes {} and {} has {} corners on one side and {} on the other",
                           pair.cellA, pair.cellB, corners, polygon.size()));
      }
      ++next;
    }
    if (next != found.size()) {
      report(VolumeFaultKind::kGateway, found[next].cellA, mesh_.centre(found[next].cellA),
             "a gateway lies between faces that do not face each other");
    }
  }

  void checkVolume() {
    const std::optional<ExactVolume>& expected = data_.info.freeVolume;
    if (!expected) {
      report(VolumeFaultKind::kVolume, kNone, {}, "the mesh promises to be exact, but records no free volume");
      return;
    }
    VolumeSum sum;
    for (const Polyhedron& solid : data_.solids) sum.add(solid);
    if (!sum.decided() || sum.residues() == expected->residues) return;
    const double unit = data_.info.lattice.unit;
    report(VolumeFaultKind::kVolume, kNone, {},
           fmt::format("the volumes add up to {:.9g} m3 instead of {:.9g} m3", sum.cubicUnits() * unit * unit * unit,
                       expected->cubicMetres));
  }

  const VolumeMesh& mesh_;
  const VolumeMesh::Data& data_;
  size_t limit_;
  std::vector<VolumeFault> faults_;
};

}  // namespace

const char* faultName(VolumeFaultKind kind) {
  switch (kind) {
    case VolumeFaultKind::kConvexity:
      return "convexity";
    case VolumeFaultKind::kBounds:
      return "bounds";
    case VolumeFaultKind::kOverlap:
      return "overlap";
    case VolumeFaultKind::kGateway:
      return "gateway";
    case VolumeFaultKind::kVolume:
      return "volume";
  }
  return "unknown";
}

std::vector<VolumeFault> checkVolumes(const VolumeMesh& mesh, size_t limit) {
  return Checker(mesh, limit).run();
}

}  // namespace wend
