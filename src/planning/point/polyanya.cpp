#include "planning/point/polyanya.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "planning/point/flood.h"
#include "planning/point/thin_view.h"

namespace wend {
namespace {

// Two ways of equal length to one root differ by rounding only; both must stay, for they look in different directions.
double withSlack(double g) {
  return g + 1e-12 * g + 1e-9;
}

// Where the line through `from` and `to` cuts ab, whose ends lie on different sides of it.
Vec2 cut(Vec2 from, Vec2 to, Vec2 a, Vec2 b) {
  const double ca = accurateCross(from, to, a);
  const double cb = accurateCross(from, to, b);
  const double t = ca == cb ? 0.5 : std::clamp(ca / (ca - cb), 0.0, 1.0);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

// What a search without a goal finds.
class FloodRecord {
 public:
  FloodRecord(double limit, std::span<FloodTarget> targets, PointFloodScratch& scratch)
      : bound_(limit), targets_(targets), s_(scratch) {
    missing_ = targets.size();
  }

  double bound() const { return bound_; }
  void reach(CellId cell, double distance) {
    double* known = s_.reached.find(cell, s_.stamp);
    if (known == nullptr) {
      s_.reached.set(cell, distance, s_.stamp);
      s_.cells.push_back(cell);
    } else {
      *known = std::min(*known, distance);
    }
  }
  // Calls `distanceTo` with the place of each target in the cell.
  template <typename Distance>
  void reachTargets(CellId cell, const Distance& distanceTo) {
    const uint32_t* first = s_.firstTarget.find(cell, s_.stamp);
    if (first == nullptr) return;
    for (uint32_t i = *first; i != kNone; i = s_.entries[i].next) {
      FloodTarget& target = targets_[s_.entries[i].target];
      const double distance = distanceTo(target.place);
      if (distance >= target.distance) continue;
      if (std::isinf(target.distance)) --missing_;
      target.distance = distance;
      isNew_ = true;
    }
  }
  // Nothing farther away than the farthest target can change its distance.
  void tighten() {
    if (!isNew_ || missing_ > 0) return;
    isNew_ = false;
    double farthest = 0;
    for (const FloodTarget& target : targets_) farthest = std::max(farthest, target.distance);
    bound_ = std::min(bound_, farthest);
  }

 private:
  double bound_;
  std::span<FloodTarget> targets_;
  PointFloodScratch& s_;
  size_t missing_ = 0;
  bool isNew_ = false;
};

class Search {
 public:
  Search(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends, const SearchScope& scope,
         QueryStamp now, PolyanyaScratch& scratch, FloodRecord* flood = nullptr)
      : vertices_(mesh.views().vertices.data()),
        cellBegin_(mesh.views().cellBegin.data()),
        sideVertex_(mesh.views().sideVertex.data()),
        sideTwin_(mesh.views().sideTwin.data()),
        sideCell_(mesh.views().sideCell.data()),
        analysis_(analysis),
        ends_(ends),
        scope_(scope),
        now_(now),
        scratch_(scratch),
        flood_(flood) {}

  void flood() {
    scratch_.nodes.clear();
    scratch_.open.clear();
    addStart();
    uint32_t index = take(0);
    while (true) {
      if (index == kNone) {
        if (scratch_.open.empty()) return;
        const OpenEntry next = scratch_.open.pop();
        flood_->tighten();
        if (next.f > flood_->bound()) return;
        index = next.node;
      }
      const size_t first = scratch_.nodes.size();
      if (!isOutdated(scratch_.nodes[index]) && !isBeaten(scratch_.nodes[index])) addSuccessors(index);
      index = take(first);
    }
  }

  PolyanyaAnswer run(uint64_t most, SearchPath& path, uint64_t& expanded) {
    scratch_.nodes.clear();
    scratch_.open.clear();
    addStart();
    scratch_.next = take(0);
    return goOn(most, path, expanded);
  }
  PolyanyaAnswer goOn(uint64_t most, SearchPath& path, uint64_t& expanded) {
    uint32_t index = scratch_.next;
    uint64_t count = 0;
    while (true) {
      if (index == kNone) {
        if (scratch_.open.empty()) return PolyanyaAnswer::kUnreachable;
        index = scratch_.open.pop().node;
        if (leadsToGoal(scratch_.nodes[index])) break;
      }
      const size_t first = scratch_.nodes.size();
      if (!isOutdated(scratch_.nodes[index]) && !isBeaten(scratch_.nodes[index])) {
        if (count++ == most) {
          scratch_.next = index;
          return PolyanyaAnswer::kUnfinished;
        }
        ++expanded;
        addSuccessors(index);
      }
      index = take(first);
    }
    trace(index, path);
    return PolyanyaAnswer::kFound;
  }

 private:
  SideId nextSide(SideId side) const {
    const CellId cell = sideCell_[side];
    return side + 1 == cellBegin_[cell + 1] ? cellBegin_[cell] : side + 1;
  }
  VertexId endVertex(SideId side) const { return sideVertex_[nextSide(side)]; }
  bool leadsToGoal(const PolyanyaNode& node) const { return flood_ == nullptr && scope_.isGoal(sideCell_[node.side]); }
  Vec2 place(uint32_t root) const { return root == kStartRoot ? ends_.start : vertices_[root]; }

  bool isOutdated(const PolyanyaNode& node) {
    if (node.root == kStartRoot) return false;
    const double* best = scratch_.bestG.find(node.root, now_);
    return best != nullptr && node.g > withSlack(*best);
  }

  // Whether a path of length g to this root is worth following; remembers the best.
  bool improves(VertexId root, double g) {
    double* best = scratch_.bestG.find(root, now_);
    if (best == nullptr) {
      scratch_.bestG.set(root, g, now_);
      return true;
    }
    if (g > withSlack(*best)) return false;
    *best = std::min(*best, g);
    return true;
  }

  // What is known of the distance to a vertex, whether or not a path bends there.
  void noteDistance(VertexId vertex, double distance) {
    double* best = scratch_.bestG.find(vertex, now_);
    if (best == nullptr) {
      scratch_.bestG.set(vertex, distance, now_);
    } else {
      *best = std::min(*best, distance);
    }
  }
  // Whether a known path to an end of the side, and then along the side, is shorter to every point of the interval. The
  // gain of that path shrinks with the distance from the end, so the other end of the interval decides.
  bool isBeaten(VertexId end, double along, double far) {
    const double* best = scratch_.bestG.find(end, now_);
    return best != nullptr && far > withSlack(*best + along);
  }
  bool isBeaten(const PolyanyaNode& node) {
    if (node.collinear) return false;
    const Vec2 root = place(node.root);
    const VertexId left = sideVertex_[node.side];
    const VertexId right = endVertex(node.side);
    return isBeaten(left, distance(vertices_[left], node.right), node.g + distance(root, node.right)) ||
           isBeaten(right, distance(vertices_[right], node.left), node.g + distance(root, node.left));
  }

  // Whether the cell behind `side` is still to be entered by turning around `root`, one of the side's ends.
  bool improvesSpin(SideId side, bool atEnd, double g) {
    const uint32_t key = 2 * side + (atEnd ? 1 : 0);
    const double* best = scratch_.spun.find(key, now_);
    if (best != nullptr && *best <= withSlack(g)) return false;
    scratch_.spun.set(key, g, now_);
    return true;
  }

  // A shortest way root -> interval -> goal. Never too long; exact when the goal is in the next cell.
  static double estimate(Vec2 goal, Vec2 root, Vec2 left, Vec2 right, Vec2 sideLeft, Vec2 sideRight) {
    const double dx = sideRight.x - sideLeft.x;
    const double dy = sideRight.y - sideLeft.y;
    const double across = dx * (goal.y - sideLeft.y) - dy * (goal.x - sideLeft.x);
    if (across < 0) {
      // The goal is on the root's side of the line: mirrored, it is as far from every point of the interval.
      const double scale = 2 * across / (dx * dx + dy * dy);
      goal.x += scale * dy;
      goal.y -= scale * dx;
    }
    const Vec2 toGoal{goal.x - root.x, goal.y - root.y};
    if ((left.x - root.x) * toGoal.y - (left.y - root.y) * toGoal.x > 0) {
      return distance(root, left) + distance(left, goal);
    }
    if ((right.x - root.x) * toGoal.y - (right.y - root.y) * toGoal.x < 0) {
      return distance(root, right) + distance(right, goal);
    }
    return std::sqrt(toGoal.x * toGoal.x + toGoal.y * toGoal.y);
  }

  // The end of its side at which the path of a collinear node passes.
  bool isLeftNearer(const PolyanyaNode& node) const {
    return isBetween(place(node.root), vertices_[node.leftBound], vertices_[node.rightBound]);
  }
  VertexId nearerEnd(const PolyanyaNode& node) const { return isLeftNearer(node) ? node.leftBound : node.rightBound; }

  // The node behind `exit`, a side of `cell`, with the whole side as its interval; false if it leads nowhere.
  bool makeNode(CellId cell, SideId exit, uint32_t root, uint32_t previousRoot, double g, PolyanyaNode& node) const {
    node.side = sideTwin_[exit];
    if (node.side == kNone) return false;
    if (flood_ == nullptr && !scope_.mayEnter(cell, sideCell_[node.side])) return false;
    node.root = root;
    node.previousRoot = previousRoot;
    node.g = g;
    node.leftBound = sideVertex_[node.side];
    node.rightBound = sideVertex_[exit];
    node.left = vertices_[node.leftBound];
    node.right = vertices_[node.rightBound];
    node.parent = parent_;
    node.collinear = false;
    return true;
  }
  // A shortest path never comes back to a convex cell: see isThin().
  bool comesBack(const PolyanyaNode& node) const {
    const CellId cell = sideCell_[node.side];
    uint32_t i = node.parent;
    while (i != kNone && sideCell_[scratch_.nodes[i].side] != cell) i = scratch_.nodes[i].parent;
    return i != kNone;
  }
  void add(PolyanyaNode& node, Vec2 sideLeft, Vec2 sideRight) {
    const Vec2 root = place(node.root);
    if (!node.collinear && (scratch_.nodes.size() > kManyNodes || isThin(node.left - root, node.right - root)) &&
        comesBack(node)) {
      return;
    }
    if (flood_ != nullptr) {
      record(node, root, sideLeft, sideRight);
      if (node.f > flood_->bound() || (node.collinear && analysis_.turnable[nearerEnd(node)] == 0)) return;
    } else if (node.collinear) {
      const Vec2 end = vertices_[nearerEnd(node)];
      node.f = node.g + distance(root, end) + distance(end, ends_.goal);
    } else {
      node.f = node.g + estimate(ends_.goal, root, node.left, node.right, sideLeft, sideRight);
    }
    if (!node.collinear) {
      if (isBeaten(node)) return;
      noteDistance(sideVertex_[node.side], node.g + distance(root, node.left) + distance(node.left, sideLeft));
      noteDistance(endVertex(node.side), node.g + distance(root, node.right) + distance(node.right, sideRight));
    }
    scratch_.nodes.push_back(node);
  }
  // Without a goal: the distance of the interval, and of the targets behind it.
  void record(PolyanyaNode& node, Vec2 root, Vec2 sideLeft, Vec2 sideRight) {
    const CellId cell = sideCell_[node.side];
    if (node.collinear) {
      const Vec2 end = vertices_[nearerEnd(node)];
      node.f = node.g + distance(root, end);
      flood_->reachTargets(cell, [&](Vec2 target) { return node.f + distance(end, target); });
    } else {
      node.f = node.g + distanceToSegment(root, node.left, node.right);
      flood_->reachTargets(cell, [&](Vec2 target) {
        return node.g + estimate(target, root, node.left, node.right, sideLeft, sideRight);
      });
    }
    if (node.f <= flood_->bound()) flood_->reach(cell, node.f);
  }
  // The whole side, from a root of this cell, which may lie on the side's line.
  void addWhole(CellId cell, SideId exit, uint32_t root, uint32_t previousRoot, double g) {
    PolyanyaNode node;
    if (!makeNode(cell, exit, root, previousRoot, g, node)) return;
    node.collinear = orient(place(root), node.left, node.right) == 0;
    if (flood_ == nullptr && node.collinear && !leadsToGoal(node) && analysis_.turnable[nearerEnd(node)] == 0) return;
    add(node, node.left, node.right);
  }

  // Queues the successors, which lie at the end of the pool. A single one outside the goal that would come out of the
  // heap at once is not worth it: returned to be expanded.
  uint32_t take(size_t first) {
    const size_t count = scratch_.nodes.size() - first;
    const bool isNext = scratch_.open.empty() || (count == 1 && scratch_.nodes.back().f <= scratch_.open.top().f);
    if (count == 1 && isNext && !leadsToGoal(scratch_.nodes.back())) return static_cast<uint32_t>(first);
    for (size_t i = first; i < scratch_.nodes.size(); ++i) {
      const PolyanyaNode& node = scratch_.nodes[i];
      scratch_.open.push({node.f, node.g, node.side, node.root, static_cast<uint32_t>(i)});
    }
    return kNone;
  }

  // The start sees every side of every start cell, except those it stands on: behind them is another start cell.
  void addStart() {
    for (const CellId cell : ends_.startCells) {
      for (SideId s = cellBegin_[cell]; s != cellBegin_[cell + 1]; ++s) {
        if (sideTwin_[s] == kNone) continue;
        const Vec2 a = vertices_[sideVertex_[s]];
        const Vec2 b = vertices_[endVertex(s)];
        if (isBetween(a, ends_.start, b) && orient(a, b, ends_.start) == 0) continue;
        addWhole(cell, s, kStartRoot, kStartRoot, 0);
      }
    }
  }

  void addSuccessors(uint32_t index) {
    parent_ = index;
    const PolyanyaNode node = scratch_.nodes[index];
    if (node.collinear) {
      spread(node);
    } else {
      lookThrough(node);
    }
  }

  // The root lies on the side's own line: the path goes to the nearer end and fans out from there. (At an end where no
  // path bends, the cells around it are seen through other intervals.)
  void spread(const PolyanyaNode& node) {
    const bool isLeft = isLeftNearer(node);
    const VertexId end = isLeft ? node.leftBound : node.rightBound;
    const bool stays = end == node.root;
    const double g = stays ? node.g : node.g + distance(place(node.root), vertices_[end]);
    if (!improves(end, g) || !improvesSpin(node.side, !isLeft, g)) return;
    const uint32_t previous = stays ? node.previousRoot : node.root;
    const CellId cell = sideCell_[node.side];
    for (SideId s = nextSide(node.side); s != node.side; s = nextSide(s)) addWhole(cell, s, end, previous, g);
  }

  // A view from a root through an interval: its edges as rays, and the turns it allows at its ends.
  struct View {
    Vec2 leftFrom, leftTo, rightFrom, rightTo;
    VertexId leftVertex, rightVertex;  // of the side of the node
    bool leftIs, rightIs;              // the interval ends in that vertex
    bool leftTurn, rightTurn;          // and the path may bend there
    double leftG = 0, rightG = 0;      // the length up to there
  };
  View viewOf(const PolyanyaNode& node) {
    View view;
    const Vec2 root = place(node.root);
    view.leftFrom = node.leftBound == node.root ? place(node.previousRoot) : root;
    view.leftTo = vertices_[node.leftBound];
    view.rightFrom = node.rightBound == node.root ? place(node.previousRoot) : root;
    view.rightTo = vertices_[node.rightBound];
    view.leftVertex = sideVertex_[node.side];
    view.rightVertex = endVertex(node.side);
    view.leftIs = node.leftBound == view.leftVertex;
    view.rightIs = node.rightBound == view.rightVertex;
    view.leftTurn = view.leftIs && analysis_.turnable[view.leftVertex] != 0;
    if (view.leftTurn) {
      view.leftG = node.g + distance(root, view.leftTo);
      view.leftTurn = improves(view.leftVertex, view.leftG);
    }
    view.rightTurn = view.rightIs && analysis_.turnable[view.rightVertex] != 0;
    if (view.rightTurn) {
      view.rightG = node.g + distance(root, view.rightTo);
      view.rightTurn = improves(view.rightVertex, view.rightG);
    }
    return view;
  }

  // The general case: the other sides of the cell, counter-clockwise from the right end, fall right of the view, into
  // it, and left of it. Where the interval ends in a vertex at which no path bends, sides that prolong that edge of the
  // view are still seen, edge-on: a path may run along a straight wall up to them and bend there.
  void lookThrough(const PolyanyaNode& node) {
    const View view = viewOf(node);
    const CellId cell = sideCell_[node.side];
    // Of the side's right end a: -1 right of the view's right edge, 0 on it, 1 left of it.
    int aRight = view.rightIs ? 0 : -1;
    // Likewise for the left edge, -1 right of it.
    int aLeft = -1;
    const SideId begin = cellBegin_[cell];
    const SideId end = cellBegin_[cell + 1];
    SideId s = node.side;
    while ((s = s + 1 == end ? begin : s + 1) != node.side) {
      if (aLeft >= 0 && view.leftTurn) {
        addWhole(cell, s, view.leftVertex, node.root, view.leftG);
        continue;
      }
      if (aLeft > 0) return;
      const VertexId b = sideVertex_[s + 1 == end ? begin : s + 1];
      const bool isLast = b == view.leftVertex;
      const int bRight = aRight > 0 || isLast ? 1 : orient(view.rightFrom, view.rightTo, vertices_[b]);
      int bLeft = -1;
      if (bRight > 0) {
        bLeft = isLast ? (view.leftIs ? 0 : 1) : orient(view.leftFrom, view.leftTo, vertices_[b]);
      }
      const bool isAlongRight = view.rightIs && aRight == 0 && bRight == 0;
      const bool isAlongLeft = view.leftIs && aLeft == 0 && bLeft == 0;
      if (bRight <= 0 && view.rightTurn) {
        addWhole(cell, s, view.rightVertex, node.root, view.rightG);
      } else if (isAlongRight || isAlongLeft) {
        addWhole(cell, s, node.root, node.previousRoot, node.g);
      } else if (bRight > 0 && aLeft < 0) {
        addSeen(node, view, cell, s, aRight<0, bLeft> 0);
      }
      aRight = bRight;
      aLeft = bLeft;
    }
  }

  // A side that the view meets: the part seen from the old root, and the parts hidden behind the ends of the interval.
  void addSeen(const PolyanyaNode& from, const View& view, CellId cell, SideId exit, bool cutRight, bool cutLeft) {
    PolyanyaNode seen;
    if (!makeNode(cell, exit, from.root, from.previousRoot, from.g, seen)) return;
    const Vec2 sideLeft = seen.left;
    const Vec2 sideRight = seen.right;
    if (cutRight) {
      const VertexId end = seen.rightBound;
      seen.right = cut(view.rightFrom, view.rightTo, sideRight, sideLeft);
      seen.rightBound = from.rightBound;
      if (view.rightTurn) {
        PolyanyaNode hidden = seen;
        hidden.root = view.rightVertex;
        hidden.previousRoot = from.root;
        hidden.g = view.rightG;
        hidden.left = seen.right;
        hidden.leftBound = view.rightVertex;
        hidden.right = sideRight;
        hidden.rightBound = end;
        add(hidden, sideLeft, sideRight);
      }
    }
    if (cutLeft) {
      const VertexId end = seen.leftBound;
      seen.left = cut(view.leftFrom, view.leftTo, sideRight, sideLeft);
      seen.leftBound = from.leftBound;
      if (view.leftTurn) {
        PolyanyaNode hidden = seen;
        hidden.root = view.leftVertex;
        hidden.previousRoot = from.root;
        hidden.g = view.leftG;
        hidden.right = seen.left;
        hidden.rightBound = view.leftVertex;
        hidden.left = sideLeft;
        hidden.leftBound = end;
        add(hidden, sideLeft, sideRight);
      }
    }
    add(seen, sideLeft, sideRight);
  }

  // The last bend before the goal, which lies in the cell behind the node.
  void addLastBend(const PolyanyaNode& node, SearchPath& path) const {
    if (node.collinear) {
      const VertexId end = nearerEnd(node);
      path.bends.push_back({vertices_[end], end});
      return;
    }
    const VertexId leftVertex = sideVertex_[node.side];
    const VertexId rightVertex = endVertex(node.side);
    const Vec2 root = place(node.root);
    const Vec2 leftFrom = node.leftBound == node.root ? place(node.previousRoot) : root;
    const Vec2 rightFrom = node.rightBound == node.root ? place(node.previousRoot) : root;
    // A path bends at an end that is not a vertex only where two paths are equal up to rounding.
    if (orient(leftFrom, vertices_[node.leftBound], ends_.goal) > 0) {
      path.bends.push_back({node.left, node.leftBound == leftVertex ? leftVertex : kNone});
    } else if (orient(rightFrom, vertices_[node.rightBound], ends_.goal) < 0) {
      path.bends.push_back({node.right, node.rightBound == rightVertex ? rightVertex : kNone});
    }
  }

  void trace(uint32_t last, SearchPath& path) const {
    path.clear();
    addLastBend(scratch_.nodes[last], path);
    uint32_t root = kStartRoot;
    for (uint32_t index = last; index != kNone; index = scratch_.nodes[index].parent) {
      const PolyanyaNode& node = scratch_.nodes[index];
      path.entries.push_back(node.side);
      if (node.root != root && node.root != kStartRoot) path.bends.push_back({vertices_[node.root], node.root});
      root = node.root;
    }
    std::reverse(path.entries.begin(), path.entries.end());
    std::reverse(path.bends.begin(), path.bends.end());
  }

  // The mesh's arrays, taken out so that the inner loop does not load them again and again.
  const Vec2* vertices_;
  const uint32_t* cellBegin_;
  const VertexId* sideVertex_;
  const SideId* sideTwin_;
  const CellId* sideCell_;
  const MeshAnalysis& analysis_;
  const SearchEnds& ends_;
  const SearchScope& scope_;
  QueryStamp now_;
  PolyanyaScratch& scratch_;
  FloodRecord* flood_ = nullptr;
  uint32_t parent_ = kNone;  // of the successors being added
};

}  // namespace

PolyanyaAnswer searchPolyanya(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
                              const SearchScope& scope, QueryStamp now, PolyanyaScratch& scratch, uint64_t most,
                              SearchPath& path, uint64_t& expanded) {
  return Search(mesh, analysis, ends, scope, now, scratch).run(most, path, expanded);
}

PolyanyaAnswer finishPolyanya(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
                              const SearchScope& scope, QueryStamp now, PolyanyaScratch& scratch, SearchPath& path,
                              uint64_t& expanded) {
  return Search(mesh, analysis, ends, scope, now, scratch).goOn(std::numeric_limits<uint64_t>::max(), path, expanded);
}

void floodPoint(const NavMesh& mesh, const MeshAnalysis& analysis, const End& start, double limit,
                std::span<FloodTarget> targets, PointFloodScratch& scratch) {
  if (scratch.stamp.advance()) {
    scratch.reached.wipe();
    scratch.firstTarget.wipe();
    scratch.polyanya.bestG.wipe();
    scratch.polyanya.spun.wipe();
  }
  scratch.reached.grow(mesh.cellCount());
  scratch.firstTarget.grow(mesh.cellCount());
  scratch.polyanya.bestG.grow(mesh.vertexCount());
  scratch.polyanya.spun.grow(size_t{2} * mesh.sideCount());
  scratch.cells.clear();
  scratch.entries.clear();
  for (uint32_t i = 0; i < targets.size(); ++i) {
    for (const CellId cell : targets[i].cells) {
      const uint32_t* first = scratch.firstTarget.find(cell, scratch.stamp);
      scratch.entries.push_back({i, first == nullptr ? kNone : *first});
      scratch.firstTarget.set(cell, static_cast<uint32_t>(scratch.entries.size()) - 1, scratch.stamp);
    }
  }
  FloodRecord record(limit, targets, scratch);
  for (const CellId cell : start.cells) {
    record.reach(cell, 0);
    record.reachTargets(cell, [&](Vec2 target) { return distance(start.units, target); });
  }
  record.tighten();
  const SearchEnds ends{start.units, start.units, start.cells, {}};
  Search(mesh, analysis, ends, scratch.scope, scratch.stamp, scratch.polyanya, &record).flood();
}

}  // namespace wend
