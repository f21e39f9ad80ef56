#pragma once

#include <cstdint>

#include <wend/scene.h>

// Levels of detail: small bodies as boxes.
namespace wend {

struct BoxedScene {
  Scene scene;
  uint32_t bodies = 0;  // that became boxes
};

// Replaces bodies (triangles joined at their corners) of more than twelve triangles that fit into a cube of side
// `size`, metres, by upright boxes around them: as high as they are, and in top view the rectangle of least area. A box
// holds its body, and reaches less than `size` beyond it. Other triangles keep their order; the boxes follow. O(n log
// n).
BoxedScene withBoxes(const Scene& scene, double size);

}  // namespace wend
