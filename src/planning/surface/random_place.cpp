#include "planning/surface/random_place.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace wend {
namespace {

Vec2 inTriangle(Vec2 a, Vec2 b, Vec2 c, Random& random) {
  double u = random.real();
  double v = random.real();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return a + u * (b - a) + v * (c - a);
}

// What lies on the left of the line through a and b.
void clipToLine(Vec2 a, Vec2 b, std::vector<Vec2>& polygon, std::vector<Vec2>& scratch) {
  scratch.clear();
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 p = polygon[i];
    const Vec2 q = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double atP = cross(b - a, p - a);
    const double atQ = cross(b - a, q - a);
    if (atP >= 0) scratch.push_back(p);
    if ((atP < 0 && atQ > 0) || (atP > 0 && atQ < 0)) scratch.push_back(p + (atP / (atP - atQ)) * (q - p));
  }
  polygon.swap(scratch);
}

}  // namespace

AreaSampler::AreaSampler(const NavMesh& mesh, const std::vector<uint32_t>& component) : component_(component) {
  std::vector<CellId> order(mesh.cellCount());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](CellId a, CellId b) { return component[a] < component[b]; });
  double sum = 0;
  for (const CellId cell : order) {
    ranges_.resize(std::max<size_t>(ranges_.size(), component[cell] + 1));
    Range& range = ranges_[component[cell]];
    if (range.last == 0) range.first = static_cast<uint32_t>(fans_.size());
    const Vec2 a = sideStart(mesh, mesh.firstSide(cell));
    for (SideId s = mesh.firstSide(cell) + 1; s + 1 < mesh.endSide(cell); ++s) {
      sum += 0.5 * cross(sideStart(mesh, s) - a, sideEnd(mesh, s) - a);
      sums_.push_back(sum);
      fans_.push_back({cell, s});
    }
    range.last = static_cast<uint32_t>(fans_.size());
  }
}

SurfacePlace AreaSampler::draw(const NavMesh& mesh, Random& random, CellId componentOf) const {
  Range range{0, static_cast<uint32_t>(fans_.size())};
  if (componentOf != kNone) range = ranges_[component_[componentOf]];
  const double low = range.first == 0 ? 0 : sums_[range.first - 1];
  const double at = random.real(low, sums_[range.last - 1]);
  const auto found = std::upper_bound(sums_.begin() + range.first, sums_.begin() + range.last - 1, at);
  const Fan& fan = fans_[static_cast<size_t>(found - sums_.begin())];
  const Vec2 corner = sideStart(mesh, mesh.firstSide(fan.cell));
  return {inTriangle(corner, sideStart(mesh, fan.side), sideEnd(mesh, fan.side), random), fan.cell};
}

CircleSampler::CircleSampler(const Surface& surface, const Place& centre, double range, CircleScratch& scratch)
    : centre_(surface.mesh.lattice().toUnits(centre.top())), range_(range), scratch_(scratch) {
  constexpr int kSides = 24;
  const NavMesh& mesh = surface.mesh;
  const double outside = range / std::cos(std::numbers::pi / kSides);
  const auto corner = [&](int i) {
    const double angle = 2 * std::numbers::pi * i / kSides;
    return centre_ + Vec2{outside * std::cos(angle), outside * std::sin(angle)};
  };
  scratch.pieces.clear();
  double sum = 0;
  surface.buckets.around(centre_, outside, scratch.buckets, [&](CellId cell) {
    scratch.polygon.clear();
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) scratch.polygon.push_back(sideStart(mesh, s));
    for (int i = 0; i < kSides && scratch.polygon.size() > 2; ++i) {
      clipToLine(corner(i), corner(i + 1), scratch.polygon, scratch.clipped);
    }
    if (scratch.polygon.size() < 3) return outside;
    for (size_t i = 2; i < scratch.polygon.size(); ++i) {
      const Vec2 a = scratch.polygon[0];
      const Vec2 b = scratch.polygon[i - 1];
      const Vec2 c = scratch.polygon[i];
      sum += 0.5 * cross(b - a, c - a);
      scratch.pieces.push_back({a, b, c, cell, sum});
    }
    return outside;
  });
  if (!(sum > 0)) scratch.pieces.clear();
}

std::optional<SurfacePlace> CircleSampler::draw(Random& random) const {
  const double at = random.real(0, scratch_.pieces.back().sum);
  const auto found = std::upper_bound(scratch_.pieces.begin(), scratch_.pieces.end() - 1, at,
                                      [](double value, const auto& piece) { return value < piece.sum; });
  const SurfacePlace place{inTriangle(found->a, found->b, found->c, random), found->cell};
  if (length(place.units - centre_) > range_) return std::nullopt;
  return place;
}

}  // namespace wend
