#include "metrics/hale_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include "environment/boundary.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// Rows of boxes that are looked at for one mesh: some seconds.
constexpr double kMaxRows = 2e8;

// Whether a vertex on a straight side is no corner. Corners off the lattice are straight up to the rounding of their
// coordinates.
bool isStraight(Vec2 a, Vec2 b, Vec2 c) {
  if (orient(a, b, c) == 0) return true;
  if (isWhole(a) && isWhole(b) && isWhole(c)) return false;
  const double area = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  const double across = std::hypot(c.x - a.x, c.y - a.y);
  constexpr double kOff = 4e-3;  // lattice units, as checkMesh() allows
  return std::abs(area) <= kOff * across;
}

// The sides that begin at corners.
std::vector<SideId> cornersOf(const NavMesh& mesh, CellId cell) {
  std::vector<SideId> corners;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 before = startPoint(mesh, mesh.previousSide(s));
    if (!isStraight(before, startPoint(mesh, s), endPoint(mesh, s))) corners.push_back(s);
  }
  return corners;
}

void count(std::vector<uint64_t>& groups, size_t group) {
  if (groups.size() <= group) groups.resize(group + 1, 0);
  ++groups[group];
}

size_t areaGroup(double area, const MeasureSettings& settings) {
  if (area < settings.objectArea) return 0;
  const double width = settings.objectArea * settings.groupFactor;
  // [a, a d] and then (n a d, (n + 1) a d].
  const double n = std::max(std::ceil(area / width) - 1, 0.0);
  return static_cast<size_t>(std::min(1 + n, settings.areaGroups - 1.0));
}

uint32_t degreeOf(const NavMesh& mesh, CellId cell, double adjacency, std::vector<std::pair<CellId, double>>& shared) {
  shared.clear();
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    if (mesh.isWall(s) || mesh.neighbour(s) == cell) continue;
    const Vec2 a = startPoint(mesh, s);
    const Vec2 b = endPoint(mesh, s);
    shared.emplace_back(mesh.neighbour(s), std::hypot(b.x - a.x, b.y - a.y) * mesh.lattice().unit);
  }
  std::sort(shared.begin(), shared.end());
  uint32_t degree = 0;
  for (size_t i = 0, j = 0; i < shared.size(); i = j) {
    double length = 0;
    for (; j < shared.size() && shared[j].first == shared[i].first; ++j) length += shared[j].second;
    degree += length >= adjacency ? 1 : 0;
  }
  return degree;
}

double homogeneityOf(const NavMesh& mesh, CellId cell) {
  Vec2 low{HUGE_VAL, HUGE_VAL};
  Vec2 high{-HUGE_VAL, -HUGE_VAL};
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 p = startPoint(mesh, s);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double w = high.x - low.x;
  const double h = high.y - low.y;
  return w >= h ? w / h - 1 : 1 - h / w;
}

// A place with its height, and how many corners of cells lie there.
Statistics commonVertices(const NavMesh& mesh, const std::vector<VertexId>& corners, std::vector<uint64_t>& groups) {
  std::vector<std::tuple<double, double, double>> places;
  places.reserve(corners.size());
  for (const VertexId v : corners) {
    places.emplace_back(mesh.vertex(v).x, mesh.vertex(v).y, mesh.position(v).z);
  }
  std::sort(places.begin(), places.end());
  std::vector<double> sizes;
  for (size_t i = 0, j = 0; i < places.size(); i = j) {
    while (j < places.size() && places[j] == places[i]) ++j;
    sizes.push_back(static_cast<double>(j - i));
    count(groups, j - i - 1);
  }
  return statisticsOf(sizes);
}

// Straight stretches of the boundary that are no connection.
uint64_t obstacleEdges(const Environment& environment) {
  const Boundary boundary(environment.layers, environment.connections);
  const std::vector<uint32_t> twin = glue(boundary, environment.connections);
  uint64_t edges = 0;
  for (uint32_t e = 0; e < boundary.edgeCount(); ++e) {
    const uint32_t after = boundary.next(e);
    if (twin[after] != kNone) continue;
    const bool goesOn = twin[e] == kNone && orient(boundary.start(e), boundary.end(e), boundary.end(after)) == 0;
    edges += goesOn ? 0 : 1;
  }
  return edges;
}

std::array<double, 3> quartilesOf(std::vector<double> values) {
  std::array<double, 3> result{};
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  for (size_t q = 1; q <= 3; ++q) {
    const double at = static_cast<double>(values.size() - 1) * static_cast<double>(q) / 4;
    const auto low = static_cast<size_t>(at);
    const size_t high = std::min(low + 1, values.size() - 1);
    result[q - 1] = values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
  }
  return result;
}

}  // namespace

double minimumAngle(const NavMesh& mesh, CellId cell) {
  double least = 360;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 a = startPoint(mesh, mesh.previousSide(s));
    const Vec2 b = startPoint(mesh, s);
    const Vec2 c = endPoint(mesh, s);
    const Vec2 u{c.x - b.x, c.y - b.y};
    const Vec2 v{a.x - b.x, a.y - b.y};
    double angle = std::atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y) * 180 / std::numbers::pi;
    if (angle < 0) angle += 360;
    least = std::min(least, angle);
  }
  return least;
}

uint64_t countBoxes(const NavMesh& mesh, CellId cell, double side) {
  double left = HUGE_VAL;
  double bottom = HUGE_VAL;
  double top = -HUGE_VAL;
  const SideId begin = mesh.firstSide(cell);
  const SideId end = mesh.endSide(cell);
  for (SideId s = begin; s < end; ++s) {
    const Vec2 p = startPoint(mesh, s);
    left = std::min(left, p.x);
    bottom = std::min(bottom, p.y);
    top = std::max(top, p.y);
  }
  struct Block {  // of a row, by one side of the cell
    double low, high;
    int through;  // +1 if the side crosses the whole row upwards, -1 downwards
  };
  std::vector<Block> blocks;
  uint64_t boxes = 0;
  for (double row = 0; bottom + (row + 1 - 1e-9) * side <= top; ++row) {
    const double low = bottom + row * side;
    const double high = low + side;
    blocks.clear();
    for (SideId s = begin; s < end; ++s) {
      const Vec2 a = startPoint(mesh, s);
      const Vec2 b = endPoint(mesh, s);
      if (std::max(a.y, b.y) <= low || std::min(a.y, b.y) >= high) continue;
      const auto at = [&](double y) {
        const double t = (std::clamp(y, std::min(a.y, b.y), std::max(a.y, b.y)) - a.y) / (b.y - a.y);
        return a.x + t * (b.x - a.x);
      };
      const double x0 = a.y == b.y ? a.x : at(low);
      const double x1 = a.y == b.y ? b.x : at(high);
      const double half = (low + high) / 2;
      const int through = (a.y <= half) != (b.y <= half) ? (b.y > a.y ? 1 : -1) : 0;
      blocks.push_back({std::min(x0, x1), std::max(x0, x1), through});
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& p, const Block& q) { return p.low < q.low; });
    // Between two groups of overlapping blocks the row is all inside or all outside.
    int inside = 0;
    double reached = -HUGE_VAL;
    for (const Block& block : blocks) {
      if (block.low > reached && inside != 0) {
        const double first = std::ceil((reached - left) / side - 1e-9);
        const double last = std::floor((block.low - left) / side + 1e-9);
        if (last > first) boxes += static_cast<uint64_t>(last - first);
      }
      // Downward sides are on the left of a counter-clockwise cell.
      inside -= block.through;
      reached = std::max(reached, block.high);
    }
  }
  return boxes;
}

Result<ShapeMetrics> measureHaleShape(const NavMesh& mesh, const Environment& environment,
                                      const MeasureSettings& settings) {
  const double side = std::sqrt(settings.objectArea) / mesh.lattice().unit;
  ShapeMetrics m;
  m.areaGroups.assign(settings.areaGroups, 0);
  m.angleGroups.assign(9, 0);
  std::vector<double> areas, degrees, homogeneities, absolutes, angles, placements, orders;
  constexpr double kSharp = 10;  // degrees
  std::vector<VertexId> corners;
  std::vector<std::pair<CellId, double>> shared;
  double rows = 0;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    areas.push_back(cellArea(mesh, cell));
    count(m.areaGroups, areaGroup(areas.back(), settings));
    degrees.push_back(degreeOf(mesh, cell, settings.adjacency, shared));
    count(m.degreeGroups, static_cast<size_t>(degrees.back()));
    homogeneities.push_back(homogeneityOf(mesh, cell));
    absolutes.push_back(std::abs(homogeneities.back()));
    angles.push_back(minimumAngle(mesh, cell));
    count(m.angleGroups, static_cast<size_t>(std::clamp(std::ceil(angles.back() / 10) - 1, 0.0, 8.0)));
    const std::vector<SideId> sides = cornersOf(mesh, cell);
    for (const SideId s : sides) corners.push_back(mesh.startVertex(s));
    orders.push_back(static_cast<double>(sides.size()));
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      low = std::min(low, startPoint(mesh, s).y);
      high = std::max(high, startPoint(mesh, s).y);
    }
    rows += (high - low) / side * mesh.sideCount(cell);
    if (rows > kMaxRows) {
      return Error{ErrorCode::kLimit,
                   fmt::format("boxes of {:g} m2 are too small to count in this mesh; choose a larger object area",
                               settings.objectArea)};
    }
    placements.push_back(static_cast<double>(countBoxes(mesh, cell, side)));
    if (placements.back() == 0) ++m.cellsWithoutPlacement;
    if (angles.back() < kSharp || areas.back() < settings.objectArea || placements.back() == 0) ++m.nearDegenerate;
  }
  m.area = statisticsOf(areas);
  m.degree = statisticsOf(degrees);
  m.homogeneity = statisticsOf(homogeneities);
  m.inhomogeneity = statisticsOf(absolutes);
  m.quartiles = quartilesOf(homogeneities);
  m.minimumAngle = statisticsOf(angles);
  m.placement = statisticsOf(placements);
  m.order = statisticsOf(orders);
  m.commonVertices = commonVertices(mesh, corners, m.commonGroups);
  if (!corners.empty()) {
    m.efficiency = static_cast<double>(obstacleEdges(environment)) / static_cast<double>(corners.size());
  }
  return m;
}

}  // namespace wend
