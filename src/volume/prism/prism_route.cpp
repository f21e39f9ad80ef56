#include <algorithm>
#include <array>
#include <cmath>

#include <wend/volume/prism_grid.h>

// Ways through prisms.
namespace wend {
namespace {

using Coordinates = std::array<double, 3>;

// The rectangle of a passage, in voxels: thin along its axis.
struct Rectangle {
  Coordinates low{};
  Coordinates high{};
};

Rectangle rectangleOf(const PrismGrid& grid, const PrismPassage& passage) {
  const uint32_t u = passage.axis == 0 ? 1 : 0;
  const uint32_t v = passage.axis == 2 ? 1 : 2;
  Rectangle result;
  result.low[passage.axis] = result.high[passage.axis] = grid.prisms[passage.from].high[passage.axis] + 1.0;
  result.low[u] = passage.low[0];
  result.high[u] = passage.high[0];
  result.low[v] = passage.low[1];
  result.high[v] = passage.high[1];
  return result;
}

Coordinates inVoxels(const PrismGrid& grid, Vec3 p) {
  return {(p.x - grid.origin.x) / grid.voxel, (p.y - grid.origin.y) / grid.voxel, (p.z - grid.origin.z) / grid.voxel};
}
Vec3 inMetres(const PrismGrid& grid, const Coordinates& p) {
  return {grid.origin.x + p[0] * grid.voxel, grid.origin.y + p[1] * grid.voxel, grid.origin.z + p[2] * grid.voxel};
}

Coordinates nearest(const Rectangle& r, const Coordinates& p) {
  return {std::clamp(p[0], r.low[0], r.high[0]), std::clamp(p[1], r.low[1], r.high[1]),
          std::clamp(p[2], r.low[2], r.high[2])};
}

double distance(Vec3 a, Vec3 b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

}  // namespace

Vec3 PrismGrid::lowOf(uint32_t prism) const {
  const auto& low = prisms[prism].low;
  return inMetres(*this, {double(low[0]), double(low[1]), double(low[2])});
}
Vec3 PrismGrid::highOf(uint32_t prism) const {
  const auto& high = prisms[prism].high;
  return inMetres(*this, {high[0] + 1.0, high[1] + 1.0, high[2] + 1.0});
}

PrismRoute routeOf(const PrismGrid& grid, std::span<const PrismPassage> passages, Vec3 from, Vec3 to) {
  PrismRoute route;
  route.prisms = pathOf(grid, passages, from, to);
  if (route.prisms.empty()) return route;
  route.points.push_back(from);
  for (size_t i = 0; i + 1 < route.prisms.size(); ++i) {
    const uint32_t a = route.prisms[i];
    const uint32_t b = route.prisms[i + 1];
    const auto passage = std::find_if(passages.begin(), passages.end(), [&](const PrismPassage& p) {
      return (p.from == a && p.to == b) || (p.from == b && p.to == a);
    });
    if (passage == passages.end()) return {};
    route.points.push_back(inMetres(grid, nearest(rectangleOf(grid, *passage), inVoxels(grid, route.points.back()))));
  }
  route.points.push_back(to);
  for (size_t i = 1; i < route.points.size(); ++i) route.length += distance(route.points[i - 1], route.points[i]);
  return route;
}

Vec3 prismDirection(const PrismGrid& grid, const PrismPassage& passage, uint32_t from, Vec3 metres) {
  Rectangle rectangle = rectangleOf(grid, passage);
  const Coordinates at = inVoxels(grid, metres);
  bool ahead = true;
  for (size_t i = 0; i < 3; ++i) {
    ahead = ahead && (i == passage.axis || (at[i] >= rectangle.low[i] && at[i] <= rectangle.high[i]));
  }
  Coordinates d{};
  if (ahead) {
    d[passage.axis] = from == passage.from ? 1 : -1;
    return {d[0], d[1], d[2]};
  }
  // A little inside its edges: the passage lies ahead before the plane is reached.
  constexpr double kInset = 0.1;  // voxels; a passage is at least one wide
  for (size_t i = 0; i < 3; ++i) {
    if (i == passage.axis) continue;
    rectangle.low[i] += kInset;
    rectangle.high[i] -= kInset;
  }
  const Coordinates aim = nearest(rectangle, at);
  for (size_t i = 0; i < 3; ++i) d[i] = aim[i] - at[i];
  const double size = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return {d[0] / size, d[1] / size, d[2] / size};
}

}  // namespace wend
