#include <algorithm>
#include <queue>

#include "geometry/solid/box_grid.h"
#include "volume/find_gateways.h"
#include "volume/vasfv/convex_pieces.h"

namespace wend::vasfv {
namespace {

struct Candidate {
  double volume;
  uint32_t a;  // below b
  uint32_t b;
};

// The largest union first; equal ones by the smaller ids.
struct Later {
  bool operator()(const Candidate& p, const Candidate& q) const {
    if (p.volume != q.volume) return p.volume < q.volume;
    return std::tie(p.a, p.b) > std::tie(q.a, q.b);
  }
};

bool haveFacingPlanes(const Polyhedron& a, const Polyhedron& b) {
  for (const Polyhedron::Face& f : a.faces) {
    for (const Polyhedron::Face& g : b.faces) {
      if (f.plane == g.plane.opposite()) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Piece> mergePieces(std::vector<Piece> pieces) {
  if (pieces.size() < 2) return pieces;
  std::vector<Polyhedron> solids;
  std::vector<Box3> boxes;
  Box3 bounds;
  for (const Piece& piece : pieces) bounds.add(piece.box);
  BoxGrid grid(bounds, pieces.size());
  std::vector<uint32_t> order;  // of the first piece in each
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    grid.add(i, pieces[i].box);
    order.push_back(i);
  }
  std::vector<bool> gone(pieces.size(), false);
  std::priority_queue<Candidate, std::vector<Candidate>, Later> queue;
  const auto consider = [&](uint32_t i, bool onlyLater) {
    grid.visit(pieces[i].box, [&](uint32_t j) {
      if (j == i || gone[j] || (onlyLater && j < i)) return;
      if (pieces[i].label != pieces[j].label || !pieces[i].box.touches(pieces[j].box)) return;
      if (!haveFacingPlanes(pieces[i].solid, pieces[j].solid)) return;
      const Polyhedron merged = convexUnion(pieces[i].solid, pieces[j].solid);
      if (!merged.empty()) queue.push({volumeOf(merged), std::min(i, j), std::max(i, j)});
    });
  };
  const auto count = static_cast<uint32_t>(pieces.size());
  for (uint32_t i = 0; i < count; ++i) consider(i, true);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    if (gone[best.a] || gone[best.b]) continue;
    Polyhedron merged = convexUnion(pieces[best.a].solid, pieces[best.b].solid);
    for (const uint32_t i : {best.a, best.b}) {
      gone[i] = true;
      grid.remove(i, pieces[i].box);
    }
    const auto id = static_cast<uint32_t>(pieces.size());
    const Box3 box = boundsOf(merged);
    pieces.push_back({std::move(merged), box, pieces[best.a].label});
    gone.push_back(false);
    order.push_back(std::min(order[best.a], order[best.b]));
    grid.add(id, box);
    consider(id, false);
  }
  std::vector<std::pair<uint32_t, uint32_t>> left;
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    if (!gone[i]) left.emplace_back(order[i], i);
  }
  std::sort(left.begin(), left.end());
  std::vector<Piece> result;
  for (const auto& [first, i] : left) result.push_back(std::move(pieces[i]));
  return result;
}

}  // namespace wend::vasfv
