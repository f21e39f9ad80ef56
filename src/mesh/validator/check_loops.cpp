#include <algorithm>
#include <cmath>

#include "mesh/cell_geometry.h"
#include "mesh/overlap_sweep.h"
#include "mesh/validator/check_steps.h"

namespace wend {

namespace {

// How far b lies from the line ac.
double dent(Vec2 a, Vec2 b, Vec2 c) {
  const Vec2 d{c.x - a.x, c.y - a.y};
  const double length = std::hypot(d.x, d.y);
  return length > 0 ? std::abs(d.x * (b.y - a.y) - d.y * (b.x - a.x)) / length : std::hypot(b.x - a.x, b.y - a.y);
}

// Whether the corner b turns right, by more than rounding explains.
bool isReflex(Vec2 a, Vec2 b, Vec2 c) {
  if (orient(a, b, c) >= 0) return false;
  return (isWhole(a) && isWhole(b) && isWhole(c)) || dent(a, b, c) > kOffLattice;
}

class LoopCheck {
 public:
  LoopCheck(const NavMesh& mesh, CellId cell, FaultList& faults) : mesh_(mesh), cell_(cell), faults_(faults) {
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) corners_.push_back(startPoint(mesh, s));
  }

  bool good() {
    const size_t n = corners_.size();
    if (n < 3) {
      faults_.add(MeshFaultKind::kLoop, cell_, n > 0 ? corners_[0] : Vec2{}, "cell {} has {} sides", cell_, n);
      return false;
    }
    if (repeats()) return false;
    turns();
    if (left_ > 0 && right_ == 0 && reversals_ == 2 && !spike_) return true;
    if (left_ == 0 && (right_ == 0 || reversals_ == 2)) {
      faults_.add(MeshFaultKind::kOrientation, cell_, corners_[0], "cell {} {}", cell_,
                  right_ == 0 ? "has no area" : "is clockwise");
      return false;
    }
    return general();
  }

 private:
  Vec2 corner(size_t i) const { return corners_[i % corners_.size()]; }

  bool repeats() {
    for (size_t i = 0; i < corners_.size(); ++i) {
      if (corner(i) != corner(i + 1)) continue;
      faults_.add(MeshFaultKind::kLoop, cell_, corner(i), "cell {} has a side without length", cell_);
      return true;
    }
    return false;
  }

  // A loop that only turns left is simple and convex if and only if it goes around once: it then changes twice between
  // walking up and walking down, in the order by x, then y. A collinear corner where it changes is a spike.
  void turns() {
    const size_t n = corners_.size();
    for (size_t i = 0; i < n; ++i) {
      const Vec2 a = corner(i);
      const Vec2 b = corner(i + 1);
      const Vec2 c = corner(i + 2);
      const int turn = orient(a, b, c);
      left_ += turn > 0;
      right_ += turn < 0;
      const bool reverses = before(a, b) != before(b, c);
      reversals_ += reverses;
      spike_ = spike_ || (turn == 0 && reverses);
    }
  }

  bool general() {
    std::vector<SweepSide> loop;
    for (size_t i = 0; i < corners_.size(); ++i) loop.push_back(sweepSide(corner(i), corner(i + 1), cell_, kNone, 0));
    if (!isSimple(std::move(loop))) {
      faults_.add(MeshFaultKind::kLoop, cell_, corners_[0], "the loop of cell {} crosses or touches itself", cell_);
      return false;
    }
    // At the first corner by x, then y, a simple loop turns as it does as a whole, unless it is straight there, which
    // the first corner cannot be.
    const size_t first =
        static_cast<size_t>(std::min_element(corners_.begin(), corners_.end(), before) - corners_.begin());
    if (orient(corner(first + corners_.size() - 1), corner(first), corner(first + 1)) < 0) {
      faults_.add(MeshFaultKind::kOrientation, cell_, corner(first), "cell {} is clockwise", cell_);
      return false;
    }
    if (mesh_.info().traits.convex) reportReflex();
    return true;
  }

  void reportReflex() {
    for (size_t i = 0; i < corners_.size(); ++i) {
      if (!isReflex(corner(i), corner(i + 1), corner(i + 2))) continue;
      faults_.add(MeshFaultKind::kConvexity, cell_, corner(i + 1),
                  "cell {} has a reflex corner, but the mesh promises convex cells", cell_);
      return;
    }
  }

  const NavMesh& mesh_;
  CellId cell_;
  FaultList& faults_;
  std::vector<Vec2> corners_;
  size_t left_ = 0;
  size_t right_ = 0;
  size_t reversals_ = 0;
  bool spike_ = false;
};

}  // namespace

CellId findReflexCell(const NavMesh& mesh) {
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const SideId next = mesh.nextSide(s);
    if (isReflex(startPoint(mesh, s), startPoint(mesh, next), endPoint(mesh, next))) return mesh.cellOf(s);
  }
  return kNone;
}

std::vector<bool> checkLoops(const NavMesh& mesh, FaultList& faults) {
  std::vector<bool> bad(mesh.layerCount(), false);
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (!LoopCheck(mesh, cell, faults).good()) bad[mesh.layerOf(cell)] = true;
  }
  return bad;
}

}  // namespace wend
