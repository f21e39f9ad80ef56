#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/extract/exact/drawing/patch_triangles.h"
#include "environment/extract/soup/first_equal.h"

// The triangles of patches with heights, common corners with the same id; and some of them as height fields.
namespace wend::exact {

struct PatchHeights {
  std::vector<Point> points;
  std::vector<int64_t> z;  // hundredths of a unit: heights of one plane at one point agree better than that
  // Of each triangle of the patches; kNone in place of the first corner if it is but a hair.
  std::vector<std::array<uint32_t, 3>> triangles;
};
// Ids are in no certain order.
PatchHeights heightsOf(const Facets& facets, const Patches& patches, const PatchTriangles& patchTriangles,
                       const Tolerances& tolerances, const Context& context);

// Adds triangles to a height field. Points are entered in the order of their first use.
class HeightFieldBuilder {
 public:
  HeightFieldBuilder(const PatchHeights& heights, size_t triangles, const Tolerances& tolerances, HeightField& field);

  // Triangles of the patches, by their ids.
  void addPatchTriangles(uint32_t begin, uint32_t end);
  // Others, which follow those of the patches. Heights in units.
  void add(const std::array<Point, 3>& p, const std::array<double, 3>& z);
  void add(const std::array<Point, 3>& p, const Plane& plane) {
    add(p, std::array<double, 3>{plane.at(p[0]), plane.at(p[1]), plane.at(p[2])});
  }
  // Joins the others to the patches. A level field needs no triangles.
  void finish();

 private:
  struct Corner {
    Point p;
    int64_t z;
  };
  uint32_t enter(Point p, int64_t height);
  void weldOthers();
  uint32_t localOf(uint32_t id);

  const PatchHeights& heights_;
  double unit_;
  double hair_;
  HeightField& field_;
  std::vector<uint32_t> local_;      // of each point of the patches, if this is a large part of it
  FirstEqual known_;                 // otherwise
  std::vector<uint32_t> surfaceOf_;  // of each point of the field, for `known_`
  std::vector<int64_t> z_;           // of each point of the field
  std::vector<std::array<Corner, 3>> others_;
};

}  // namespace wend::exact
