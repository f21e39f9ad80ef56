#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "environment/extract/surfaces/neighbours.h"
#include "environment/extract/surfaces/reach.h"

namespace wend::extraction {
namespace {

constexpr size_t kBlock = 1024;  // surfaces per task
// Where so many neighbours were met for each triangle of the scene, looking at all is faster than asking further.
constexpr size_t kMostMet = 64;

enum class Mark : uint8_t { kUnknown, kOpen, kSmall, kLarge };

class Gathering {
 public:
  Gathering(const Surfaces& surfaces, double least, const Tolerances& tolerances, const Context& context,
            TooSmall& dropped)
      : soup_(surfaces.soup),
        facets_(surfaces.facets),
        partners_(surfaces.partners),
        tree_(surfaces.tree),
        others_(surfaces.others),
        areas_(surfaces.areas),
        least_(least),
        neighbours_(surfaces.soup, tolerances),
        context_(context),
        dropped_(dropped),
        marks_(areas_.size(), Mark::kUnknown) {}

  std::vector<uint8_t> run() {
    bool any = false;
    for (uint32_t i = 0; i < areas_.size(); ++i) {
      marks_[i] = areas_[i] >= least_ ? Mark::kLarge : areas_[i] > 0 ? Mark::kUnknown : Mark::kSmall;
      any = any || marks_[i] == Mark::kUnknown;
    }
    if (any) nameOthers();
    for (uint32_t i = 0; any && i < areas_.size(); ++i) {
      if (marks_[i] == Mark::kUnknown) gather(i);
    }
    std::vector<uint8_t> result(areas_.size());
    for (size_t i = 0; i < result.size(); ++i) result[i] = marks_[i] == Mark::kLarge ? 1 : 0;
    return result;
  }

 private:
  void nameOthers() {
    if (others_.empty()) return;
    otherOf_.assign(soup_.triangles.size(), kNone);
    for (uint32_t i = 0; i < others_.size(); ++i) otherOf_[others_[i]] = i;
  }

  uint32_t surfaceOf(uint32_t triangle) const {
    const uint32_t facet = soup_.triangles[triangle].facet;
    if (facet != kNone) return facet;
    if (otherOf_.empty() || otherOf_[triangle] == kNone) return kNone;
    return static_cast<uint32_t>(facets_.list.size()) + otherOf_[triangle];
  }

  std::span<const uint32_t> trianglesOf(uint32_t surface) const {
    if (surface < facets_.list.size()) return facets_.trianglesOf(facets_.list[surface]);
    return others_.subspan(surface - facets_.list.size(), 1);
  }

  // All that hangs together with a small one, as far as it takes to know that it is enough.
  void gather(uint32_t first) {
    members_.clear();
    triangles_.clear();
    area_ = 0;
    enough_ = false;
    open(first);
    // Most small ones are parts of a mesh.
    for (size_t i = 0; i < triangles_.size() && !enough_; ++i) lookBeyondSides(triangles_[i]);
    if (!enough_ && tree_.items().empty()) tree_ = surfaceTree(soup_, context_);
    for (size_t i = 0; i < triangles_.size() && !enough_;) i = lookAround(i);
    for (const uint32_t i : members_) marks_[i] = enough_ ? Mark::kLarge : Mark::kSmall;
    if (enough_) return;
    ++dropped_.groups;
    dropped_.area += area_;
  }

  void open(uint32_t i) {
    marks_[i] = Mark::kOpen;
    members_.push_back(i);
    const std::span<const uint32_t> triangles = trianglesOf(i);
    triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
    area_ += areas_[i];
    enough_ = enough_ || area_ >= least_;
  }

  // Whether a surface would add to the group.
  bool counts(uint32_t surface) const {
    return surface != kNone && (marks_[surface] == Mark::kLarge || marks_[surface] == Mark::kUnknown);
  }

  void meet(uint32_t surface) {
    if (marks_[surface] == Mark::kLarge) {
      enough_ = true;
    } else {
      open(surface);
    }
  }

  void lookBeyondSides(uint32_t triangle) {
    const Kind kind = soup_.triangles[triangle].walkable ? Kind::kFloor : Kind::kRiser;
    for (uint32_t side = 0; side < 3 && !enough_; ++side) {
      const uint32_t next = partners_.of(kind, triangle, side);
      const uint32_t surface = next == kNone ? kNone : surfaceOf(next);
      if (counts(surface)) meet(surface);
    }
  }

  // Around the triangles of the group from one on, as many together as lie near each other. Gives the next one.
  size_t lookAround(size_t from) {
    enough_ = enough_ || met_ > kMostMet * soup_.triangles.size();
    if (enough_) return from;
    Neighbours::Boxes boxes;
    const auto around = neighbours_.around(std::span(triangles_).subspan(from), boxes);
    tree_.forEach(around, [&](uint32_t other, uint32_t which) {
      met_ += static_cast<size_t>(std::popcount(which));
      const uint32_t surface = which == 0 ? kNone : surfaceOf(other);
      if (counts(surface) && neighbours_.anyNear(std::span(triangles_).subspan(from), which, other)) meet(surface);
    });
    return from + around.size();
  }

  const Soup& soup_;
  const Facets& facets_;
  const SidePartners& partners_;
  BoxTree& tree_;
  std::span<const uint32_t> others_;
  const std::vector<double>& areas_;
  double least_;
  Neighbours neighbours_;
  const Context& context_;
  TooSmall& dropped_;
  std::vector<uint32_t> otherOf_;  // of each triangle
  std::vector<Mark> marks_;        // of each surface
  std::vector<uint32_t> members_;  // of the group
  std::vector<uint32_t> triangles_;
  size_t met_ = 0;
  double area_ = 0;
  bool enough_ = false;
};

// What is cut out is rounded to the lattice, so that a border may move by less than a unit. That of a triangle is no
// longer than that of its box.
double mostArea(const Triangle& t) {
  const double around = 2 * ((double(t.box.max.x) - t.box.min.x) + (double(t.box.max.y) - t.box.min.y));
  return std::abs(t.area) + 2 * around;
}

}  // namespace

std::vector<double> Surfaces::mostAreas(const Soup& soup, const Facets& facets, std::span<const uint32_t> others,
                                        const Context& context) {
  const size_t floors = facets.list.size();
  std::vector<double> areas(floors + others.size(), 0);
  parallelBlocks(areas.size(), kBlock, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto triangles = i < floors ? facets.trianglesOf(facets.list[i]) : others.subspan(i - floors, 1);
      for (const uint32_t t : triangles) areas[i] += mostArea(soup.triangles[t]);
    }
  });
  return areas;
}

std::vector<uint8_t> largeEnough(const Surfaces& surfaces, double least, const Tolerances& tolerances,
                                 const Context& context, TooSmall& dropped) {
  return Gathering(surfaces, least, tolerances, context, dropped).run();
}

}  // namespace wend::extraction
