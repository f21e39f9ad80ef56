#include "mesh/weld.h"

#include <bit>
#include <cmath>

namespace wend {
namespace {

uint64_t scramble(uint64_t a, uint64_t b) {
  uint64_t h = a * 0x9e3779b97f4a7c15ULL ^ std::rotl(b * 0xc2b2ae3d27d4eb4fULL, 31);
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 29);
}

size_t tableSize(size_t items) {
  return std::bit_ceil(2 * items + 2);
}

// Numbers equal points in the order of their first use.
void numberEqual(std::span<const Vec2> points, Welding& out) {
  const size_t mask = tableSize(points.size()) - 1;
  std::vector<uint32_t> slots(mask + 1, kNone);
  out.position.resize(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec2 p{points[i].x + 0.0, points[i].y + 0.0};  // -0.0 becomes 0.0
    size_t slot = scramble(std::bit_cast<uint64_t>(p.x), std::bit_cast<uint64_t>(p.y)) & mask;
    while (slots[slot] != kNone && out.positions[slots[slot]] != p) slot = (slot + 1) & mask;
    if (slots[slot] == kNone) {
      slots[slot] = static_cast<uint32_t>(out.positions.size());
      out.positions.push_back(p);
    }
    out.position[i] = slots[slot];
  }
}

// The positions that stand for others, in squares of a few times the tolerance: most places are near to one only.
class Representatives {
 public:
  Representatives(const std::vector<Vec2>& positions, double tolerance)
      : positions_(positions),
        tolerance_(tolerance),
        reach_(1.01 * tolerance),  // with room for the rounding of squares
        squares_(1 / (8 * tolerance)),
        heads_(tableSize(positions.size()), kNone),
        next_(positions.size(), kNone) {}

  void add(uint32_t id) {
    uint32_t& head = heads_[slot(square(positions_[id].x), square(positions_[id].y))];
    next_[id] = head;
    head = id;
  }
  uint32_t nearest(Vec2 p) const {
    uint32_t best = kNone;
    double bestDistance = tolerance_;
    const int64_t lowY = square(p.y - reach_);
    const int64_t highX = square(p.x + reach_);
    const int64_t highY = square(p.y + reach_);
    for (int64_t x = square(p.x - reach_); x <= highX; ++x) {
      for (int64_t y = lowY; y <= highY; ++y) {
        for (uint32_t id = heads_[slot(x, y)]; id != kNone; id = next_[id]) {
          const Vec2 d{positions_[id].x - p.x, positions_[id].y - p.y};
          if (std::abs(d.x) > tolerance_ || std::abs(d.y) > tolerance_) continue;
          const double distance = std::hypot(d.x, d.y);
          if (distance < bestDistance || (distance == bestDistance && id < best)) {
            best = id;
            bestDistance = distance;
          }
        }
      }
    }
    return best;
  }

 private:
  int64_t square(double v) const {
    const double scaled = v * squares_;
    const auto whole = static_cast<int64_t>(scaled);
    return whole - (static_cast<double>(whole) > scaled ? 1 : 0);
  }
  size_t slot(int64_t x, int64_t y) const {
    return scramble(static_cast<uint64_t>(x), static_cast<uint64_t>(y)) & (heads_.size() - 1);
  }

  const std::vector<Vec2>& positions_;
  double tolerance_;
  double reach_;
  double squares_;  // per unit
  std::vector<uint32_t> heads_;
  std::vector<uint32_t> next_;
};

void joinNear(Welding& out, double tolerance) {
  const auto count = static_cast<uint32_t>(out.positions.size());
  Representatives representatives(out.positions, tolerance);
  for (uint32_t id = 0; id < count; ++id) {
    if (out.whole[id] != 0) representatives.add(id);
  }
  std::vector<uint32_t> standsFor(count);
  for (uint32_t id = 0; id < count; ++id) {
    standsFor[id] = id;
    if (out.whole[id] != 0) continue;
    const uint32_t near = representatives.nearest(out.positions[id]);
    if (near == kNone) {
      representatives.add(id);
    } else {
      standsFor[id] = near;
    }
  }
  for (uint32_t& position : out.position) position = standsFor[position];
}

}  // namespace

Welding weld(std::span<const Vec2> points, double tolerance) {
  Welding out;
  numberEqual(points, out);
  out.whole.reserve(out.positions.size());
  for (const Vec2 p : out.positions) {
    out.whole.push_back(isOnLattice(p) ? 1 : 0);
    out.allWhole = out.allWhole && out.whole.back() != 0;
  }
  if (!out.allWhole) joinNear(out, tolerance);
  return out;
}

}  // namespace wend
