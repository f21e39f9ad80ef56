#include "planning/clearance/convex_cells.h"

#include <array>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

bool isConvex(const NavMesh& mesh, CellId cell) {
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const SideId next = mesh.nextSide(s);
    if (orient(mesh.vertex(mesh.startVertex(s)), mesh.vertex(mesh.endVertex(s)), mesh.vertex(mesh.endVertex(next))) <
        0) {
      return false;
    }
  }
  return true;
}

// A side while a cell is being cut: `name` is the given mesh's side, or kNone with `cut` >= 0 for one half of a cut.
struct LooseSide {
  VertexId vertex;
  SideId name;
  uint32_t cut = kNone;
};

class Refiner {
 public:
  explicit Refiner(const NavMesh& mesh) : mesh_(mesh) {}

  RefinedMesh run() {
    out_ = mesh_.info();
    out_.vertices.assign(mesh_.views().vertices.begin(), mesh_.views().vertices.end());
    out_.heights.assign(mesh_.views().heights.begin(), mesh_.views().heights.end());
    out_.cellBegin = {0};
    out_.cellLayer.clear();
    out_.sideVertex.clear();
    out_.sideTwin.clear();
    out_.sideCell.clear();
    out_.traits.convex = true;
    newSide_.assign(mesh_.sideCount(), kNone);
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      loop_.clear();
      for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) loop_.push_back({mesh_.startVertex(s), s});
      if (!isConvex(mesh_, cell)) cutEars(cell);
      emit(cell, loop_);
    }
    for (SideId s = 0; s < result_.sideOf.size(); ++s) {
      if (result_.sideOf[s] == kNone) continue;
      const SideId twin = mesh_.twin(result_.sideOf[s]);
      out_.sideTwin[s] = twin == kNone ? kNone : newSide_[twin];
    }
    result_.mesh = NavMesh(std::move(out_));
    return std::move(result_);
  }

 private:
  Vec2 at(size_t i) const { return mesh_.vertex(loop_[i % loop_.size()].vertex); }

  // Whether corner i can be cut off: convex, and no other corner inside or on the cut.
  bool isEar(size_t i) const {
    const size_t n = loop_.size();
    const Vec2 a = at(i + n - 1);
    const Vec2 b = at(i);
    const Vec2 c = at(i + 1);
    if (orient(a, b, c) <= 0) return false;
    for (size_t k = 2; k + 1 < n; ++k) {
      const Vec2 p = at(i + k);
      if (orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0) return false;
    }
    return true;
  }
  bool loopIsConvex() const {
    for (size_t i = 0; i < loop_.size(); ++i) {
      if (orient(at(i), at(i + 1), at(i + 2)) < 0) return false;
    }
    return true;
  }

  void cutEars(CellId cell) {
    while (loop_.size() > 3 && !loopIsConvex()) {
      const size_t n = loop_.size();
      size_t i = 0;
      while (i < n && !isEar(i)) ++i;
      if (i == n) return;  // not a simple loop: leave the rest as it is
      const size_t before = (i + n - 1) % n;
      const uint32_t cut = cuts_++;
      const VertexId end = loop_[(i + 1) % n].vertex;
      emit(cell, std::array<LooseSide, 3>{loop_[before], loop_[i], LooseSide{end, kNone, cut}});
      loop_[before] = {loop_[before].vertex, kNone, cut};
      loop_.erase(loop_.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  template <typename Sides>
  void emit(CellId cell, const Sides& sides) {
    const auto id = static_cast<CellId>(out_.cellLayer.size());
    for (const LooseSide& s : sides) {
      const auto side = static_cast<SideId>(out_.sideVertex.size());
      out_.sideVertex.push_back(s.vertex);
      out_.sideTwin.push_back(kNone);
      out_.sideCell.push_back(id);
      result_.sideOf.push_back(s.name);
      if (s.name != kNone) newSide_[s.name] = side;
      if (s.cut == kNone) continue;
      if (s.cut >= halfCut_.size()) halfCut_.resize(s.cut + 1, kNone);
      if (halfCut_[s.cut] == kNone) {
        halfCut_[s.cut] = side;
      } else {
        out_.sideTwin[side] = halfCut_[s.cut];
        out_.sideTwin[halfCut_[s.cut]] = side;
      }
    }
    out_.cellBegin.push_back(static_cast<uint32_t>(out_.sideVertex.size()));
    out_.cellLayer.push_back(mesh_.layerOf(cell));
    result_.cellOf.push_back(cell);
  }

  const NavMesh& mesh_;
  MeshArrays out_;
  RefinedMesh result_;
  std::vector<SideId> newSide_;
  std::vector<LooseSide> loop_;
  std::vector<SideId> halfCut_;
  uint32_t cuts_ = 0;
};

}  // namespace

RefinedMesh refineToConvex(const NavMesh& mesh) {
  if (mesh.info().traits.convex) return {mesh, {}, {}};
  return Refiner(mesh).run();
}

}  // namespace wend
