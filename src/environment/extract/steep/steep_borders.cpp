#include "environment/extract/steep/steep_borders.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace wend::extraction {
namespace {

constexpr size_t kBordersPerTask = 512;
constexpr size_t kPlacesPerTask = 64;
// Of borders with more around them nothing is kept at first, and later no more than this for each side on average:
// space must not grow with the square of the scene.
constexpr size_t kMostKept = 64;
// Rounding may lead a line this far beside its side. Units.
constexpr double kSlack = 2;

}  // namespace

SteepBorders::SteepBorders(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
                           const BoxTree& walkable, const Tolerances& tolerances, std::span<const uint32_t> triangles,
                           const Context& context)
    : soup_(soup),
      neighbours_(neighbours),
      faces_(faces),
      tree_(walkable),
      contact_(tolerances.contact),
      limit_(tolerances.step + tolerances.contact + kSlack),
      back_(std::max(tolerances.gap, tolerances.contact) + kSlack),
      margin_(static_cast<int32_t>(std::ceil(tolerances.gap + tolerances.same + kSlack))) {
  const size_t n = faces.triangles().size();
  begin_.assign(3 * n + 1, 0);
  std::vector<uint8_t> wanted(n, 0);
  for (const uint32_t t : triangles) wanted[faces.placeOf(t)] = 1;
  std::vector<std::vector<uint32_t>> found((n + kBordersPerTask - 1) / kBordersPerTask);
  parallelFor(found.size(), context, [&](size_t block) {
    std::vector<uint32_t>& near = found[block];
    for (size_t i = block * kBordersPerTask; i < std::min(n, (block + 1) * kBordersPerTask); ++i) {
      const auto place = static_cast<uint32_t>(i);
      for (uint32_t k = 0; k < 3; ++k) {
        const size_t before = near.size();
        const bool open = neighbours.of(Kind::kRiser, faces.triangles()[i], k) == kNone;
        if (open && wanted[i] != 0) findAtSide(place, k, near);
        if ((open && wanted[i] == 0) || near.size() - before > kMostKept) {
          near.resize(before);
          near.push_back(kNone);
        }
        begin_[3 * i + k + 1] = static_cast<uint32_t>(near.size());
      }
    }
  });
  for (size_t block = 0; block < found.size(); ++block) {
    const auto before = static_cast<uint32_t>(near_.size());
    for (size_t i = 3 * block * kBordersPerTask; i < 3 * std::min(n, (block + 1) * kBordersPerTask); ++i)
      begin_[i + 1] += before;
    near_.insert(near_.end(), found[block].begin(), found[block].end());
  }
}

std::span<const uint32_t> SteepBorders::beyondSide(uint32_t place, uint32_t side,
                                                   std::vector<uint32_t>& scratch) const {
  scratch.clear();
  findAtSide(place, side, scratch);
  return scratch;
}

void SteepBorders::lookUp(std::span<const uint32_t> places, const Context& context) {
  struct Found {
    std::vector<size_t> sides;
    std::vector<uint32_t> ends;  // of what lies beyond each
    std::vector<uint32_t> near;
  };
  std::vector<Found> found((places.size() + kPlacesPerTask - 1) / kPlacesPerTask);
  parallelFor(found.size(), context, [&](size_t block) {
    Found& own = found[block];
    const size_t first = block * kPlacesPerTask;
    for (const uint32_t place : places.subspan(first, std::min(kPlacesPerTask, places.size() - first))) {
      for (uint32_t k = 0; k < 3; ++k) {
        const size_t at = 3 * size_t{place} + k;
        if (isKnown(at) || neighbours_.of(Kind::kRiser, faces_.triangles()[place], k) != kNone) continue;
        const size_t before = own.near.size();
        findAtSide(place, k, own.near);
        if (own.near.size() > 3 * kPlacesPerTask * kMostKept) {
          own.near.resize(before);
          continue;
        }
        own.sides.push_back(at);
        own.ends.push_back(static_cast<uint32_t>(own.near.size()));
      }
    }
  });
  for (const Found& own : found) {
    if (laterNear_.size() + own.near.size() > kMostKept * begin_.size()) return;
    const auto before = static_cast<uint32_t>(laterNear_.size());
    laterNear_.insert(laterNear_.end(), own.near.begin(), own.near.end());
    for (size_t i = 0; i < own.sides.size(); ++i) {
      near_[begin_[own.sides[i]]] = kLater + static_cast<uint32_t>(laterBegin_.size() - 1);
      laterBegin_.push_back(before + own.ends[i]);
    }
  }
}

void SteepBorders::findAtSide(uint32_t place, uint32_t side, std::vector<uint32_t>& near) const {
  const double turn = faces_.at(place).turn[side];
  if (turn == 0) return;
  const uint32_t triangle = faces_.triangles()[place];
  const std::array<uint32_t, 3>& v = soup_.triangles[triangle].v;
  find(triangle, soup_.points[v[side]], soup_.points[v[side == 2 ? 0 : side + 1]], turn < 0 ? 1 : -1, near);
}

void SteepBorders::find(uint32_t triangle, const Point3& a, const Point3& b, double sign,
                        std::vector<uint32_t>& near) const {
  Box around = boxOf(a.top(), b.top());
  around.min = {around.min.x - margin_, around.min.y - margin_};
  around.max = {around.max.x + margin_, around.max.y + margin_};
  const double below = sign > 0 ? back_ : limit_;
  const double above = sign > 0 ? limit_ : back_;
  tree_.forEach(around, std::min(a.z, b.z) - below, std::max(a.z, b.z) + above, [&](uint32_t t) {
    const Triangle& other = soup_.triangles[t];
    if (t == triangle || isBeside(other, a, b)) return;
    if (other.walkable || mayEnter(t, a, b, sign, around)) near.push_back(t);
  });
}

// Whether all of a triangle lies more than a crack to one side of a border.
bool SteepBorders::isBeside(const Triangle& triangle, const Point3& a, const Point3& b) const {
  if (a == b) return false;
  const SideLine side = sideOf(a, b);
  const auto left = [&](uint32_t k) {
    const Point3& p = soup_.points[triangle.v[k]];
    return side.left(p.x, p.y);
  };
  const double first = left(0);
  const double second = left(1);
  const double third = left(2);
  const double off = std::max(std::min(std::min(first, second), third), -std::max(std::max(first, second), third));
  return off > 0 && off * off > double(margin_) * margin_ * (side.dx * side.dx + side.dy * side.dy);
}

// Whether a line that leaves another triangle between a and b may go on in this one: it enters over a side that leads
// in, or from above or below.
bool SteepBorders::mayEnter(uint32_t t, const Point3& a, const Point3& b, double sign, const Box& around) const {
  const Triangle& triangle = soup_.triangles[t];
  const std::array<Point3, 3> p = soup_.corners(triangle);
  const SteepFace& face = faces_.of(t);
  const auto [low, high] = std::minmax(a.z, b.z);
  const double under = contact_ / triangle.normal.z + kSlack;
  const double below = sign > 0 ? under : limit_;
  const double above = sign > 0 ? limit_ : under;
  bool inside = true;
  for (uint32_t k = 0; k < 3; ++k) {
    const Point3& c = p[k];
    const Point3& d = p[k == 2 ? 0 : k + 1];
    if (sign * face.turn[k] > 0 && meet(around, boxOf(c.top(), d.top())) && std::max(c.z, d.z) >= low - below &&
        std::min(c.z, d.z) <= high + above) {
      return true;
    }
    const SideLine side = sideOf(c, d);
    inside = inside && std::max(side.left(a.x, a.y), side.left(b.x, b.y)) > 0;
  }
  return inside;
}

}  // namespace wend::extraction
