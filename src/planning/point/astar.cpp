#include "planning/point/astar.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"

namespace wend {
namespace {

// The point x of segment ab with the least |px| + |x goal|: where the line from p to the goal (mirrored to the far side
// if need be) meets it, or the nearer end.
Vec2 bestPoint(Vec2 p, Vec2 goal, Vec2 a, Vec2 b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double pAlong = ((p.x - a.x) * dx + (p.y - a.y) * dy) / square;
  const double goalAlong = ((goal.x - a.x) * dx + (goal.y - a.y) * dy) / square;
  const double pAcross = std::abs(dx * (p.y - a.y) - dy * (p.x - a.x));
  const double goalAcross = std::abs(dx * (goal.y - a.y) - dy * (goal.x - a.x));
  const double sum = pAcross + goalAcross;
  const double t = sum > 0 ? (pAlong * goalAcross + goalAlong * pAcross) / sum : pAlong;
  const double clamped = std::clamp(t, 0.0, 1.0);
  return {a.x + clamped * dx, a.y + clamped * dy};
}

class PointAStar {
 public:
  PointAStar(const NavMesh& mesh, const SearchEnds& ends, const SearchScope& scope, QueryStamp now,
             AStarScratch& scratch)
      : mesh_(mesh), ends_(ends), scope_(scope), now_(now), scratch_(scratch) {}

  bool run(SearchPath& path, uint64_t& expanded) {
    scratch_.open.clear();
    for (const CellId cell : ends_.startCells) leave(cell, kNone, ends_.start, 0);
    while (!scratch_.open.empty()) {
      const SideId entry = scratch_.open.pop().node;
      if (!scratch_.closed.insert(entry, now_)) continue;
      const CellId cell = mesh_.cellOf(entry);
      if (scope_.isGoal(cell)) {
        trace(entry, path);
        return true;
      }
      ++expanded;
      const AStarNode node = *scratch_.nodes.find(entry, now_);
      leave(cell, entry, node.point, node.g);
    }
    return false;
  }

 private:
  void leave(CellId cell, SideId entry, Vec2 from, double g) {
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (s == entry || mesh_.isWall(s)) continue;
      const SideId across = mesh_.twin(s);
      if (!scope_.mayEnter(cell, mesh_.cellOf(across)) || scratch_.closed.has(across, now_)) continue;
      const Vec2 point =
          bestPoint(from, ends_.goal, mesh_.vertex(mesh_.startVertex(s)), mesh_.vertex(mesh_.startVertex(across)));
      const double length = g + distance(from, point);
      const AStarNode* known = scratch_.nodes.find(across, now_);
      const double f = length + distance(point, ends_.goal);
      if (known != nullptr && known->g + distance(known->point, ends_.goal) <= f) continue;
      scratch_.nodes.set(across, {length, point, entry}, now_);
      scratch_.open.push({f, length, across, 0, across});
    }
  }

  // Between two visits of one convex cell the path could have stayed in it, so the loop is left out.
  void trace(SideId last, SearchPath& path) {
    path.clear();
    for (SideId entry = last; entry != kNone; entry = scratch_.nodes.find(entry, now_)->parent) {
      path.entries.push_back(entry);
    }
    std::reverse(path.entries.begin(), path.entries.end());
    scratch_.firstVisit.set(mesh_.neighbour(path.entries.front()), 0, now_);
    uint32_t kept = 0;
    for (const SideId entry : path.entries) {
      const CellId cell = mesh_.cellOf(entry);
      const uint32_t* visit = scratch_.firstVisit.find(cell, now_);
      // A recorded visit counts only while its entry is still part of the path.
      if (visit != nullptr && *visit <= kept && isVisit(path, *visit, cell)) {
        kept = *visit;
        continue;
      }
      path.entries[kept++] = entry;
      scratch_.firstVisit.set(cell, kept, now_);
    }
    path.entries.resize(kept);
  }
  bool isVisit(const SearchPath& path, uint32_t visit, CellId cell) const {
    return visit == 0 ? mesh_.neighbour(path.entries.front()) == cell : mesh_.cellOf(path.entries[visit - 1]) == cell;
  }

  const NavMesh& mesh_;
  const SearchEnds& ends_;
  const SearchScope& scope_;
  QueryStamp now_;
  AStarScratch& scratch_;
};

}  // namespace

bool searchAStar(const NavMesh& mesh, const SearchEnds& ends, const SearchScope& scope, QueryStamp now,
                 AStarScratch& scratch, SearchPath& path, uint64_t& expanded) {
  return PointAStar(mesh, ends, scope, now, scratch).run(path, expanded);
}

}  // namespace wend
