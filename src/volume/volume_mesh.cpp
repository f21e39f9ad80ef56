#include <algorithm>

#include <wend/volume/volume_mesh.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "volume/find_gateways.h"
#include "volume/volume_data.h"

namespace wend {
namespace {

bool isUsable(const HalfSpace& plane) {
  const auto within = [](int64_t value, int64_t limit) { return value >= -limit && value <= limit; };
  return within(plane.a, kMaxPlaneNormal) && within(plane.b, kMaxPlaneNormal) && within(plane.c, kMaxPlaneNormal) &&
         within(plane.d, kMaxPlaneOffset) && (plane.a != 0 || plane.b != 0 || plane.c != 0);
}

Status checkDraft(const VolumeDraft& draft) {
  const auto reject = [](ErrorCode code, std::string sentence) { return Error{code, std::move(sentence)}; };
  const VolumeLattice& lattice = draft.lattice;
  if (!(lattice.unit >= 1e-6 && lattice.unit <= 1)) {
    return reject(ErrorCode::kInvalidSettings,
                  fmt::format("the lattice unit of the volumes is {} m; it must be 1e-6 to 1 m", lattice.unit));
  }
  if (!std::isfinite(lattice.origin.x) || !std::isfinite(lattice.origin.y) || !std::isfinite(lattice.origin.z)) {
    return reject(ErrorCode::kInvalidSettings, "the origin of the volumes is not finite");
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t low = coordinate(draft.low, axis);
    const int32_t high = coordinate(draft.high, axis);
    if (low < -kMaxVolumeCoordinate || high > kMaxVolumeCoordinate || low >= high) {
      return reject(ErrorCode::kOutsideLattice,
                    fmt::format("the bounds {} to {} of the volumes are empty or beyond 2^19 lattice units; choose a "
                                "coarser unit",
                                low, high));
    }
  }
  if (draft.cells.size() > kMaxVolumeCells) {
    return reject(ErrorCode::kLimit, fmt::format("{} volumes are more than the {} that a mesh holds",
                                                 draft.cells.size(), kMaxVolumeCells));
  }
  size_t planes = 0;
  for (size_t c = 0; c < draft.cells.size(); ++c) {
    planes += draft.cells[c].planes.size();
    if (draft.cells[c].label >= draft.labels.size()) {
      return reject(ErrorCode::kInvalidGeometry, fmt::format("volume {} has a label that is not there", c));
    }
    if (!std::all_of(draft.cells[c].planes.begin(), draft.cells[c].planes.end(), isUsable)) {
      return reject(ErrorCode::kInvalidGeometry,
                    fmt::format("volume {} has a half-space without normal or with numbers beyond 2^41", c));
    }
  }
  if (planes > kMaxVolumePlanes) {
    return reject(ErrorCode::kLimit, fmt::format("{} half-spaces are more than the {} that a mesh of volumes holds",
                                                 planes, kMaxVolumePlanes));
  }
  return Done{};
}

// The order of faces does not depend on the order of the cuts; loops begin at their smallest corner.
void makeCanonical(Polyhedron& solid) {
  for (Polyhedron::Face& face : solid.faces) face.plane = reduced(face.plane);
  std::sort(solid.faces.begin(), solid.faces.end(),
            [](const Polyhedron::Face& a, const Polyhedron::Face& b) { return a.plane < b.plane; });
  const auto before = [&](uint32_t i, uint32_t j) {
    const ExactVertex& u = solid.vertices[i];
    const ExactVertex& v = solid.vertices[j];
    return std::tie(u.x, u.y, u.z) < std::tie(v.x, v.y, v.z);
  };
  for (Polyhedron::Face& face : solid.faces) {
    std::rotate(face.loop.begin(), std::min_element(face.loop.begin(), face.loop.end(), before), face.loop.end());
  }
}

void fillFaces(VolumeMesh::Data& data) {
  const double unit = data.info.lattice.unit;
  data.faceBegin.push_back(0);
  data.cornerBegin.push_back(0);
  for (VolumeId c = 0; c < data.solids.size(); ++c) {
    const Polyhedron& solid = data.solids[c];
    data.boxes.push_back(boundsOf(solid));
    data.volumes.push_back(volumeOf(solid) * unit * unit * unit);
    for (const Polyhedron::Face& face : solid.faces) {
      data.faceCell.push_back(c);
      for (const uint32_t v : face.loop) data.corners.push_back(data.metres(solid.vertices[v]));
      data.cornerBegin.push_back(static_cast<uint32_t>(data.corners.size()));
    }
    data.faceBegin.push_back(static_cast<uint32_t>(data.faceCell.size()));
  }
}

double polygonArea(std::span<const Vec3> corners, Vec3& centre) {
  // The area-weighted mean of a fan of triangles.
  Vec3 weighted;
  double area = 0;
  const Vec3 a = corners[0];
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vec3 b = corners[i];
    const Vec3 c = corners[i + 1];
    const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
    const Vec3 v{c.x - a.x, c.y - a.y, c.z - a.z};
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double part = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z) / 2;
    area += part;
    weighted.x += part * (a.x + b.x + c.x) / 3;
    weighted.y += part * (a.y + b.y + c.y) / 3;
    weighted.z += part * (a.z + b.z + c.z) / 3;
  }
  centre = area > 0 ? Vec3{weighted.x / area, weighted.y / area, weighted.z / area} : a;
  return area;
}

void fillGateways(VolumeMesh::Data& data, const Context& context) {
  const std::vector<FaceContact> pairs = facingPairs(data.solids, data.boxes);
  std::vector<std::vector<ExactVertex>> polygons(pairs.size());
  parallelFor(pairs.size(), context, [&](size_t i) {
    const FaceContact& pair = pairs[i];
    polygons[i] = contactPolygon(data.solids[pair.cellA], pair.faceA, data.solids[pair.cellB], pair.faceB);
  });
  data.gatewayCornerBegin.push_back(0);
  std::vector<std::pair<VolumeId, GatewayId>> ends;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (polygons[i].empty()) continue;
    const FaceContact& pair = pairs[i];
    VolumeGateway gateway;
    gateway.cellA = pair.cellA;
    gateway.cellB = pair.cellB;
    gateway.faceA = data.faceBegin[pair.cellA] + pair.faceA;
    gateway.faceB = data.faceBegin[pair.cellB] + pair.faceB;
    gateway.slanted = !data.face(gateway.faceA).plane.axisAligned();
    const size_t first = data.gatewayCorners.size();
    for (const ExactVertex& v : polygons[i]) data.gatewayCorners.push_back(data.metres(v));
    gateway.area = polygonArea(std::span(data.gatewayCorners).subspan(first), gateway.centre);
    data.gatewayCornerBegin.push_back(static_cast<uint32_t>(data.gatewayCorners.size()));
    const auto id = static_cast<GatewayId>(data.gateways.size());
    ends.emplace_back(pair.cellA, id);
    ends.emplace_back(pair.cellB, id);
    data.gateways.push_back(gateway);
  }
  std::sort(ends.begin(), ends.end());
  data.cellGatewayBegin.assign(data.solids.size() + 1, 0);
  for (const auto& [cell, gateway] : ends) {
    ++data.cellGatewayBegin[cell + 1];
    data.cellGateways.push_back(gateway);
  }
  for (size_t c = 0; c < data.solids.size(); ++c) data.cellGatewayBegin[c + 1] += data.cellGatewayBegin[c];
}

}  // namespace

std::vector<HalfSpace> boxPlanes(Point3 low, Point3 high) {
  std::vector<HalfSpace> planes;
  for (int axis = 0; axis < 3; ++axis) {
    planes.push_back(axisPlane(axis, -1, coordinate(low, axis)));
    planes.push_back(axisPlane(axis, 1, coordinate(high, axis)));
  }
  return planes;
}

Result<VolumeMesh> buildVolumes(VolumeDraft draft, const Context& context) {
  if (const Status status = checkDraft(draft); !status.ok()) return status.error();
  auto data = std::make_shared<VolumeMesh::Data>();
  data->solids.resize(draft.cells.size());
  const Box3 bounds{draft.low, draft.high};
  parallelFor(draft.cells.size(), context, [&](size_t c) {
    std::vector<HalfSpace> planes = draft.cells[c].planes;
    for (HalfSpace& plane : planes) plane = reduced(plane);
    data->solids[c] = intersect(bounds, planes);
    makeCanonical(data->solids[c]);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while volumes were made"};
  for (size_t c = 0; c < draft.cells.size(); ++c) {
    if (!data->solids[c].empty()) continue;
    return Error{ErrorCode::kInvalidGeometry,
                 fmt::format("volume {} is empty: its half-spaces have no common interior within the bounds", c)};
  }
  for (const VolumeDraft::Cell& cell : draft.cells) data->labels.push_back(cell.label);
  draft.cells.clear();
  data->info = std::move(draft);
  fillFaces(*data);
  fillGateways(*data, context);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while gateways were looked for"};
  return VolumeMesh(std::move(data));
}

VolumeMesh::VolumeMesh() {
  auto data = std::make_shared<Data>();
  data->faceBegin = {0};
  data->cornerBegin = {0};
  data->gatewayCornerBegin = {0};
  data->cellGatewayBegin = {0};
  data_ = std::move(data);
}
VolumeMesh::VolumeMesh(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

uint32_t VolumeMesh::cellCount() const {
  return static_cast<uint32_t>(data_->solids.size());
}
uint32_t VolumeMesh::faceCount() const {
  return static_cast<uint32_t>(data_->faceCell.size());
}
uint32_t VolumeMesh::gatewayCount() const {
  return static_cast<uint32_t>(data_->gateways.size());
}
FaceId VolumeMesh::firstFace(VolumeId cell) const {
  return data_->faceBegin[cell];
}
FaceId VolumeMesh::endFace(VolumeId cell) const {
  return data_->faceBegin[cell + 1];
}
VolumeId VolumeMesh::cellOf(FaceId face) const {
  return data_->faceCell[face];
}
const HalfSpace& VolumeMesh::plane(FaceId face) const {
  return data_->face(face).plane;
}
std::span<const Vec3> VolumeMesh::corners(FaceId face) const {
  return std::span(data_->corners)
      .subspan(data_->cornerBegin[face], data_->cornerBegin[face + 1] - data_->cornerBegin[face]);
}
const VolumeGateway& VolumeMesh::gateway(GatewayId gateway) const {
  return data_->gateways[gateway];
}
std::span<const Vec3> VolumeMesh::gatewayCorners(GatewayId gateway) const {
  const uint32_t begin = data_->gatewayCornerBegin[gateway];
  return std::span(data_->gatewayCorners).subspan(begin, data_->gatewayCornerBegin[gateway + 1] - begin);
}
std::span<const GatewayId> VolumeMesh::gatewaysOf(VolumeId cell) const {
  const uint32_t begin = data_->cellGatewayBegin[cell];
  return std::span(data_->cellGateways).subspan(begin, data_->cellGatewayBegin[cell + 1] - begin);
}
uint32_t VolumeMesh::label(VolumeId cell) const {
  return data_->labels[cell];
}
double VolumeMesh::volume(VolumeId cell) const {
  return data_->volumes[cell];
}
Vec3 VolumeMesh::centre(VolumeId cell) const {
  return lattice().toMetres(middleOf(data_->solids[cell]));
}
Vec3 VolumeMesh::low(VolumeId cell) const {
  const Point3 p = data_->boxes[cell].low;
  return lattice().toMetres({double(p.x), double(p.y), double(p.z)});
}
Vec3 VolumeMesh::high(VolumeId cell) const {
  const Point3 p = data_->boxes[cell].high;
  return lattice().toMetres({double(p.x), double(p.y), double(p.z)});
}
const VolumeDraft& VolumeMesh::info() const {
  return data_->info;
}

size_t VolumeMesh::memory() const {
  size_t bytes = data_->corners.size() * sizeof(Vec3) + data_->gatewayCorners.size() * sizeof(Vec3) +
                 data_->gateways.size() * sizeof(VolumeGateway);
  for (const Polyhedron& solid : data_->solids) {
    bytes += sizeof(Polyhedron) + solid.vertices.size() * sizeof(ExactVertex);
    for (const Polyhedron::Face& face : solid.faces) bytes += sizeof(face) + face.loop.size() * sizeof(uint32_t);
  }
  return bytes;
}

uint64_t hash(const VolumeMesh& mesh) {
  Hash hash;
  const VolumeDraft& info = mesh.info();
  for (const double value : {info.lattice.unit, info.lattice.origin.x, info.lattice.origin.y, info.lattice.origin.z}) {
    hash.add(value);
  }
  for (const int32_t value : {info.low.x, info.low.y, info.low.z, info.high.x, info.high.y, info.high.z}) {
    hash.add(value);
  }
  hash.add(info.generator);
  hash.add(info.settingsHash);
  hash.add(info.traits.disjoint);
  hash.add(info.traits.exact);
  for (const std::string& label : info.labels) hash.add(label);
  hash.add(info.freeVolume.has_value());
  if (info.freeVolume) {
    for (const uint64_t residue : info.freeVolume->residues) hash.add(residue);
  }
  hash.add(mesh.cellCount());
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    hash.add(mesh.label(c));
    hash.add(mesh.endFace(c) - mesh.firstFace(c));
    for (FaceId f = mesh.firstFace(c); f < mesh.endFace(c); ++f) {
      const HalfSpace& plane = mesh.plane(f);
      for (const int64_t value : {plane.a, plane.b, plane.c, plane.d}) hash.add(value);
    }
  }
  return hash.value();
}

}  // namespace wend
