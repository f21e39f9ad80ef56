#include "planning/clearance_sight.h"

#include <algorithm>

namespace wend {
namespace {

constexpr size_t kMostVisits = 400;
// Relative to the radius: neighbouring parts overlap by this, so that rounding leaves no gap between them.
constexpr double kOverlap = 1e-7;

double distanceTo(std::span<const Vec2> polygon, Vec2 a, Vec2 b) {
  double best = HUGE_VAL;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 c = polygon[i];
    const Vec2 d = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    best = std::min(best, closestBetween(a, b, c, d).distance);
  }
  return best;
}

class SightSearch {
 public:
  SightSearch(const NavMesh& mesh, CellId cell, double r, std::vector<SightWall>& walls)
      : mesh_(mesh), r_(r), walls_(walls) {
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) whole_.push_back(sideStart(mesh, s));
    look(cell, kNone, whole_, false);
  }
  bool complete() const { return visits_ <= kMostVisits; }

 private:
  // `from` is the part of the cell that sees this one.
  void look(CellId cell, SideId entry, const std::vector<Vec2>& from, bool cut) {
    if (++visits_ > kMostVisits) return;
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (s == entry) continue;
      // Who leaves by a side has its end on the left.
      const Vec2 left = sideEnd(mesh_, s);
      const Vec2 right = sideStart(mesh_, s);
      std::vector<Vec2> part = from;
      bool cutHere = cut;
      for (size_t i = 0; i < left_.size() && !part.empty(); ++i) {
        cutHere |= keep(left_[i], right, part);
        cutHere |= keep(left, right_[i], part);
      }
      cutHere |= keep(left, right, part);
      if (part.empty() || distanceTo(part, left, right) >= r_) continue;
      if (mesh_.isWall(s)) {
        walls_.push_back({s, cutHere ? std::move(part) : std::vector<Vec2>{}});
        continue;
      }
      left_.push_back(left);
      right_.push_back(right);
      look(mesh_.neighbour(s), mesh_.twin(s), part, cutHere);
      left_.pop_back();
      right_.pop_back();
    }
  }
  // Keeps the places from which `right` is not to the left of `left`; true if that cut something off.
  bool keep(Vec2 left, Vec2 right, std::vector<Vec2>& part) {
    const Vec2 along = right - left;
    const double limit = kOverlap * r_ * length(along);
    const auto off = [&](Vec2 q) { return cross(along, q - left) - limit; };
    if (std::none_of(part.begin(), part.end(), [&](Vec2 q) { return off(q) > 0; })) return false;
    clipped_.clear();
    for (size_t i = 0; i < part.size(); ++i) {
      const Vec2 p = part[i];
      const Vec2 q = part[i + 1 == part.size() ? 0 : i + 1];
      const double offP = off(p);
      const double offQ = off(q);
      if (offP <= 0) clipped_.push_back(p);
      if ((offP < 0 && offQ > 0) || (offP > 0 && offQ < 0)) clipped_.push_back(p + (offP / (offP - offQ)) * (q - p));
    }
    part.swap(clipped_);
    if (part.size() < 3) part.clear();
    return true;
  }

  const NavMesh& mesh_;
  double r_;
  std::vector<SightWall>& walls_;
  size_t visits_ = 0;
  std::vector<Vec2> whole_;
  std::vector<Vec2> left_;
  std::vector<Vec2> right_;
  std::vector<Vec2> clipped_;
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

bool findWallsInSight(const NavMesh& mesh, CellId cell, double r, std::vector<SightWall>& walls) {
  const bool complete = SightSearch(mesh, cell, r, walls).complete();
  std::stable_sort(walls.begin(), walls.end(), [](const SightWall& a, const SightWall& b) { return a.wall < b.wall; });
  return complete;
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
