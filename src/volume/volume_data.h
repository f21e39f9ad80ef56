#pragma once

#include <vector>

#include <wend/volume/volume_mesh.h>

#include "geometry/solid/polyhedron.h"

// What a VolumeMesh holds.
namespace wend {

struct VolumeMesh::Data {
  VolumeDraft info;  // without cells
  std::vector<Polyhedron> solids;
  std::vector<uint32_t> labels;
  std::vector<Box3> boxes;
  std::vector<double> volumes;      // m3
  std::vector<uint32_t> faceBegin;  // cells + 1
  std::vector<VolumeId> faceCell;
  std::vector<uint32_t> cornerBegin;  // faces + 1
  std::vector<Vec3> corners;          // metres
  std::vector<VolumeGateway> gateways;
  std::vector<uint32_t> gatewayCornerBegin;  // gateways + 1
  std::vector<Vec3> gatewayCorners;
  std::vector<uint32_t> cellGatewayBegin;  // cells + 1
  std::vector<GatewayId> cellGateways;

  const Polyhedron::Face& face(FaceId id) const {
    const VolumeId cell = faceCell[id];
    return solids[cell].faces[id - faceBegin[cell]];
  }
  Vec3 metres(const ExactVertex& v) const { return info.lattice.toMetres({v.x, v.y, v.z}); }
};

}  // namespace wend
