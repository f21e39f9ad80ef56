#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/lattice.h>
#include <wend/result.h>

// The noun before the Environment: triangles in space. Any soup: cracked, intersecting, duplicated, degenerate.
namespace wend {

struct Scene {
  struct Triangle {
    std::array<uint32_t, 3> vertices;  // ids; counter-clockwise seen from its front
    uint32_t label = 0;                // id into labels
  };
  std::vector<Vec3> vertices;  // metres, z up
  std::vector<Triangle> triangles;
  std::vector<std::string> labels;  // names of objects or materials; label 0 is "" when the file names none
};

}  // namespace wend
