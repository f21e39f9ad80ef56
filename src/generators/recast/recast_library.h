#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/result.h>

// The only way to the Recast library. Its axes: x right, y up, z towards the viewer; metres.
namespace wend::recast {

bool isLibraryPresent();

struct Soup {
  std::vector<float> vertices;  // three per vertex
  std::vector<int> triangles;   // three per triangle, counter-clockwise from above
};

struct Build {
  std::array<float, 3> min{};  // of the voxel grid
  std::array<float, 3> max{};
  int border = 0;         // voxels within min and max that belong to the tiles around
  float voxel = 0;        // in top view
  float voxelHeight = 0;  // climbs and head rooms are counted in it
  bool ledges = true;
  int corners = 6;
  int climb = 2;       // heights of voxels
  int headRoom = 3;    // heights of voxels
  float slope = 60;    // degrees
  float error = 1.3F;  // of contours, voxels
  int edgeLength = 2500;
  int leastRegion = 0;       // voxels; smaller ones without neighbours are dropped
  int mergedRegion = 10000;  // voxels; smaller regions join their neighbours
  bool detail = false;       // build triangles that follow the heights, too
};

struct Polygons {
  std::vector<std::array<uint16_t, 3>> vertices;  // voxels and heights of voxels from min, without the border
  std::vector<std::vector<uint16_t>> loops;
  int detailTriangles = 0;
  std::vector<std::string> warnings;
};

Result<Polygons> build(const Soup& soup, const Build& settings, const Context& context);

}  // namespace wend::recast
