#include "planning/polyanya.h"

#include <algorithm>
#include <cmath>

#include "planning/turn.h"

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

class Search {
 public:
  Search(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends, const SearchScope& scope,
         QueryStamp now, PolyanyaScratch& scratch)
      : mesh_(mesh),
        vertices_(mesh.views().vertices.data()),
        analysis_(analysis),
        ends_(ends),
        scope_(scope),
        now_(now),
        scratch_(scratch) {}

  bool run(SearchPath& path, uint64_t& expanded) {
    scratch_.nodes.clear();
    scratch_.open.clear();
    pushStart();
    while (!scratch_.open.empty()) {
      uint32_t index = scratch_.open.pop().node;
      if (isOutdated(scratch_.nodes[index])) continue;
      if (scope_.isGoal(mesh_.cellOf(scratch_.nodes[index].side))) {
        trace(index, path);
        return true;
      }
      while (index != kNone) {
        ++expanded;
        findSuccessors(index);
        index = take(index);
      }
    }
    return false;
  }

 private:
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

  // Whether the cell behind `side` is still to be entered by turning around `root`, one of the side's ends.
  bool improvesSpin(SideId side, bool atEnd, double g) {
    const uint32_t key = 2 * side + (atEnd ? 1 : 0);
    const double* best = scratch_.spun.find(key, now_);
    if (best != nullptr && *best <= withSlack(g)) return false;
    scratch_.spun.set(key, g, now_);
    return true;
  }

  // A shortest way root -> interval -> goal. Never too long; exact when the goal is in the next cell.
  double estimate(Vec2 root, Vec2 left, Vec2 right, Vec2 sideLeft, Vec2 sideRight) const {
    Vec2 goal = ends_.goal;
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

  // The end of its side at which the path of a collinear node passes: the one nearer to the root.
  bool isLeftNearer(Vec2 root, Vec2 left, Vec2 right) const { return isBetween(root, left, right); }
  double collinearEstimate(Vec2 root, Vec2 left, Vec2 right) const {
    const Vec2 end = isLeftNearer(root, left, right) ? left : right;
    return distance(root, end) + distance(end, ends_.goal);
  }

  // The node behind `exit`, a side of `cell`, with the whole side as its interval; false if there is no way on.
  bool makeNode(CellId cell, SideId exit, uint32_t root, uint32_t previousRoot, double g, PolyanyaNode& node) const {
    node.side = mesh_.twin(exit);
    if (node.side == kNone || !scope_.mayEnter(cell, mesh_.cellOf(node.side))) return false;
    node.root = root;
    node.previousRoot = previousRoot;
    node.g = g;
    node.leftBound = mesh_.startVertex(node.side);
    node.rightBound = mesh_.startVertex(exit);
    node.left = vertices_[node.leftBound];
    node.right = vertices_[node.rightBound];
    node.collinear = false;
    return true;
  }
  void add(PolyanyaNode& node, Vec2 sideLeft, Vec2 sideRight) {
    const Vec2 root = place(node.root);
    node.f = node.g + (node.collinear ? collinearEstimate(root, sideLeft, sideRight)
                                      : estimate(root, node.left, node.right, sideLeft, sideRight));
    scratch_.successors.push_back(node);
  }
  // The whole side, from a root of this cell, which may lie on the side's line.
  void addWhole(CellId cell, SideId exit, uint32_t root, uint32_t previousRoot, double g) {
    PolyanyaNode node;
    if (!makeNode(cell, exit, root, previousRoot, g, node)) return;
    node.collinear = turn(place(root), node.left, node.right) == 0;
    add(node, node.left, node.right);
  }

  void push(const PolyanyaNode& node, uint32_t parent) {
    const auto index = static_cast<uint32_t>(scratch_.nodes.size());
    scratch_.nodes.push_back(node);
    scratch_.nodes.back().parent = parent;
    scratch_.open.push({node.f, node.g, node.side, node.root, index});
  }

  // Queues the successors. A single one outside the goal is not worth the heap: returned to be looked at now.
  uint32_t take(uint32_t parent) {
    if (scratch_.successors.size() == 1 && !scope_.isGoal(mesh_.cellOf(scratch_.successors.front().side))) {
      const auto index = static_cast<uint32_t>(scratch_.nodes.size());
      scratch_.nodes.push_back(scratch_.successors.front());
      scratch_.nodes.back().parent = parent;
      return index;
    }
    for (const PolyanyaNode& node : scratch_.successors) push(node, parent);
    return kNone;
  }

  // The start sees every side of every start cell, except those it stands on: behind them is another start cell.
  void pushStart() {
    scratch_.successors.clear();
    for (const CellId cell : ends_.startCells) {
      for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
        if (mesh_.isWall(s)) continue;
        const Vec2 a = vertices_[mesh_.startVertex(s)];
        const Vec2 b = vertices_[mesh_.endVertex(s)];
        if (isBetween(a, ends_.start, b) && turn(a, b, ends_.start) == 0) continue;
        addWhole(cell, s, kStartRoot, kStartRoot, 0);
      }
    }
    for (const PolyanyaNode& node : scratch_.successors) push(node, kNone);
  }

  void findSuccessors(uint32_t index) {
    scratch_.successors.clear();
    const PolyanyaNode node = scratch_.nodes[index];
    if (node.collinear) {
      spread(node);
    } else {
      lookThrough(node);
    }
  }

  // The root lies on the side's own line: the path goes to the nearer end and fans out from there. At an end where no
  // path bends, the cells around it are seen through other intervals.
  void spread(const PolyanyaNode& node) {
    const VertexId leftVertex = mesh_.startVertex(node.side);
    const VertexId rightVertex = mesh_.endVertex(node.side);
    const Vec2 root = place(node.root);
    const bool isLeft = isLeftNearer(root, vertices_[leftVertex], vertices_[rightVertex]);
    const VertexId end = isLeft ? leftVertex : rightVertex;
    if (analysis_.turnable[end] == 0) return;
    const bool stays = end == node.root;
    const double g = stays ? node.g : node.g + distance(root, vertices_[end]);
    if (!improves(end, g) || !improvesSpin(node.side, !isLeft, g)) return;
    const uint32_t previous = stays ? node.previousRoot : node.root;
    const CellId cell = mesh_.cellOf(node.side);
    for (SideId s = mesh_.nextSide(node.side); s != node.side; s = mesh_.nextSide(s)) {
      addWhole(cell, s, end, previous, g);
    }
  }

  // A view from a root through an interval: its edges as rays, and the turns it allows at its ends.
  struct View {
    Vec2 leftFrom, leftTo, rightFrom, rightTo;
    VertexId leftVertex, rightVertex;  // of the side looked through
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
    view.leftVertex = mesh_.startVertex(node.side);
    view.rightVertex = mesh_.endVertex(node.side);
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
  // it, and left of it.
  void lookThrough(const PolyanyaNode& node) {
    const View view = viewOf(node);
    const CellId cell = mesh_.cellOf(node.side);
    // Of the side's right end a: -1 right of the view's right edge, 0 on it, 1 left of it.
    int aRight = view.rightIs ? 0 : -1;
    bool isPast = false;
    for (SideId s = mesh_.nextSide(node.side); s != node.side; s = mesh_.nextSide(s)) {
      if (isPast) {
        if (!view.leftTurn) return;
        addWhole(cell, s, view.leftVertex, node.root, view.leftG);
        continue;
      }
      const VertexId b = mesh_.endVertex(s);
      const bool isLast = b == view.leftVertex;
      const int bRight = aRight > 0 || isLast ? 1 : turn(view.rightFrom, view.rightTo, vertices_[b]);
      if (bRight <= 0) {
        if (view.rightTurn) addWhole(cell, s, view.rightVertex, node.root, view.rightG);
      } else {
        const int bLeft = isLast ? (view.leftIs ? 0 : 1) : turn(view.leftFrom, view.leftTo, vertices_[b]);
        addSeen(node, view, cell, s, aRight<0, bLeft> 0);
        isPast = bLeft >= 0;
      }
      aRight = bRight;
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
    const VertexId leftVertex = mesh_.startVertex(node.side);
    const VertexId rightVertex = mesh_.endVertex(node.side);
    const Vec2 root = place(node.root);
    if (node.collinear) {
      const bool isLeft = isLeftNearer(root, vertices_[leftVertex], vertices_[rightVertex]);
      const VertexId end = isLeft ? leftVertex : rightVertex;
      path.bends.push_back({vertices_[end], end});
      return;
    }
    const Vec2 leftFrom = node.leftBound == node.root ? place(node.previousRoot) : root;
    const Vec2 rightFrom = node.rightBound == node.root ? place(node.previousRoot) : root;
    // An end that is no vertex is passed only when two ways tie up to rounding.
    if (turn(leftFrom, vertices_[node.leftBound], ends_.goal) > 0) {
      path.bends.push_back({node.left, node.leftBound == leftVertex ? leftVertex : kNone});
    } else if (turn(rightFrom, vertices_[node.rightBound], ends_.goal) < 0) {
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

  const NavMesh& mesh_;
  const Vec2* vertices_;
  const MeshAnalysis& analysis_;
  const SearchEnds& ends_;
  const SearchScope& scope_;
  QueryStamp now_;
  PolyanyaScratch& scratch_;
};

}  // namespace

bool searchPolyanya(const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends, const SearchScope& scope,
                    QueryStamp now, PolyanyaScratch& scratch, SearchPath& path, uint64_t& expanded) {
  return Search(mesh, analysis, ends, scope, now, scratch).run(path, expanded);
}

}  // namespace wend
