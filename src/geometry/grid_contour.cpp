#include "geometry/grid_contour.h"

#include <array>

namespace wend {
namespace {

class Grid {
 public:
  Grid(std::span<const uint8_t> free, uint32_t width, uint32_t height) : free_(free), width_(width), height_(height) {}
  // Everything outside is blocked.
  bool free(int64_t x, int64_t y) const {
    return x >= 0 && y >= 0 && x < width_ && y < height_ && free_[index(x, y)] != 0;
  }
  size_t index(int64_t x, int64_t y) const { return static_cast<size_t>(y) * width_ + static_cast<size_t>(x); }

 private:
  std::span<const uint8_t> free_;
  uint32_t width_;
  uint32_t height_;
};

// Unit steps counter-clockwise, and for each the square ahead and to the left of the corner it starts from.
struct Step {
  int dx;
  int dy;
};
constexpr std::array<Step, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
constexpr std::array<Step, 4> kAheadLeft{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};

}  // namespace

std::optional<std::vector<Ring>> traceGrid(std::span<const uint8_t> free, uint32_t width, uint32_t height,
                                           size_t maxVertices) {
  const Grid grid(free, width, height);
  std::vector<bool> walked(free.size());  // lower edges of free squares that a ring has taken
  std::vector<Ring> rings;
  size_t left = maxVertices;

  for (int64_t row = 0; row < height; ++row) {
    for (int64_t column = 0; column < width; ++column) {
      if (!grid.free(column, row) || grid.free(column, row - 1) || walked[grid.index(column, row)]) continue;
      // A run of lower edges belongs to one ring, and this is its first edge: its left end is a corner.
      Ring ring;
      int64_t x = column;
      int64_t y = row;
      size_t direction = 0;
      size_t previous = 3;
      while (direction != 0 || !walked[grid.index(x, y)]) {
        if (direction != previous) {
          if (left-- == 0) return std::nullopt;
          ring.push_back({static_cast<int32_t>(x), static_cast<int32_t>(y)});
        }
        if (direction == 0) walked[grid.index(x, y)] = true;
        previous = direction;
        x += kSteps[direction].dx;
        y += kSteps[direction].dy;
        // The square ahead to the right of a direction is the one ahead to the left of the direction turned right.
        const Step aheadLeft = kAheadLeft[direction];
        const Step aheadRight = kAheadLeft[(direction + 3) % 4];
        if (!grid.free(x + aheadLeft.dx, y + aheadLeft.dy)) {
          direction = (direction + 1) % 4;
        } else if (grid.free(x + aheadRight.dx, y + aheadRight.dy)) {
          direction = (direction + 3) % 4;
        }
      }
      rings.push_back(std::move(ring));
    }
  }
  return rings;
}

}  // namespace wend
