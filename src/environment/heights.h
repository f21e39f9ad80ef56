#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/environment.h>

#include "geometry/index/grid_index.h"
#include "geometry/index/packed_box.h"

// Heights of a layer along its connections, where validation needs them: many places, few triangles near each.
namespace wend {

// Whether a triangle of the field can be used: ids in range, finite heights, counter-clockwise with area.
bool soundTriangle(const HeightField& field, uint32_t triangle);

// HeightField::at() in O(1) expected time. Refers to the field, which must outlive it.
class HeightLookup {
 public:
  explicit HeightLookup(const HeightField& field);
  // For places in the region only: the triangles elsewhere are not kept.
  HeightLookup(const HeightField& field, const Box& region);
  double at(Vec2 units) const;
  // The triangles whose box meets the box, ascending.
  std::vector<uint32_t> trianglesNear(const Box& box) const;
  size_t memory() const {
    return grid_.memory() + triangles_.size() * sizeof(uint32_t) + boxes_.size() * sizeof(PackedBox);
  }

 private:
  void index(std::span<const Box> boxes);

  const HeightField* field_;
  std::vector<uint32_t> triangles_;  // by their places in the grid; empty if that holds all
  std::vector<PackedBox> boxes_;     // of what the grid holds
  GridIndex grid_;
};

}  // namespace wend
