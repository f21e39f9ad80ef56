#include "generators/cdg/cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

#include "geometry/vec2.h"

namespace wend::cdg {
namespace {

constexpr int kCorners = 16;
constexpr double kLeastArea = 100;  // lattice units squared; thinner slices of a cut disk are left out
constexpr double kSame = 0.01;      // lattice units; corners nearer to each other are one
constexpr double kBeside = 1;       // lattice units; a segment farther from a disk does not cut it
constexpr double kOnLine = 1e-4;    // lattice units; less than what the builder takes for one, more than rounding

struct Corner {
  Vec2 p;
  bool wall;  // whether the side that starts here follows the circle
};
using Loop = std::vector<Corner>;

double doubledArea(const Loop& loop) {
  double sum = 0;
  for (size_t i = 1; i + 1 < loop.size(); ++i) sum += cross(loop[i].p - loop[0].p, loop[i + 1].p - loop[0].p);
  return sum;
}

// The part of a convex loop left of a -> b.
void leftPart(std::span<const Corner> loop, Vec2 a, Vec2 b, Loop& part) {
  part.clear();
  if (loop.empty()) return;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  // A corner that nearly lies on the line is on it: portals end in corners.
  const auto height = [&](const Corner& corner) {
    const double h = cross(b - a, corner.p - a) / length;
    return std::abs(h) < kOnLine ? 0 : h;
  };
  double hq = height(loop.front());
  for (size_t i = 0; i < loop.size(); ++i) {
    const Corner& p = loop[i];
    const Corner& q = loop[i + 1 == loop.size() ? 0 : i + 1];
    const double hp = hq;
    hq = height(q);
    // Where the loop leaves the left side it goes on along the line.
    if (hp > 0) part.push_back(p);
    if (hp == 0) part.push_back({p.p, hq > 0 && p.wall});
    if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) {
      const double t = hp / (hp - hq);
      const Vec2 at{p.p.x + t * (q.p.x - p.p.x), p.p.y + t * (q.p.y - p.p.y)};
      part.push_back({at, hp < 0 && p.wall});
    }
  }
}

bool isSame(Vec2 a, Vec2 b) {
  return dot(b - a, b - a) <= kSame * kSame;
}

// Of corners that are one, the first is kept, with the side that the last one starts.
void dropRepeats(Loop& loop) {
  size_t kept = 0;
  for (const Corner& corner : loop) {
    if (kept > 0 && isSame(loop[kept - 1].p, corner.p)) {
      loop[kept - 1].wall = corner.wall;
    } else {
      loop[kept++] = corner;
    }
  }
  while (kept > 1 && isSame(loop[0].p, loop[kept - 1].p)) --kept;
  loop.resize(kept);
}

// Where the line of a segment cuts the loop along a stretch of the segment.
std::optional<Vec2> middleOfCut(const Loop& loop, const Crossings::Segment& s) {
  const double length = std::hypot(s.b.x - s.a.x, s.b.y - s.a.y);
  const Vec2 u{(s.b.x - s.a.x) / length, (s.b.y - s.a.y) / length};
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  bool left = false;
  bool right = false;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = loop[i].p;
    const Vec2 q = loop[(i + 1) % loop.size()].p;
    const double hp = cross(s.b - s.a, p - s.a) / length;
    const double hq = cross(s.b - s.a, q - s.a) / length;
    left |= hp > kSame;
    right |= hp < -kSame;
    if (hp * hq > 0 || hp == hq) continue;
    const double t = hp / (hp - hq);
    const double along = (p.x + t * (q.x - p.x) - s.a.x) * u.x + (p.y + t * (q.y - p.y) - s.a.y) * u.y;
    low = std::min(low, along);
    high = std::max(high, along);
  }
  low = std::max(low, 0.0);
  high = std::min(high, length);
  if (!left || !right || high - low <= kSame) return std::nullopt;
  const double along = 0.5 * (low + high);
  return Vec2{s.a.x + along * u.x, s.a.y + along * u.y};
}

// A connection that leads out of a loop's layer.
struct Exit {
  const Crossings::Segment* segment;
  Vec2 middle;  // of its part in the loop
};

// Those that one comes to straight from a known place of the loop, in its layer. A layer that winds around may have
// others in the loop, one turn away: they face the other way, or lie behind an exit.
std::vector<Exit> exitsOf(const Crossings& crossings, const Disk& disk, const Loop& loop, LayerId layer,
                          uint32_t entered, Vec2 known) {
  std::vector<Exit> facing;
  for (const Crossings::Segment& s : crossings.of(layer)) {
    if (s.id == entered || cross(s.b - s.a, known - s.a) < 0) continue;
    if (distanceToSegment(disk.centre, s.a, s.b) > disk.radius + kBeside) continue;
    if (const auto middle = middleOfCut(loop, s)) facing.push_back({&s, *middle});
  }
  std::vector<Exit> exits;
  for (const Exit& exit : facing) {
    const bool behind = std::any_of(facing.begin(), facing.end(), [&](const Exit& other) {
      return other.segment != exit.segment &&
             cross(other.segment->b - other.segment->a, exit.middle - other.segment->a) < 0;
    });
    if (!behind) exits.push_back(exit);
  }
  return exits;
}

// A portal as seen from one of its disks.
struct Cut {
  Vec2 right;
  Vec2 left;
};

struct CornerAtAngle {
  double angle;
  Vec2 p;
};

bool isBefore(const CornerAtAngle& a, const CornerAtAngle& b) {
  return std::tie(a.angle, a.p.x, a.p.y) < std::tie(b.angle, b.p.x, b.p.y);
}

// Corners of the unit circle by angle, from -pi on.
std::array<CornerAtAngle, kCorners> unitCorners() {
  std::array<CornerAtAngle, kCorners> corners;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / kCorners;
    corners[static_cast<size_t>((i + kCorners / 2) % kCorners)] = {std::remainder(angle, 2 * std::numbers::pi),
                                                                   {std::cos(angle), std::sin(angle)}};
  }
  return corners;
}

class CellMaker {
 public:
  CellMaker(const Crossings& crossings, MeshBuilder& builder) : crossings_(crossings), builder_(builder) {}

  void add(const Disk& disk, std::span<const Cut> cuts) {
    inscribe(disk, cuts);
    for (const Cut& cut : cuts) {
      leftPart(loop_, cut.right, cut.left, part_);
      std::swap(loop_, part_);
    }
    dropRepeats(loop_);
    addPieces(disk, loop_, disk.layer, kNone, disk.centre);
  }

 private:
  // The polygon of a disk, with corners where portals end.
  void inscribe(const Disk& disk, std::span<const Cut> cuts) {
    corners_.clear();
    for (const CornerAtAngle& corner : unit_) {
      const Vec2 p{disk.centre.x + disk.radius * corner.p.x, disk.centre.y + disk.radius * corner.p.y};
      corners_.push_back({corner.angle, p});
    }
    for (const Cut& cut : cuts) {
      for (const Vec2 p : {cut.right, cut.left}) {
        const CornerAtAngle corner{std::atan2(p.y - disk.centre.y, p.x - disk.centre.x), p};
        corners_.insert(std::upper_bound(corners_.begin(), corners_.end(), corner, isBefore), corner);
      }
    }
    loop_.clear();
    for (const CornerAtAngle& corner : corners_) loop_.push_back({corner.p, true});
  }

  // Cuts a loop in a disk at the connections of its layer; what lies beyond one belongs to the other layer. The known
  // place lies in the loop and the layer. Leaves of the loop what belongs to the layer.
  void addPieces(const Disk& disk, Loop& loop, LayerId layer, uint32_t entered, Vec2 known) {
    Loop part;
    const std::vector<Exit> exits = exitsOf(crossings_, disk, loop, layer, entered, known);
    for (const Exit& exit : exits) {
      const Crossings::Segment& s = *exit.segment;
      leftPart(loop, s.b, s.a, part);
      addPieces(disk, part, s.other, s.id, exit.middle);
      leftPart(loop, s.a, s.b, part);
      std::swap(loop, part);
    }
    if (entered != kNone || !exits.empty()) dropRepeats(loop);
    if (loop.size() < 3 || doubledArea(loop) < 2 * kLeastArea) return;
    points_.clear();
    walls_.clear();
    for (const Corner& corner : loop) {
      points_.push_back(corner.p);
      walls_.push_back(corner.wall ? 1 : 0);
    }
    builder_.addCell(layer, points_, walls_);
  }

  const Crossings& crossings_;
  MeshBuilder& builder_;
  const std::array<CornerAtAngle, kCorners> unit_ = unitCorners();
  std::vector<CornerAtAngle> corners_;
  Loop loop_;
  Loop part_;
  std::vector<Vec2> points_;
  std::vector<uint8_t> walls_;
};

}  // namespace

void addCells(std::span<const Disk> disks, std::span<const Portal> portals, const Crossings& crossings,
              MeshBuilder& builder) {
  std::vector<uint32_t> end(disks.size() + 1, 0);  // of the cuts of each disk
  for (const Portal& portal : portals) {
    ++end[portal.a + 1];
    ++end[portal.b + 1];
  }
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Cut> cuts(2 * portals.size());
  for (const Portal& portal : portals) {
    cuts[end[portal.a]++] = {portal.right, portal.left};
    cuts[end[portal.b]++] = {portal.left, portal.right};
  }
  CellMaker maker(crossings, builder);
  for (uint32_t i = 0, first = 0; i < disks.size(); first = end[i++]) {
    maker.add(disks[i], std::span(cuts).subspan(first, end[i] - first));
  }
}

}  // namespace wend::cdg
