#include <algorithm>
#include <cmath>
#include <numbers>

#include <wend/volume/volume_mesh.h>

#include <fmt/format.h>

#include "volume/volume_data.h"

namespace wend {
namespace {

// The cell without what lies above the neighbour's part of the face: its face in the plane is the wall.
void subtractNeighbour(std::vector<Polyhedron>& pieces, const HalfSpace& plane, const Polyhedron& neighbour) {
  std::vector<Polyhedron> rest;
  for (Polyhedron& piece : pieces) {
    for (const Polyhedron::Face& face : neighbour.faces) {
      if (face.plane == plane.opposite()) continue;
      Halves halves = split(piece, face.plane);
      if (!halves.outside.empty()) rest.push_back(std::move(halves.outside));
      piece = std::move(halves.inside);
      if (piece.empty()) break;
    }
  }
  pieces = std::move(rest);
}

double topArea(std::span<const Vec3> corners) {
  double doubled = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 p = corners[i];
    const Vec3 q = corners[(i + 1) % corners.size()];
    doubled += p.x * q.y - p.y * q.x;
  }
  return std::abs(doubled) / 2;
}

Vec3 meanOf(std::span<const Vec3> corners) {
  Vec3 sum;
  for (const Vec3 p : corners) sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
  const auto n = static_cast<double>(corners.size());
  return {sum.x / n, sum.y / n, sum.z / n};
}

// A face on the sides or the top of the world.
bool isOuterBound(const VolumeDraft& info, const HalfSpace& plane) {
  for (const HalfSpace& bound : boxPlanes(info.low, info.high)) {
    if (plane == bound && plane.c >= 0) return true;
  }
  return false;
}

// Adds a convex polygon as a fan.
void addPolygon(Scene& scene, std::span<const Vec3> corners, bool reversed, uint32_t label) {
  const auto first = static_cast<uint32_t>(scene.vertices.size());
  scene.vertices.insert(scene.vertices.end(), corners.begin(), corners.end());
  for (uint32_t i = 1; i + 1 < corners.size(); ++i) {
    scene.triangles.push_back({{first, first + (reversed ? i + 1 : i), first + (reversed ? i : i + 1)}, label});
  }
}

}  // namespace

std::vector<std::vector<Vec3>> wallsOf(const VolumeMesh& mesh, FaceId face) {
  const VolumeMesh::Data& data = mesh.data();
  const VolumeId cell = mesh.cellOf(face);
  const HalfSpace plane = mesh.plane(face);
  std::vector<Polyhedron> pieces{data.solids[cell]};
  for (const GatewayId id : mesh.gatewaysOf(cell)) {
    const VolumeGateway& gateway = mesh.gateway(id);
    if (gateway.faceA == face || gateway.faceB == face) {
      subtractNeighbour(pieces, plane, data.solids[gateway.across(cell)]);
    }
  }
  std::vector<std::vector<Vec3>> walls;
  for (const Polyhedron& piece : pieces) {
    for (const Polyhedron::Face& part : piece.faces) {
      if (!(part.plane == plane)) continue;
      std::vector<Vec3>& wall = walls.emplace_back();
      for (const uint32_t v : part.loop) wall.push_back(data.metres(piece.vertices[v]));
    }
  }
  return walls;
}

std::vector<StandingPlace> standingPlaces(const VolumeMesh& mesh, double slope) {
  const double steepest = std::cos(slope * std::numbers::pi / 180);
  std::vector<StandingPlace> places;
  for (FaceId face = 0; face < mesh.faceCount(); ++face) {
    const HalfSpace& plane = mesh.plane(face);
    if (plane.c >= 0) continue;
    const auto a = static_cast<double>(plane.a);
    const auto b = static_cast<double>(plane.b);
    const auto c = static_cast<double>(plane.c);
    if (-c < steepest * std::sqrt(a * a + b * b + c * c)) continue;
    StandingPlace place{mesh.cellOf(face), face, 0, {}};
    double largest = 0;
    for (const std::vector<Vec3>& wall : wallsOf(mesh, face)) {
      const double area = topArea(wall);
      place.area += area;
      if (area > largest) {
        largest = area;
        place.centre = meanOf(wall);
      }
    }
    if (place.area > 0) places.push_back(place);
  }
  return places;
}

std::vector<VolumeSlice> sliceVolumes(const VolumeMesh& mesh, int axis, double at) {
  std::vector<VolumeSlice> slices;
  if (axis < 0 || axis > 2 || !std::isfinite(at)) return slices;
  const VolumeMesh::Data& data = mesh.data();
  const Vec3 units = mesh.lattice().toUnits({at, at, at});
  const double value = axis == 0 ? units.x : axis == 1 ? units.y : units.z;
  if (!(std::abs(value) < kMaxVolumeCoordinate)) return slices;
  const auto below = static_cast<int32_t>(std::floor(value));
  HalfSpace plane = axisPlane(axis, 1, below);
  // 2 x <= 2 below + 1
  plane.a *= 2;
  plane.b *= 2;
  plane.c *= 2;
  plane.d = 2 * plane.d + 1;
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    if (coordinate(data.boxes[c].low, axis) > below || coordinate(data.boxes[c].high, axis) <= below) continue;
    Polyhedron solid = data.solids[c];
    if (clip(solid, plane) != CutResult::kCut) continue;
    VolumeSlice& slice = slices.emplace_back();
    slice.cell = c;
    for (const uint32_t v : solid.faces.back().loop) slice.corners.push_back(data.metres(solid.vertices[v]));
  }
  return slices;
}

Scene wallScene(const VolumeMesh& mesh, bool bounds) {
  Scene scene;
  scene.labels = mesh.info().labels;
  for (FaceId face = 0; face < mesh.faceCount(); ++face) {
    if (!bounds && isOuterBound(mesh.info(), mesh.plane(face))) continue;
    for (const std::vector<Vec3>& wall : wallsOf(mesh, face)) {
      addPolygon(scene, wall, true, mesh.label(mesh.cellOf(face)));
    }
  }
  return scene;
}

Scene cellScene(const VolumeMesh& mesh, double shrink) {
  Scene scene;
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    const Vec3 middle = mesh.centre(c);
    scene.labels.push_back(fmt::format("volume {}", c));
    for (FaceId f = mesh.firstFace(c); f < mesh.endFace(c); ++f) {
      std::vector<Vec3> corners;
      for (const Vec3 p : mesh.corners(f)) {
        corners.push_back({middle.x + shrink * (p.x - middle.x), middle.y + shrink * (p.y - middle.y),
                           middle.z + shrink * (p.z - middle.z)});
      }
      addPolygon(scene, corners, false, c);
    }
  }
  return scene;
}

Result<Extraction> projectVolumes(const VolumeMesh& mesh, const ExtractSettings& settings, const Context& context) {
  if (mesh.empty()) return Error{ErrorCode::kEmpty, "there are no volumes to project"};
  return extract(wallScene(mesh), settings, context);
}

}  // namespace wend
