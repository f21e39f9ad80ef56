#pragma once

#include <array>
#include <optional>
#include <vector>

#include <wend/route.h>

#include "planning/disk/string_pulling.h"

// Lines in place of the arcs of a string. They touch the circle from outside, so they keep the radius from the corner.
// The free space on the other side of the arc limits how far they bulge.
namespace wend {

class ArcLines {
 public:
  // The tolerance, in lattice units, is the free space beside every arc.
  explicit ArcLines(double tolerance) : tolerance_(tolerance) {}

  // Appends the corners between the lines: the first line begins at bend.in, the last one ends at bend.out.
  void append(const DiskBend& bend, std::vector<Vec2>& corners);
  // The same in metres, at height z; returns the place behind the last one. There has to be memory for kTurns more.
  Vec3* write(const DiskBend& bend, double unit, double z, Vec3* out);
  // An upper bound of the corners of the whole string, straight bends included.
  size_t mostCorners(const DiskString& string);

  static constexpr size_t kTurns = 6;

 private:
  // Both coordinates at once: the compiler does not see by itself that they are treated alike.
  using Pair [[gnu::vector_size(16)]] = double;
  // The angle between lines that bulge by a share of the radius. All lines of an arc but the last turn by it, so that a
  // few sines and cosines serve the whole route.
  struct Step {
    double share = 0;
    double perRadian = 0;
    // Around the unit circle from (1, 0): where the lines touch it, and where they meet.
    std::array<Vec2, kTurns + 1> turns;
    std::array<Vec2, kTurns> corners;
    std::array<std::array<Pair, 2>, kTurns> pairs;  // the corners' coordinates, each twice
    explicit Step(double bulge);
  };
  static const Step kUsual;
  const Step& stepOf(double slack, double r);
  static size_t wholeLines(const DiskBend& bend, const Step& step);

  double tolerance_;
  std::optional<Step> last_;
};

// Fills the points of the route, all at height z, its arcs and its length.
void writeString(const DiskString& string, Vec2 start, const Lattice& lattice, double tolerance, double z,
                 Route& route);

}  // namespace wend
