#include "planning/clearance/near_walls.h"

#include <algorithm>

namespace wend {
namespace {

struct Bounds {
  Vec2 low{HUGE_VAL, HUGE_VAL};
  Vec2 high{-HUGE_VAL, -HUGE_VAL};
  void add(Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  bool misses(Vec2 a, Vec2 b, double r) const {
    return (a.x < low.x - r && b.x < low.x - r) || (a.x > high.x + r && b.x > high.x + r) ||
           (a.y < low.y - r && b.y < low.y - r) || (a.y > high.y + r && b.y > high.y + r);
  }
};

class WallSearch {
 public:
  WallSearch(const NavMesh& mesh, CellId cell, double r, WallSearchScratch& scratch)
      : mesh_(mesh), cell_(cell), r_(r), s_(scratch) {
    s_.polygon.clear();
    for (SideId side = mesh.firstSide(cell); side != mesh.endSide(cell); ++side) {
      s_.polygon.push_back(sideStart(mesh, side));
      bounds_.add(s_.polygon.back());
    }
    if (s_.stamp.advance()) s_.seen.wipe();
    s_.seen.grow(mesh.cellCount());
    s_.cells.assign(1, cell);
    s_.open.clear();
  }

  void run(std::vector<SideId>& walls) {
    const size_t begin = walls.size();
    s_.seen.insert(cell_, s_.stamp);
    for (SideId side = mesh_.firstSide(cell_); side != mesh_.endSide(cell_); ++side) {
      if (mesh_.isWall(side)) {
        walls.push_back(side);
      } else {
        enter({mesh_.neighbour(side), mesh_.twin(side)});
      }
    }
    while (!s_.open.empty()) {
      const WallSearchScratch::Visit visit = s_.open.back();
      s_.open.pop_back();
      look(visit, walls);
    }
    std::sort(walls.begin() + static_cast<ptrdiff_t>(begin), walls.end());
    walls.erase(std::unique(walls.begin() + static_cast<ptrdiff_t>(begin), walls.end()), walls.end());
  }

 private:
  void enter(const WallSearchScratch::Visit& visit) {
    if (!s_.seen.insert(visit.cell, s_.stamp)) return;
    s_.cells.push_back(visit.cell);
    s_.open.push_back(visit);
  }

  void look(const WallSearchScratch::Visit& visit, std::vector<SideId>& walls) {
    for (SideId side = mesh_.firstSide(visit.cell); side != mesh_.endSide(visit.cell); ++side) {
      if (side == visit.entry) continue;
      const Vec2 a = sideStart(mesh_, side);
      const Vec2 b = sideEnd(mesh_, side);
      if (bounds_.misses(a, b, r_) || !isNear(a, b)) continue;
      if (mesh_.isWall(side)) {
        walls.push_back(side);
      } else {
        enter({mesh_.neighbour(side), mesh_.twin(side)});
      }
    }
  }

  bool isNear(Vec2 a, Vec2 b) const {
    for (size_t i = 0; i < s_.polygon.size(); ++i) {
      const Vec2 c = s_.polygon[i];
      const Vec2 d = s_.polygon[i + 1 == s_.polygon.size() ? 0 : i + 1];
      if (closestBetween(a, b, c, d).distance < r_) return true;
    }
    return false;
  }

  const NavMesh& mesh_;
  CellId cell_;
  double r_;
  WallSearchScratch& s_;
  Bounds bounds_;
};

}  // namespace

namespace {

// Lattice units: corners off the lattice are rounded, and a cell may be concave by this much where its border is
// straight.
constexpr double kStraight = 1e-3;

// Whether a segment from a leaves the line of the side cd by rounding alone, beyond the end of the side that it moves
// away from. Then it runs along the border of the cell, and leaves it elsewhere, if at all.
bool runsOffSide(Vec2 a, Vec2 b, Vec2 c, Vec2 d, double before, double after) {
  const Vec2 side = d - c;
  if (before > 0 || -after > kStraight * (std::abs(side.x) + std::abs(side.y))) return false;
  const double ahead = dot(b - a, side);
  return ahead < 0 ? dot(a - c, side) <= 0 : dot(a - d, side) >= 0;
}

}  // namespace

CellExit findExit(const NavMesh& mesh, CellId cell, SideId entry, Vec2 a, Vec2 b) {
  CellExit exit;
  double miss = HUGE_VAL;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (s == entry) continue;
    const Vec2 c = sideStart(mesh, s);
    const Vec2 d = sideEnd(mesh, s);
    const double before = cross(d - c, a - c);
    const double after = cross(d - c, b - c);
    if (!(after < 0) || !(after < before) || runsOffSide(a, b, c, d, before, after)) continue;
    // Sides on one line are left at one place: only the one that the segment runs through has its ends on both sides.
    const double off = std::max({0.0, cross(b - a, c - a), -cross(b - a, d - a)});
    const double at = before <= 0 ? 0 : before / (before - after);
    if (exit.side != kNone && (off != miss ? off > miss : at >= exit.at)) continue;
    miss = off;
    exit = {at, s};
  }
  return exit;
}

void findWalls(const NavMesh& mesh, CellId cell, double r, WallSearchScratch& scratch, std::vector<SideId>& walls) {
  WallSearch(mesh, cell, r, scratch).run(walls);
}

}  // namespace wend
