#include "environment/make/construction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/area.h"

namespace wend::make {

int32_t units(double metres) {
  return static_cast<int32_t>(std::lround(metres * kMetre));
}

Point point(double xMetres, double yMetres) {
  return {units(xMetres), units(yMetres)};
}

Rect rect(double x0, double y0, double x1, double y1) {
  return {units(x0), units(y0), units(x1), units(y1)};
}

Ring outline(const Rect& r) {
  return {{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}};
}

Ring reversed(Ring ring) {
  std::reverse(ring.begin(), ring.end());
  return ring;
}

Ring moved(Ring ring, Point offset) {
  for (Point& p : ring) p = {p.x + offset.x, p.y + offset.y};
  return ring;
}

namespace {

Int128 doubledAreaOf(const Rect& r) {
  return 2 * static_cast<Int128>(r.width()) * r.depth();
}

}  // namespace

Construction::Construction(std::string name) {
  environment_.name = std::move(name);
}

uint32_t Construction::addLayer(std::string name, double height) {
  const auto index = static_cast<uint32_t>(environment_.layers.size());
  Layer layer;
  layer.id = static_cast<int32_t>(index);
  layer.name = std::move(name);
  layer.heights.base = height;
  environment_.layers.push_back(std::move(layer));
  return index;
}

uint32_t Construction::addFloor(uint32_t layer, Ring outer, Int128 doubledArea) {
  std::vector<Polygon>& free = environment_.layers[layer].free;
  free.push_back({std::move(outer), {}});
  doubledArea_ += doubledArea;
  ++floors_;
  return static_cast<uint32_t>(free.size() - 1);
}

uint32_t Construction::addFloor(uint32_t layer, const Rect& r) {
  return addFloor(layer, outline(r), doubledAreaOf(r));
}

void Construction::addObstacle(uint32_t layer, uint32_t floor, Ring outline, Int128 doubledArea) {
  environment_.layers[layer].free[floor].holes.push_back(reversed(std::move(outline)));
  doubledArea_ -= doubledArea;
  ++holes_;
}

void Construction::addObstacle(uint32_t layer, uint32_t floor, Ring outline) {
  const Int128 area = doubledArea(outline);
  addObstacle(layer, floor, std::move(outline), area);
}

void Construction::addObstacle(uint32_t layer, uint32_t floor, const Rect& r) {
  addObstacle(layer, floor, outline(r), doubledAreaOf(r));
}

void Construction::addFloors(uint32_t layer, std::vector<Polygon> polygons, Int128 doubledArea) {
  doubledArea_ += doubledArea;
  for (Polygon& polygon : polygons) {
    ++floors_;
    holes_ += static_cast<int64_t>(polygon.holes.size());
    environment_.layers[layer].free.push_back(std::move(polygon));
  }
}

void Construction::slope(uint32_t layer, const Rect& r, double from, double to, Rise rise) {
  HeightField& field = environment_.layers[layer].heights;
  const auto first = static_cast<uint32_t>(field.points.size());
  const bool alongX = rise == Rise::kEast || rise == Rise::kWest;
  const bool forward = rise == Rise::kEast || rise == Rise::kNorth;
  const double near = forward ? from : to;
  const double far = forward ? to : from;
  const Ring corners = outline(r);
  field.points.insert(field.points.end(), corners.begin(), corners.end());
  const std::array<double, 4> z =
      alongX ? std::array<double, 4>{near, far, far, near} : std::array<double, 4>{near, near, far, far};
  field.z.insert(field.z.end(), z.begin(), z.end());
  field.triangles.push_back({first, first + 1, first + 2});
  field.triangles.push_back({first, first + 2, first + 3});
}

uint32_t Construction::addRamp(std::string name, const Rect& r, double from, double to, Rise rise) {
  const uint32_t layer = addLayer(std::move(name), std::min(from, to));
  addFloor(layer, r);
  slope(layer, r, from, to, rise);
  return layer;
}

void Construction::connect(uint32_t a, uint32_t b, std::vector<Point> line) {
  if (a > b) {
    std::swap(a, b);
    std::reverse(line.begin(), line.end());
  }
  environment_.connections.push_back({a, b, std::move(line)});
}

std::pair<Point, Point> lowEnd(const Rect& r, Rise rise) {
  switch (rise) {
    case Rise::kEast:
      return {{r.x0, r.y1}, {r.x0, r.y0}};
    case Rise::kNorth:
      return {{r.x0, r.y0}, {r.x1, r.y0}};
    case Rise::kWest:
      return {{r.x1, r.y0}, {r.x1, r.y1}};
    case Rise::kSouth:
      break;
  }
  return {{r.x1, r.y1}, {r.x0, r.y1}};
}

std::pair<Point, Point> highEnd(const Rect& r, Rise rise) {
  switch (rise) {
    case Rise::kEast:
      return lowEnd(r, Rise::kWest);
    case Rise::kNorth:
      return lowEnd(r, Rise::kSouth);
    case Rise::kWest:
      return lowEnd(r, Rise::kEast);
    case Rise::kSouth:
      break;
  }
  return lowEnd(r, Rise::kNorth);
}

void Construction::joinRamp(uint32_t ramp, const Rect& r, Rise rise, uint32_t low, uint32_t high) {
  const auto [a, b] = lowEnd(r, rise);
  const auto [c, d] = highEnd(r, rise);
  connect(ramp, low, {a, b});
  connect(ramp, high, {c, d});
}

size_t Construction::vertices() const {
  size_t count = 0;
  for (const Layer& layer : environment_.layers) count += vertexCount(layer.free);
  return count;
}

double Construction::area() const {
  return environment_.lattice.area(toDoubledArea(doubledArea_));
}

Environment Construction::finish(uint32_t components, uint32_t boundaries) && {
  const int64_t euler = floors_ - holes_ - static_cast<int64_t>(environment_.connections.size());
  Topology truth;
  truth.doubledArea = toDoubledArea(doubledArea_);
  truth.components = components;
  truth.boundaries = boundaries;
  truth.genus = static_cast<uint32_t>((2 * static_cast<int64_t>(components) - boundaries - euler) / 2);
  environment_.truth = truth;
  return std::move(environment_);
}

namespace {

// Rounds the coordinates of a ring; false if one leaves the lattice.
bool rescale(std::vector<Point>& points, double factor) {
  for (Point& p : points) {
    const double x = std::round(p.x * factor);
    const double y = std::round(p.y * factor);
    if (std::abs(x) > kMaxCoordinate || std::abs(y) > kMaxCoordinate) return false;
    p = {static_cast<int32_t>(x), static_cast<int32_t>(y)};
  }
  return true;
}

}  // namespace

bool changeLattice(Environment& environment, const Lattice& lattice) {
  if (lattice == environment.lattice) return true;
  const double factor = environment.lattice.unit / lattice.unit;
  environment.lattice = lattice;
  bool fits = true;
  Int128 area = 0;
  for (Layer& layer : environment.layers) {
    for (Polygon& polygon : layer.free) {
      fits = rescale(polygon.outer, factor) && fits;
      for (Ring& hole : polygon.holes) fits = rescale(hole, factor) && fits;
      area += doubledArea(polygon);
    }
    fits = rescale(layer.heights.points, factor) && fits;
  }
  for (Connection& connection : environment.connections) fits = rescale(connection.line, factor) && fits;
  if (environment.truth) environment.truth->doubledArea = toDoubledArea(area);
  return fits;
}

}  // namespace wend::make
