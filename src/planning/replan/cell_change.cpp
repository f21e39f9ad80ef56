#include "planning/replan/cell_change.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

void add(Hash& hash, Vec2 p) {
  hash.add(p.x);
  hash.add(p.y);
}

// A portal is named by both its sides: the line and the layers of its two cells, in a fixed order.
uint64_t lineKey(const NavMesh& mesh, SideId side) {
  Vec2 a = startPoint(mesh, side);
  Vec2 b = endPoint(mesh, side);
  LayerId left = mesh.layerOf(mesh.cellOf(side));
  LayerId right = mesh.layerOf(mesh.neighbour(side));
  if (before(b, a)) {
    std::swap(a, b);
    std::swap(left, right);
  }
  Hash hash;
  add(hash, a);
  add(hash, b);
  hash.add(left);
  hash.add(right);
  return hash.value();
}

bool isSameLine(const NavMesh& oldMesh, SideId oldSide, const NavMesh& newMesh, SideId newSide) {
  const Vec2 a = startPoint(oldMesh, oldSide);
  const Vec2 b = endPoint(oldMesh, oldSide);
  const Vec2 c = startPoint(newMesh, newSide);
  const Vec2 d = endPoint(newMesh, newSide);
  return (a == c && b == d) || (a == d && b == c);
}

// Corners from the least one on, so that it does not matter where the loop begins; the twins, so that a wall which
// became a portal counts.
uint64_t cellKey(const NavMesh& mesh, CellId cell) {
  const SideId begin = mesh.firstSide(cell);
  const SideId end = mesh.endSide(cell);
  SideId least = begin;
  for (SideId s = begin; s != end; ++s) {
    if (before(startPoint(mesh, s), startPoint(mesh, least))) least = s;
  }
  Hash hash;
  hash.add(mesh.layerOf(cell));
  SideId s = least;
  do {
    add(hash, startPoint(mesh, s));
    hash.add(mesh.isWall(s));
    s = mesh.nextSide(s);
  } while (s != least);
  return hash.value();
}

ChangedBox boxOf(const NavMesh& mesh, CellId cell) {
  ChangedBox box{startPoint(mesh, mesh.firstSide(cell)), startPoint(mesh, mesh.firstSide(cell))};
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const Vec2 p = startPoint(mesh, s);
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

bool areNear(const ChangedBox& a, const ChangedBox& b, double reach) {
  return a.low.x <= b.high.x + reach && b.low.x <= a.high.x + reach && a.low.y <= b.high.y + reach &&
         b.low.y <= a.high.y + reach;
}

}  // namespace

CellChange::CellChange(const NavMesh& oldMesh, const NavMesh& newMesh, double radius)
    : before_(oldMesh), after_(newMesh), changed_(newMesh.cellCount(), 0) {
  for (SideId side = 0; side < after_.sideCount(); ++side) {
    if (!after_.isWall(side) && side < after_.twin(side)) sides_.emplace(lineKey(after_, side), side);
  }
  std::unordered_multimap<uint64_t, CellId> cells;
  for (CellId cell = 0; cell < after_.cellCount(); ++cell) cells.emplace(cellKey(after_, cell), cell);
  std::vector<uint8_t> isKnown(after_.cellCount(), 0);
  std::vector<ChangedBox> boxes;  // of cells that came or went
  for (CellId cell = 0; cell < before_.cellCount(); ++cell) {
    const auto [first, last] = cells.equal_range(cellKey(before_, cell));
    const auto at = std::find_if(first, last, [&](const auto& entry) { return isKnown[entry.second] == 0; });
    if (at == last) {
      boxes.push_back(boxOf(before_, cell));
    } else {
      isKnown[at->second] = 1;
    }
  }
  for (CellId cell = 0; cell < after_.cellCount(); ++cell) {
    if (isKnown[cell] == 0) boxes.push_back(boxOf(after_, cell));
  }
  const bool isMany = boxes.size() > kManyCells;
  for (CellId cell = 0; cell < after_.cellCount(); ++cell) {
    const ChangedBox box = boxOf(after_, cell);
    const bool isNear = isMany || std::any_of(boxes.begin(), boxes.end(),
                                              [&](const ChangedBox& other) { return areNear(box, other, radius); });
    if (!isNear) continue;
    changed_[cell] = 1;
    part_.add(box);
  }
  part_.merge(0);
}

SideId CellChange::newSide(SideId oldSide) const {
  const auto [first, last] = sides_.equal_range(lineKey(before_, oldSide));
  for (auto at = first; at != last; ++at) {
    if (isSameLine(before_, oldSide, after_, at->second)) return at->second;
  }
  return kNone;
}

}  // namespace wend
