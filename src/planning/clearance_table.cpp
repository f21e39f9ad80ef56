#include "planning/clearance_table.h"

#include <algorithm>
#include <array>
#include <limits>

namespace wend {
namespace {

// Above this a cell's pairs would take more memory than they save time; its widths are portal lengths then.
constexpr uint32_t kMostPortals = 64;
// Portals looked through when measuring a width.
constexpr int kDepth = 4;

float roundedUp(double value) {
  const auto f = static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
  return static_cast<double>(f) < value ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

float roundedDown(double value) {
  const auto f = static_cast<float>(value);
  return static_cast<double>(f) > value ? std::nextafter(f, 0.0F) : f;
}

bool crosses(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const double c1 = cross(b - a, c - a);
  const double c2 = cross(b - a, d - a);
  const double d1 = cross(d - c, a - c);
  const double d2 = cross(d - c, b - c);
  return ((c1 > 0 && c2 < 0) || (c1 < 0 && c2 > 0)) && ((d1 > 0 && d2 < 0) || (d1 < 0 && d2 > 0));
}

}  // namespace

class TableBuilder {
 public:
  TableBuilder(const NavMesh& mesh, double reach, ClearanceTable& table) : mesh_(mesh), reach_(reach), t_(table) {}

  void run() {
    findWallVertices();
    t_.portalIndex_.assign(mesh_.sideCount(), kNone);
    t_.ordinal_.assign(mesh_.sideCount(), kNone);
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      limitPortals(cell);
      measureWidths(cell);
    }
    for (SideId s = 0; s < mesh_.sideCount(); ++s) {
      if (!mesh_.isWall(s)) t_.portalIndex_[s] = t_.portalIndex_[std::min(s, mesh_.twin(s))];
    }
  }

 private:
  // Each fan of a wall vertex lies between two walls: one that starts there and one that ends there.
  void findWallVertices() {
    startsAt_.assign(mesh_.vertexCount(), kNone);
    endsAt_.assign(mesh_.vertexCount(), kNone);
    for (SideId s = 0; s < mesh_.sideCount(); ++s) {
      if (!mesh_.isWall(s)) continue;
      startsAt_[mesh_.startVertex(s)] = s;
      endsAt_[mesh_.endVertex(s)] = s;
    }
  }
  bool isAtWall(VertexId v) const { return startsAt_[v] != kNone; }

  void limitPortals(CellId cell) {
    double longest = 0;
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (!mesh_.isWall(s) && s < mesh_.twin(s)) longest = std::max(longest, lengthOf(s));
    }
    if (longest == 0) return;
    const double radius = std::min(reach_, longest);
    walls_.clear();
    findWalls(mesh_, cell, radius, search_, walls_);
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (mesh_.isWall(s) || s > mesh_.twin(s)) continue;
      t_.portalIndex_[s] = t_.portalIndex_[mesh_.twin(s)] = static_cast<uint32_t>(t_.limits_.size());
      t_.limits_.push_back(limitsOf(s, radius));
    }
  }
  double lengthOf(SideId s) const { return length(sideEnd(mesh_, s) - sideStart(mesh_, s)); }

  ClearanceTable::PortalLimits limitsOf(SideId side, double radius) {
    ClearanceTable::PortalLimits limits;
    limits.criticalRadius = radius;
    limits.start = sideStart(mesh_, side);
    const Vec2 way = sideEnd(mesh_, side) - limits.start;
    limits.size = length(way);
    limits.along = (1 / limits.size) * way;
    const VertexId low = mesh_.startVertex(side);
    const VertexId high = mesh_.endVertex(side);
    limitEnd(low, mesh_.vertex(high) - mesh_.vertex(low), limits.lowShare, limits.lowWall, limits.criticalRadius);
    limitEnd(high, mesh_.vertex(low) - mesh_.vertex(high), limits.highShare, limits.highWall, limits.criticalRadius);
    near_.clear();
    for (const SideId w : walls_) {
      const bool own = w == startsAt_[low] || w == endsAt_[low] || w == startsAt_[high] || w == endsAt_[high];
      const Vec2 a = sideStart(mesh_, side);
      const Vec2 b = sideEnd(mesh_, side);
      const Vec2 c = sideStart(mesh_, w);
      const Vec2 d = sideEnd(mesh_, w);
      if (!own &&
          (areBoxesApart(a, b, c, d, radius) || isBehindEnd(low, b - a, c, d) || isBehindEnd(high, a - b, c, d)))
        continue;
      const double distance = closestBetween(a, b, c, d).distance;
      if (!own) limits.criticalRadius = std::min(limits.criticalRadius, distance);
      if (distance < radius) near_.push_back({w, roundedDown(distance)});
    }
    keepNear(radius, limits);
    return limits;
  }
  // Behind a wall's corner that ends the portal, seen along the portal: then the corner is nearer to every place on it.
  bool isBehindEnd(VertexId end, Vec2 along, Vec2 c, Vec2 d) const {
    const Vec2 corner = mesh_.vertex(end);
    return isAtWall(end) && dot(along, c - corner) <= 0 && dot(along, d - corner) <= 0;
  }
  void keepNear(double radius, ClearanceTable::PortalLimits& limits) {
    std::sort(near_.begin(), near_.end(), [](const auto& x, const auto& y) {
      return x.distance != y.distance ? x.distance < y.distance : x.wall < y.wall;
    });
    limits.nearReach = radius;
    // Where layers may lie above each other, near does not mean in sight.
    if (mesh_.layerCount() > 1) {
      near_.clear();
      limits.nearReach = 0;
    }
    if (near_.size() > ClearanceTable::kMostNear) {
      limits.nearReach = static_cast<double>(near_[ClearanceTable::kMostNear].distance);
      near_.resize(ClearanceTable::kMostNear);
    }
    limits.firstNear = static_cast<uint32_t>(t_.near_.size());
    limits.nearCount = static_cast<uint32_t>(near_.size());
    t_.near_.insert(t_.near_.end(), near_.begin(), near_.end());
  }
  // What the two walls at a portal's end block: the circle around the end, or, leaning over the portal, a stretch that
  // grows with 1 over the sine of the angle until the wall's own end counts.
  void limitEnd(VertexId v, Vec2 portal, double& share, SideId& wall, double& critical) const {
    if (!isAtWall(v)) return;
    share = 1;
    wall = startsAt_[v];
    const double size = length(portal);
    for (const SideId w : {startsAt_[v], endsAt_[v]}) {
      const Vec2 along =
          w == startsAt_[v] ? sideEnd(mesh_, w) - mesh_.vertex(v) : sideStart(mesh_, w) - mesh_.vertex(v);
      const double cosine = dot(along, portal);
      const double sine = std::abs(cross(along, portal));
      if (!(cosine > 0)) continue;
      // A surface may wind around a corner by more than a turn: then a wall that leans over the portal in plan may be
      // in another layer.
      if (mesh_.layerCount() > 1) {
        critical = 0;
        continue;
      }
      const double whole = length(along) * size;
      critical = std::min(critical, length(along) * sine / cosine);
      if (whole > share * sine) {
        share = sine > 0 ? whole / sine : HUGE_VAL;
        wall = w;
      }
    }
    if (!std::isfinite(share)) {
      share = 1;
      critical = 0;
    }
  }

  void measureWidths(CellId cell) {
    portals_.clear();
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (mesh_.isWall(s)) continue;
      t_.ordinal_[s] = static_cast<uint32_t>(portals_.size());
      portals_.push_back(s);
    }
    const auto k = static_cast<uint32_t>(portals_.size());
    t_.portalCount_.push_back(k);
    t_.firstWidth_.push_back(k > kMostPortals ? kNone : static_cast<uint32_t>(t_.widths_.size()));
    if (k > kMostPortals) return;
    for (uint32_t i = 0; i < k; ++i) {
      for (uint32_t j = i + 1; j < k; ++j) t_.widths_.push_back(roundedUp(widthOf(portals_[i], portals_[j])));
    }
  }

  double widthOf(SideId entry, SideId exit) {
    double width = HUGE_VAL;
    for (const SideId s : {entry, exit}) {
      if (isAtWall(mesh_.startVertex(s)) && isAtWall(mesh_.endVertex(s))) width = std::min(width, lengthOf(s));
    }
    // The right string runs from the entry's end to the exit's start, the left one from the exit's end to the entry's
    // start.
    for (const VertexId v : {mesh_.startVertex(entry), mesh_.endVertex(exit)}) across(v, entry, exit, width);
    for (const VertexId v : {mesh_.endVertex(entry), mesh_.startVertex(exit)}) across(v, exit, entry, width);
    return width;
  }
  // From a vertex of one string to the sides of the other, those after `from` and before `to`.
  void across(VertexId v, SideId from, SideId to, double& width) {
    if (!isAtWall(v)) return;
    const Vec2 p = mesh_.vertex(v);
    if (mesh_.nextSide(from) == to && isAtWall(mesh_.startVertex(to))) {
      width = std::min(width, length(p - sideStart(mesh_, to)));
    }
    for (SideId s = mesh_.nextSide(from); s != to; s = mesh_.nextSide(s)) lookThrough(p, s, 0, width);
  }
  void lookThrough(Vec2 p, SideId side, int depth, double& width) {
    const Vec2 a = sideStart(mesh_, side);
    const Vec2 b = sideEnd(mesh_, side);
    const Vec2 q = closestOnSegment(p, a, b);
    const double distance = length(p - q);
    if (distance >= width) return;
    if (mesh_.isWall(side)) {
      // Only what is in sight through the portals passed is on the other side.
      for (int i = 0; i < depth; ++i) {
        if (!crosses(p, q, sideStart(mesh_, passed_[i]), sideEnd(mesh_, passed_[i]))) return;
      }
      width = distance;
      return;
    }
    if (depth == kDepth) return;
    passed_[depth] = side;
    const SideId entry = mesh_.twin(side);
    for (SideId s = mesh_.nextSide(entry); s != entry; s = mesh_.nextSide(s)) {
      passed_[depth] = side;
      lookThrough(p, s, depth + 1, width);
    }
  }

  const NavMesh& mesh_;
  double reach_;
  ClearanceTable& t_;
  WallSearchScratch search_;
  std::vector<SideId> walls_;
  std::vector<ClearanceTable::NearWall> near_;
  std::vector<SideId> portals_;
  std::vector<SideId> startsAt_;
  std::vector<SideId> endsAt_;
  std::array<SideId, kDepth> passed_{};
};

ClearanceTable::ClearanceTable(const NavMesh& mesh, double reach) {
  TableBuilder(mesh, reach, *this).run();
}

double ClearanceTable::width(const NavMesh& mesh, SideId entry, SideId exit) const {
  const CellId cell = mesh.cellOf(entry);
  if (firstWidth_[cell] == kNone) return HUGE_VAL;
  uint32_t i = ordinal_[entry];
  uint32_t j = ordinal_[exit];
  if (i > j) std::swap(i, j);
  const uint32_t k = portalCount_[cell];
  return static_cast<double>(widths_[firstWidth_[cell] + i * k - i * (i + 1) / 2 + (j - i - 1)]);
}

size_t ClearanceTable::memory() const {
  return limits_.size() * sizeof(PortalLimits) + near_.size() * sizeof(NearWall) +
         (portalIndex_.size() + ordinal_.size()) * 4 + (firstWidth_.size() + portalCount_.size() + widths_.size()) * 4;
}

}  // namespace wend
