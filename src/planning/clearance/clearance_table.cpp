#include "planning/clearance/clearance_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mesh/live_arrays.h"
#include "planning/clearance/distances.h"
#include "planning/clearance/near_walls.h"

namespace wend {
namespace {

// Above this a cell's pairs would take more memory than they save time; its widths are portal lengths then.
constexpr uint32_t kMostPortals = 64;
// Portals that the measurement of a width passes at most.
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

  // What of a cell is not as it was in the version before.
  enum Touched : uint8_t { kWidths = 1, kLimits = 2 };

  // `before`: of the version before, with what is touched of each cell; or null.
  void run(const ClearanceTable* before = nullptr, const std::vector<uint8_t>& touched = {}) {
    findWallVertices();
    t_.portalIndex_.assign(mesh_.sideCount(), kNone);
    t_.ordinal_.assign(mesh_.sideCount(), kNone);
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      const int all = kWidths | kLimits;
      const int parts = before == nullptr ? all : touched[cell];
      if ((parts & kLimits) != 0) {
        limitPortals(cell);
      } else {
        copyLimits(*before, cell);
      }
      if ((parts & kWidths) != 0) {
        measureWidths(cell);
      } else {
        copyWidths(*before, cell);
      }
    }
    for (SideId s = 0; s < mesh_.sideCount(); ++s) {
      if (!mesh_.isWall(s)) t_.portalIndex_[s] = t_.portalIndex_[std::min(s, mesh_.twin(s))];
    }
  }

 private:
  void copyWidths(const ClearanceTable& before, CellId cell) {
    const auto first = static_cast<uint32_t>(t_.widths_.size());
    const uint32_t k = before.portalCount_[cell];
    const bool isMeasured = before.firstWidth_[cell] != kNone;
    t_.portalCount_.push_back(k);
    t_.firstWidth_.push_back(isMeasured ? first : kNone);
    if (isMeasured) {
      const auto widths = before.widths_.begin() + before.firstWidth_[cell];
      t_.widths_.insert(t_.widths_.end(), widths, widths + static_cast<ptrdiff_t>(k) * (k - 1) / 2);
    }
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) t_.ordinal_[s] = before.ordinal_[s];
  }
  void copyLimits(const ClearanceTable& before, CellId cell) {
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (mesh_.isWall(s) || s > mesh_.twin(s)) continue;
      t_.portalIndex_[s] = t_.portalIndex_[mesh_.twin(s)] = static_cast<uint32_t>(t_.limits_.size());
      ClearanceTable::PortalLimits limits = before.limits(s);
      const auto features = before.features_.begin() + limits.firstFeature;
      limits.firstFeature = static_cast<uint32_t>(t_.features_.size());
      t_.features_.insert(t_.features_.end(), features, features + limits.featureCount);
      t_.limits_.push_back(limits);
    }
  }

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
    findFeatures(side, radius, limits);
    return limits;
  }
  void findFeatures(SideId side, double radius, ClearanceTable::PortalLimits& limits) {
    const VertexId low = mesh_.startVertex(side);
    const VertexId high = mesh_.endVertex(side);
    features_.clear();
    ends_.clear();
    // Where both ends are at walls, a larger disk finds the portal closed.
    limits.nearReach = isAtWall(low) && isAtWall(high) ? std::min(radius, 0.5 * limits.size) : radius;
    for (const SideId w : walls_) {
      const bool own = w == startsAt_[low] || w == endsAt_[low] || w == startsAt_[high] || w == endsAt_[high];
      const Vec2 a = toPortal(limits, sideStart(mesh_, w));
      const Vec2 b = toPortal(limits, sideEnd(mesh_, w));
      double critical = lengthFeature(limits, a, b, w);
      for (const auto& [v, at] : {std::pair{mesh_.startVertex(w), a}, std::pair{mesh_.endVertex(w), b}}) {
        if (v != low && v != high) critical = std::min(critical, endFeature(limits, v, at, w));
      }
      if (!own) limits.criticalRadius = std::min(limits.criticalRadius, critical);
    }
    keepFeatures(limits);
  }
  // Along the portal, and across.
  static Vec2 toPortal(const ClearanceTable::PortalLimits& limits, Vec2 p) {
    return {dot(limits.along, p - limits.start), cross(limits.along, p - limits.start)};
  }
  // The critical radius of an end of a wall: below it the circles around the portal's own ends hold what it blocks.
  double endFeature(const ClearanceTable::PortalLimits& limits, VertexId v, Vec2 at, SideId wall) {
    const Vec2 off{at.x - std::clamp(at.x, 0.0, limits.size), at.y};
    double critical = length(off);
    const auto hide = [&](double share, double along) {
      if (!(share > 0)) return;
      if (along <= 0) {
        critical = HUGE_VAL;
      } else if (std::abs(at.y) >= along) {
        critical = std::max(critical, (along * along + at.y * at.y) / (2 * along));
      }
    };
    hide(limits.lowShare, at.x);
    hide(limits.highShare, limits.size - at.x);
    // Two walls share it.
    if (critical < limits.nearReach && std::find(ends_.begin(), ends_.end(), v) == ends_.end()) {
      ends_.push_back(v);
      features_.push_back({at.x, at.y * at.y, 0, 0, wall, roundedDown(critical)});
    }
    return critical;
  }
  // The same for the length of a wall, where it faces the portal at right angles.
  double lengthFeature(const ClearanceTable::PortalLimits& limits, Vec2 a, Vec2 b, SideId wall) {
    const double size = length(b - a);
    const Vec2 e = (1 / size) * (b - a);
    // Where the feet are the wall's ends. A wall at right angles to the portal has the feet of all places or of none.
    double first = -HUGE_VAL;
    double second = HUGE_VAL;
    if (std::abs(e.x) >= 1e-12) {
      first = a.x + a.y * e.y / e.x;
      second = b.x + b.y * e.y / e.x;
    } else if ((a.y > 0) == (b.y > 0)) {
      return HUGE_VAL;
    }
    const double from = std::max(0.0, std::min(first, second));
    const double to = std::min(limits.size, std::max(first, second));
    if (!(from < to)) return HUGE_VAL;
    const auto away = [&](double t) { return std::abs(cross(e, Vec2{t, 0} - a)); };
    const double atFrom = away(from);
    const double atTo = away(to);
    const bool grows = atFrom <= atTo;
    const double nearer = std::min(atFrom, atTo);
    const double growth = (std::max(atFrom, atTo) - nearer) / (to - from);
    double critical = nearer;
    // From the portal's own end on, the interval that is blocked grows with the radius, but not as fast as the circle.
    const bool isHidden = grows ? from == 0 && limits.lowShare > 0 : to == limits.size && limits.highShare > 0;
    if (isHidden) critical = growth < 1 ? nearer / (1 - growth) : HUGE_VAL;
    if (critical < limits.nearReach) {
      const double slope = growth > 0 ? 1 / growth : HUGE_VAL;
      features_.push_back({from, to, nearer, grows ? slope : -slope, wall, roundedDown(critical)});
    }
    return critical;
  }
  void keepFeatures(ClearanceTable::PortalLimits& limits) {
    std::sort(features_.begin(), features_.end(), [](const auto& x, const auto& y) {
      if (x.critical != y.critical) return x.critical < y.critical;
      return x.wall != y.wall ? x.wall < y.wall : x.from < y.from;
    });
    // Where layers may lie above each other, near does not mean in sight.
    if (mesh_.layerCount() > 1) {
      features_.clear();
      limits.nearReach = 0;
    }
    if (features_.size() > ClearanceTable::kMostFeatures) {
      limits.nearReach =
          std::min(limits.nearReach, static_cast<double>(features_[ClearanceTable::kMostFeatures].critical));
      features_.resize(ClearanceTable::kMostFeatures);
    }
    limits.firstFeature = static_cast<uint32_t>(t_.features_.size());
    limits.featureCount = static_cast<uint32_t>(features_.size());
    t_.features_.insert(t_.features_.end(), features_.begin(), features_.end());
  }
  // What the two walls at a portal's end block: the circle around the end, or, leaning over the portal, an interval
  // that grows with 1 over the sine of the angle until the wall's own end counts.
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
  std::vector<ClearanceTable::Feature> features_;
  std::vector<VertexId> ends_;
  std::vector<SideId> portals_;
  std::vector<SideId> startsAt_;
  std::vector<SideId> endsAt_;
  std::array<SideId, kDepth> passed_{};
};

ClearanceTable::ClearanceTable(const NavMesh& mesh, double reach) {
  TableBuilder(mesh, reach, *this).run();
}

namespace {

// Whether a cell is the same in both versions, with the same numbers of sides, twins and neighbours.
bool isSameCell(const NavMesh& old, const NavMesh& mesh, CellId cell) {
  if (cell >= old.cellCount() || cell >= mesh.cellCount() || old.firstSide(cell) != mesh.firstSide(cell) ||
      old.endSide(cell) != mesh.endSide(cell) || old.layerOf(cell) != mesh.layerOf(cell)) {
    return false;
  }
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (sideStart(old, s) != sideStart(mesh, s) || old.twin(s) != mesh.twin(s)) return false;
  }
  return true;
}

Box boxAround(const NavMesh& mesh, CellId cell, double around) {
  Box box;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const Vec2 p = sideStart(mesh, s);
    box.add(Point{static_cast<int32_t>(std::floor(p.x - around)), static_cast<int32_t>(std::floor(p.y - around))});
    box.add(Point{static_cast<int32_t>(std::ceil(p.x + around)), static_cast<int32_t>(std::ceil(p.y + around))});
  }
  return box;
}

bool doMeet(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

// Cells of the new version near a changed one: within `reach` for the limits of portals, within kDepth portals for
// widths. A wall that is the same has the same number of its side, or its cell counts as changed.
bool findTouched(const NavMesh& old, const NavMesh& mesh, double reach, std::vector<uint8_t>& touched) {
  const std::optional<MeshDifference> difference = differenceBetween(old, mesh);
  if (!difference) return false;
  std::vector<CellId> changed;
  const auto note = [&](CellId cell) {
    if (!isSameCell(old, mesh, cell)) changed.push_back(cell);
  };
  const auto cells = std::max(old.cellCount(), mesh.cellCount());
  for (const uint32_t block : difference->cells) {
    for (CellId cell = block * BlockLog::kBlock; cell < std::min<CellId>((block + 1) * BlockLog::kBlock, cells); ++cell)
      note(cell);
  }
  for (const uint32_t block : difference->sides) {
    for (SideId s = block * BlockLog::kBlock; s < (block + 1) * BlockLog::kBlock; ++s) {
      if (s < old.sideCount()) note(old.cellOf(s));
      if (s < mesh.sideCount()) note(mesh.cellOf(s));
    }
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  touched.assign(mesh.cellCount(), 0);
  std::vector<CellId> open;
  const auto touch = [&](CellId cell) {
    if (touched[cell] != 0) return;
    touched[cell] = TableBuilder::kWidths;
    open.push_back(cell);
  };
  std::vector<Box> boxes;
  Box all;
  const auto addBox = [&](const NavMesh& version, CellId cell) {
    boxes.push_back(boxAround(version, cell, reach));
    all.add(boxes.back());
  };
  for (const CellId cell : changed) {
    if (cell < mesh.cellCount()) touch(cell);
    if (cell < mesh.cellCount()) addBox(mesh, cell);
    if (cell < old.cellCount()) addBox(old, cell);
  }
  for (int depth = 0; depth <= kDepth; ++depth) {
    const std::vector<CellId> from = std::exchange(open, {});
    for (const CellId cell : from) {
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s)) touch(mesh.neighbour(s));
      }
    }
  }
  if (all.empty()) return true;
  for (const CellId cell : cellsNear(mesh, all)) {
    const Box own = boxAround(mesh, cell, 0);
    if (doMeet(own, all) && std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) { return doMeet(own, box); })) {
      touched[cell] |= TableBuilder::kLimits;
    }
  }
  return true;
}

}  // namespace

ClearanceTable::ClearanceTable(const ClearanceTable& before, const NavMesh& old, const NavMesh& mesh, double reach) {
  std::vector<uint8_t> touched;
  const bool follows = findTouched(old, mesh, reach, touched);
  TableBuilder(mesh, reach, *this).run(follows ? &before : nullptr, touched);
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

// What the features block are intervals; those that reach an end of the shrunk portal shorten it, in any order.
ClearanceTable::Shrunk ClearanceTable::shrinkByFeatures(const PortalLimits& limits, double r) const {
  if (limits.lowShare > 0 && limits.highShare > 0 && limits.size < 2 * r) return {Shrunk::kClosed};
  if (!(r <= limits.nearReach)) return {Shrunk::kUnknown};
  Shrunk shrunk{Shrunk::kOpen, limits.lowShare > 0 ? r : 0, limits.highShare > 0 ? limits.size - r : limits.size,
                limits.lowWall, limits.highWall};
  struct Blocked {
    double low, high;
    SideId wall;
  };
  std::array<Blocked, kMostFeatures> inside;
  size_t count = 0;
  // True if the blocked interval lies no longer inside the shrunk portal. Where it only touches what is blocked, a
  // shrunk portal of no length is between them.
  const auto take = [&](const Blocked& b) {
    if (b.high <= shrunk.low || b.low >= shrunk.high) return true;
    const bool atLow = b.low < shrunk.low || b.low <= 0;
    const bool atHigh = b.high > shrunk.high || b.high >= limits.size;
    if (atLow) shrunk.low = b.high, shrunk.lowWall = b.wall;
    if (atHigh) shrunk.high = b.low, shrunk.highWall = b.wall;
    return atLow || atHigh;
  };
  const Feature* const begin = features_.data() + limits.firstFeature;
  for (const Feature* f = begin; f != begin + limits.featureCount && static_cast<double>(f->critical) < r; ++f) {
    Blocked b{f->from, f->to, f->wall};
    if (f->slope == 0) {
      const double square = r * r - f->to;
      if (!(square > 0)) continue;
      const double half = std::sqrt(square);
      b.low = f->from - half;
      b.high = f->from + half;
    } else if (!(r > f->distance)) {
      continue;
    } else if (f->slope > 0) {
      b.high = std::min(f->to, f->from + (r - f->distance) * f->slope);
    } else {
      b.low = std::max(f->from, f->to + (r - f->distance) * f->slope);
    }
    if (!take(b)) inside[count++] = b;
    if (shrunk.low > shrunk.high) return {Shrunk::kClosed};
  }
  for (bool changed = true; changed && count > 0;) {
    changed = false;
    for (size_t i = 0; i < count;) {
      if (take(inside[i])) {
        inside[i] = inside[--count];
        changed = true;
      } else {
        ++i;
      }
    }
  }
  if (shrunk.low > shrunk.high || shrunk.low >= limits.size) return {Shrunk::kClosed};
  if (count > 0) shrunk.kind = Shrunk::kUnknown;
  return shrunk;
}

size_t ClearanceTable::memory() const {
  return limits_.size() * sizeof(PortalLimits) + features_.size() * sizeof(Feature) +
         (portalIndex_.size() + ordinal_.size()) * 4 + (firstWidth_.size() + portalCount_.size() + widths_.size()) * 4;
}

}  // namespace wend
