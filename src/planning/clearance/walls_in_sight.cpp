#include "planning/clearance/walls_in_sight.h"

#include <algorithm>

#include "planning/clearance/near_walls.h"

namespace wend {
namespace {

// Relative to the radius. A place beyond the edge of the light by this little is behind a corner that is nearer than
// the light's source, so it is blocked anyway, or in the light of the next row.
constexpr double kOverlap = 1e-7;

Vec2 unit(Vec2 v) {
  return (1 / length(v)) * v;
}

class Light {
 public:
  Light(const NavMesh& mesh, SideId wall, double r, std::vector<std::vector<SightWall>>& lit)
      : mesh_(mesh), wall_(wall), r_(r), a_(sideStart(mesh, wall)), b_(sideEnd(mesh, wall)), lit_(lit) {
    size_ = length(b_ - a_);
    u_ = (1 / size_) * (b_ - a_);
    n_ = {-u_.y, u_.x};
  }

  // From the wall itself, and from its start: its end is the start of another wall.
  void spread() {
    add(mesh_.cellOf(wall_), a_, b_, nullptr);
    spreadSlab(mesh_.cellOf(wall_), wall_, 0, size_);
    // All cells around the corner, from this wall to the one that ends there.
    SideId out = wall_;
    while (true) {
      const CellId cell = mesh_.cellOf(out);
      const SideId in = mesh_.previousSide(out);
      if (out != wall_) add(cell, a_, a_, nullptr);
      spreadWedge(cell, out, in, sideEnd(mesh_, out) - a_, sideStart(mesh_, in) - a_);
      if (mesh_.isWall(in)) break;
      out = mesh_.twin(in);
    }
  }

 private:
  void add(CellId cell, Vec2 a, Vec2 b, const Sight* sight) {
    lit_[cell].push_back({wall_, a, b, sight == nullptr, sight == nullptr ? Sight{} : *sight});
  }

  // Through a cell, between two directions from the corner. `skip` and `skipToo` are sides by which no light leaves.
  void spreadWedge(CellId cell, SideId skip, SideId skipToo, Vec2 right, Vec2 left) {
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (s == skip || s == skipToo || mesh_.isWall(s)) continue;
      // Seen by an agent that leaves by a side, the end of the side is on the left.
      const Vec2 start = sideStart(mesh_, s) - a_;
      const Vec2 end = sideEnd(mesh_, s) - a_;
      const bool cutRight = cross(right, start) < 0;
      const bool cutLeft = cross(left, end) > 0;
      const Vec2 nextRight = cutRight ? right : start;
      const Vec2 nextLeft = cutLeft ? left : end;
      if (!(cross(nextRight, nextLeft) > 0)) continue;
      const Vec2 along = end - start;
      const auto hit = [&](Vec2 direction) { return (cross(start, along) / cross(direction, along)) * direction; };
      const Vec2 from = cutRight ? hit(right) : start;
      const Vec2 to = cutLeft ? hit(left) : end;
      if (distanceToSegment({0, 0}, from, to) >= r_) continue;
      const CellId next = mesh_.neighbour(s);
      const Sight sight{{{{a_, unit(nextRight)}, {a_, -1 * unit(nextLeft)}}}, kOverlap * r_};
      add(next, a_, a_, &sight);
      spreadWedge(next, mesh_.twin(s), kNone, nextRight, nextLeft);
    }
  }

  // Through a cell, at right angles to the wall, between two places along it.
  void spreadSlab(CellId cell, SideId entry, double low, double high) {
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (s == entry || mesh_.isWall(s)) continue;
      const Vec2 start = sideStart(mesh_, s) - a_;
      const Vec2 end = sideEnd(mesh_, s) - a_;
      const double first = dot(u_, end);
      const double last = dot(u_, start);
      const double nextLow = std::max(low, first);
      const double nextHigh = std::min(high, last);
      if (!(nextLow < nextHigh)) continue;
      const double slope = (dot(n_, start) - dot(n_, end)) / (last - first);
      const auto height = [&](double at) { return dot(n_, end) + (at - first) * slope; };
      if (std::min(height(nextLow), height(nextHigh)) >= r_) continue;
      const CellId next = mesh_.neighbour(s);
      const Vec2 from = a_ + nextLow * u_;
      const Vec2 to = a_ + nextHigh * u_;
      const Sight sight{{{{from, -1 * n_}, {to, n_}}}, kOverlap * r_};
      add(next, from, to, &sight);
      spreadSlab(next, mesh_.twin(s), nextLow, nextHigh);
    }
  }

  const NavMesh& mesh_;
  SideId wall_;
  double r_;
  Vec2 a_;
  Vec2 b_;
  double size_ = 0;
  Vec2 u_;
  Vec2 n_;
  std::vector<std::vector<SightWall>>& lit_;
};

// Whether a side of the first cell has all of the second one on its right, or on it.
bool isSeparated(const NavMesh& mesh, CellId first, CellId second) {
  for (SideId s = mesh.firstSide(first); s != mesh.endSide(first); ++s) {
    const Vec2 a = sideStart(mesh, s);
    const Vec2 along = sideEnd(mesh, s) - a;
    bool apart = true;
    for (SideId t = mesh.firstSide(second); t != mesh.endSide(second) && apart; ++t) {
      apart = cross(along, sideStart(mesh, t) - a) <= 0;
    }
    if (apart) return true;
  }
  return false;
}

}  // namespace

Interval Sight::clip(Vec2 a, Vec2 b) const {
  Interval part{0, 1};
  for (const Line& line : lines) {
    const double first = off(line, a);
    const double second = off(line, b);
    if (first < 0 && second < 0) return {};
    if (first < 0) part.low = std::max(part.low, first / (first - second));
    if (second < 0) part.high = std::min(part.high, first / (first - second));
  }
  return part;
}

void Sight::clip(std::vector<Vec2>& polygon, std::vector<Vec2>& scratch) const {
  for (const Line& line : lines) {
    scratch.clear();
    for (size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 p = polygon[i];
      const Vec2 q = polygon[i + 1 == polygon.size() ? 0 : i + 1];
      const double atP = off(line, p);
      const double atQ = off(line, q);
      if (atP >= 0) scratch.push_back(p);
      if ((atP < 0 && atQ > 0) || (atP > 0 && atQ < 0)) scratch.push_back(p + (atP / (atP - atQ)) * (q - p));
    }
    polygon.swap(scratch);
  }
}

void SightTable::find(const NavMesh& mesh, CellId cell, double r, std::span<const SideId> candidates,
                      std::vector<SightWall>& walls) {
  spread_.resize(mesh.sideCount(), 0);
  lit_.resize(mesh.cellCount());
  for (const SideId wall : candidates) {
    if (spread_[wall] != 0) continue;
    spread_[wall] = 1;
    Light(mesh, wall, r, lit_).spread();
  }
  walls.clear();
  for (const SightWall& w : lit_[cell]) {
    if (std::binary_search(candidates.begin(), candidates.end(), w.wall)) walls.push_back(w);
  }
  // Within one wall the order is that of its own search, so it does not depend on earlier queries.
  std::stable_sort(walls.begin(), walls.end(), [](const SightWall& a, const SightWall& b) { return a.wall < b.wall; });
}

bool isAnyAbove(const NavMesh& mesh, std::span<const CellId> cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    for (size_t k = i + 1; k < cells.size(); ++k) {
      if (mesh.layerOf(cells[i]) == mesh.layerOf(cells[k])) continue;
      if (!isSeparated(mesh, cells[i], cells[k]) && !isSeparated(mesh, cells[k], cells[i])) return true;
    }
  }
  return false;
}

}  // namespace wend
