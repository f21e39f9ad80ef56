#include "environment/extract/exact/free_space/convex_covers.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "environment/extract/polygons/lattice_line.h"
#include "geometry/index/grid_index.h"

namespace wend::exact {
namespace {

// Up to here all pairs are looked at.
constexpr size_t kFewPieces = 32;

// Keeps the part where sign * (d - bound) > 0.
bool clip(Slab& slab, double bound, double sign) {
  std::array<double, 8> d;
  bool any = false;
  bool all = true;
  for (uint32_t i = 0; i < slab.count; ++i) {
    d[i] = sign * (slab.c[i].d - bound);
    any = any || d[i] > 0;
    all = all && d[i] >= 0;
  }
  if (!any || all) return any;
  std::array<Slab::Corner, 8> kept;
  uint32_t count = 0;
  for (uint32_t i = 0; i < slab.count; ++i) {
    const uint32_t next = i + 1 == slab.count ? 0 : i + 1;
    const Slab::Corner& p = slab.c[i];
    const Slab::Corner& q = slab.c[next];
    if (d[i] >= 0) kept[count++] = p;
    if ((d[i] > 0 && d[next] < 0) || (d[i] < 0 && d[next] > 0)) {
      const double t = d[i] / (d[i] - d[next]);
      kept[count++] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), bound};
    }
  }
  std::copy_n(kept.begin(), count, slab.c.begin());
  slab.count = count;
  return count >= 3;
}

// Whether a side of the first has the second beyond it.
bool separated(std::span<const Point> p, std::span<const Point> q) {
  // Without branches: the results are not predictable.
  int any = 0;
  Point a = p.back();
  for (const Point b : p) {
    const LatticeLine line(a, b);
    int left = 0;
    for (const Point c : q) left |= static_cast<int>(line.isLeft(c));
    any |= left ^ 1;
    a = b;
  }
  return any != 0;
}

}  // namespace

bool clipToHeights(const std::array<Vec3, 3>& triangle, const Plane& plane, double low, double high, Slab& slab) {
  slab.count = 3;
  bool above = false;
  bool below = false;
  bool inside = true;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& p = triangle[i];
    const double d = p.z - plane.at(p.x, p.y);
    slab.c[i] = {p.x, p.y, d};
    above = above || d > low;
    below = below || d < high;
    inside = inside && d >= low && d <= high;
  }
  if (!above || !below) return false;
  slab.whole = inside;
  return inside || (clip(slab, low, 1) && clip(slab, high, -1));
}

bool toConvex(const Slab& slab, Convex& piece) {
  piece.count = 0;
  for (uint32_t i = 0; i < slab.count; ++i) {
    piece.add(rounded(slab.c[i].x, slab.c[i].y));
  }
  return tidy(piece);
}

bool overlap(std::span<const Point> p, std::span<const Point> q) {
  return !separated(p, q) && !separated(q, p);
}

bool contains(const Convex& piece, std::span<const Point> points) {
  for (uint32_t i = 0; i < piece.count; ++i) {
    const LatticeLine line(piece.p[i], piece.p[i + 1 == piece.count ? 0 : i + 1]);
    for (const Point p : points) {
      if (line.isRight(p)) return false;
    }
  }
  return true;
}

bool join(Convex& piece, const Convex& other) {
  if (piece.count + other.count - 2 > piece.p.size()) return false;
  const auto bits = [](Point p) { return std::bit_cast<uint64_t>(p); };
  for (uint32_t i = 0; i < piece.count; ++i) {
    const uint64_t a = bits(piece.p[i]);
    const uint64_t b = bits(piece.p[i + 1 == piece.count ? 0 : i + 1]);
    for (uint32_t k = 0; k < other.count; ++k) {
      if (bits(other.p[k]) != b || bits(other.p[k + 1 == other.count ? 0 : k + 1]) != a) continue;
      Convex joined;
      for (uint32_t n = 0; n < piece.count; ++n) joined.add(piece.p[(i + 1 + n) % piece.count]);
      for (uint32_t n = 2; n < other.count; ++n) joined.add(other.p[(k + n) % other.count]);
      for (uint32_t n = 0; n < joined.count; ++n) {
        if (orient(joined.p[n], joined.p[(n + 1) % joined.count], joined.p[(n + 2) % joined.count]) < 0) return false;
      }
      // Corners in the middle of a side go.
      tidy(joined);
      piece = joined;
      return true;
    }
  }
  return false;
}

uint64_t dropContained(std::vector<Convex>& pieces, uint64_t most) {
  std::vector<Box> plain(pieces.size());
  std::vector<PackedBox> boxes(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    plain[i] = boxOf(pieces[i].ring());
    boxes[i] = PackedBox(plain[i]);
  }
  const auto isInside = [&](uint32_t i, uint32_t k) {
    if (k == i || !contains(pieces[k], pieces[i].ring())) return false;
    // Of equal ones the first stays.
    return k < i || !contains(pieces[i], pieces[k].ring());
  };
  std::vector<uint8_t> inside(pieces.size(), 0);
  uint64_t tests = 0;
  if (pieces.size() <= kFewPieces) {
    for (uint32_t i = 0; i < pieces.size(); ++i) {
      const PackedBox own = boxes[i];
      for (uint32_t k = 0; k < pieces.size() && inside[i] == 0; ++k) {
        if (boxes[k].holds(own) && isInside(i, k)) inside[i] = 1;
      }
    }
  } else {
    const GridIndex grid(plain);
    for (uint32_t i = 0; i < pieces.size() && tests <= most; ++i) {
      const PackedBox own = boxes[i];
      const auto near = grid.at(pieces[i].p[0]);
      tests += near.size();
      for (const uint32_t k : near) {
        if (!boxes[k].holds(own) || !isInside(i, k)) continue;
        inside[i] = 1;
        break;
      }
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (inside[i] == 0) pieces[kept++] = pieces[i];
  }
  pieces.resize(kept);
  return tests;
}

}  // namespace wend::exact
