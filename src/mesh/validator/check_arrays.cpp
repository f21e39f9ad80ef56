#include "mesh/validator/check_arrays.h"

#include <cmath>

#include <fmt/format.h>

#include "geometry/int128.h"
#include "mesh/validator/check_corridor.h"

namespace wend {

namespace {

// Smaller numbers than this, other than zero, would make exact predicates underflow. No generator computes them.
constexpr double kTiniest = 0x1p-300;

// 2^32 layers that fill the lattice: nothing is larger, and differences of such areas do not overflow.
constexpr Int128 kLargestDoubledArea = Int128{1} << 95;

bool fits(double coordinate) {
  const double size = std::abs(coordinate);
  return size <= kMaxCoordinate && (size == 0 || size >= kTiniest);
}

class ArrayCheck {
 public:
  ArrayCheck(const NavMesh& mesh, size_t limit)
      : info_(mesh.info()), views_(mesh.views()), map_(mesh.corridorMap().get()), limit_(limit) {}

  std::vector<MeshFault> run() {
    if (sizes()) {
      numbers();
      cells();
      sides();
      heightFields();
      corridorMap();
    }
    return std::move(faults_);
  }

 private:
  template <typename... Values>
  void fault(CellId cell, fmt::format_string<Values...> text, Values&&... values) {
    if (faults_.size() >= limit_) return;
    faults_.push_back({MeshFaultKind::kArrays, cell, {}, fmt::format(text, std::forward<Values>(values)...)});
  }

  bool sizes() {
    const size_t sides = views_.sideVertex.size();
    const size_t cells = views_.cellLayer.size();
    const size_t largest = std::max({sides, cells, views_.vertices.size(), info_.layerIds.size()});
    if (largest >= kNone) fault(kNone, "an array has {} entries, more than 32-bit ids can name", largest);
    if (views_.sideTwin.size() != sides || views_.sideCell.size() != sides) {
      fault(kNone, "the side arrays have {}, {} and {} entries", sides, views_.sideTwin.size(), views_.sideCell.size());
    }
    if (views_.cellBegin.size() != cells + 1 && !(cells == 0 && views_.cellBegin.empty())) {
      fault(kNone, "{} cells need {} offsets, but there are {}", cells, cells + 1, views_.cellBegin.size());
    }
    if (views_.heights.size() != views_.vertices.size()) {
      fault(kNone, "there are {} vertices and {} heights", views_.vertices.size(), views_.heights.size());
    }
    if (info_.layerNames.size() != info_.layerIds.size() || info_.layerHeights.size() != info_.layerIds.size()) {
      fault(kNone, "there are {} layers, {} layer names and {} height fields", info_.layerIds.size(),
            info_.layerNames.size(), info_.layerHeights.size());
    }
    return faults_.empty();
  }

  void numbers() {
    if (!(info_.lattice.unit >= 1e-6 && info_.lattice.unit <= 1)) {
      fault(kNone, "the lattice unit is {} m, outside 1e-6 to 1", info_.lattice.unit);
    }
    const Int128 area = toInt128(info_.environment.doubledArea);
    if (area < -kLargestDoubledArea || area > kLargestDoubledArea) {
      fault(kNone, "the recorded area of the environment is {:g} m2, which no world has",
            info_.lattice.area(info_.environment.doubledArea));
    }
    for (size_t v = 0; v < views_.vertices.size(); ++v) {
      const Vec2 p = views_.vertices[v];
      if (!fits(p.x) || !fits(p.y)) fault(kNone, "vertex {} at ({}, {}) is beyond the lattice", v, p.x, p.y);
      if (!std::isfinite(views_.heights[v])) fault(kNone, "the height of vertex {} is not finite", v);
    }
  }

  void cells() {
    const auto& begin = views_.cellBegin;
    const size_t sides = views_.sideVertex.size();
    if (begin.empty() ? sides != 0 : begin.front() != 0 || begin.back() != sides) {
      fault(kNone, "the offsets of the cells do not span the {} sides", sides);
    }
    for (size_t c = 0; c < views_.cellLayer.size(); ++c) {
      const auto cell = static_cast<CellId>(c);
      if (views_.cellLayer[c] >= info_.layerIds.size()) {
        fault(cell, "cell {} is in layer {} of {}", c, views_.cellLayer[c], info_.layerIds.size());
      }
      if (begin[c] > begin[c + 1] || begin[c + 1] > sides) {
        fault(cell, "cell {} has its sides from {} to {} of {}", c, begin[c], begin[c + 1], sides);
        continue;
      }
      for (size_t s = begin[c]; s < begin[c + 1]; ++s) {
        if (views_.sideCell[s] != c) fault(cell, "side {} of cell {} names cell {}", s, c, views_.sideCell[s]);
      }
    }
  }

  void sides() {
    for (size_t s = 0; s < views_.sideVertex.size(); ++s) {
      const VertexId v = views_.sideVertex[s];
      const SideId t = views_.sideTwin[s];
      if (v >= views_.vertices.size()) fault(kNone, "side {} starts at vertex {} of {}", s, v, views_.vertices.size());
      if (t != kNone && t >= views_.sideVertex.size()) {
        fault(kNone, "side {} has twin {} of {}", s, t, views_.sideVertex.size());
      }
    }
  }

  void heightFields() {
    for (size_t layer = 0; layer < info_.layerHeights.size(); ++layer) {
      const HeightField& field = info_.layerHeights[layer];
      if (!std::isfinite(field.base)) fault(kNone, "the height of layer {} is not finite", layer);
      if (field.z.size() != field.points.size()) {
        fault(kNone, "the height field of layer {} has {} points and {} heights", layer, field.points.size(),
              field.z.size());
        continue;
      }
      for (size_t i = 0; i < field.points.size(); ++i) {
        const Point p = field.points[i];
        if (!fits(p.x) || !fits(p.y) || !std::isfinite(field.z[i])) {
          fault(kNone, "point {} of the height field of layer {} is beyond the lattice or not finite", i, layer);
        }
      }
      for (const auto& triangle : field.triangles) {
        for (const uint32_t id : triangle) {
          if (id >= field.points.size()) {
            fault(kNone, "a triangle of the height field of layer {} names point {} of {}", layer, id,
                  field.points.size());
          }
        }
      }
    }
  }

  void corridorMap() {
    if (map_ == nullptr) return;
    const std::string broken = findCorridorFault(*map_, info_.layerIds.size(), views_.cellLayer.size());
    if (!broken.empty()) fault(kNone, "{}", broken);
  }

  const MeshArrays& info_;
  const NavMesh::Views& views_;
  const CorridorMap* map_;
  size_t limit_;
  std::vector<MeshFault> faults_;
};

}  // namespace

std::vector<MeshFault> checkArrays(const NavMesh& mesh, size_t limit) {
  return ArrayCheck(mesh, limit).run();
}

}  // namespace wend
