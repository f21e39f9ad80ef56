#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "environment/extract/facets/near_triangles.h"
#include "environment/extract/facets/reach.h"

namespace wend::extraction {
namespace {

constexpr size_t kBlock = 1024;  // faces per task
// Where so many neighbours were met for each triangle of the scene, looking at all is faster than asking further.
constexpr size_t kMostMet = 64;

// kPart: of a group that is large enough.
enum class Mark : uint8_t { kUnknown, kOpen, kSmall, kPart, kLarge };

class Gathering {
 public:
  Gathering(const WalkableFaces& walkable, double least, const Tolerances& tolerances, const Context& context,
            TooSmall& dropped, SmallGroups* apart = nullptr)
      : soup_(walkable.soup),
        facets_(walkable.facets),
        neighbours_(walkable.neighbours),
        tree_(walkable.tree),
        others_(walkable.others),
        areas_(walkable.areas),
        least_(least),
        nearTriangles_(walkable.soup, tolerances),
        context_(context),
        dropped_(dropped),
        apart_(apart),
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
    for (size_t i = 0; i < result.size(); ++i) result[i] = isWanted(marks_[i]) ? 1 : 0;
    return result;
  }

 private:
  void nameOthers() {
    if (others_.empty()) return;
    otherOf_.assign(soup_.triangles.size(), kNone);
    for (uint32_t i = 0; i < others_.size(); ++i) otherOf_[others_[i]] = i;
  }

  uint32_t faceOf(uint32_t triangle) const {
    const uint32_t facet = soup_.triangles[triangle].facet;
    if (facet != kNone) return facet;
    if (otherOf_.empty() || otherOf_[triangle] == kNone) return kNone;
    return static_cast<uint32_t>(facets_.list.size()) + otherOf_[triangle];
  }

  std::span<const uint32_t> trianglesOf(uint32_t face) const {
    if (face < facets_.list.size()) return facets_.trianglesOf(facets_.list[face]);
    return others_.subspan(face - facets_.list.size(), 1);
  }

  // Gathers the faces connected to a small one, until their area is enough.
  void gather(uint32_t first) {
    members_.clear();
    triangles_.clear();
    area_ = 0;
    enough_ = false;
    open(first);
    // Most small ones are parts of a mesh.
    for (size_t i = 0; i < triangles_.size() && !enough_; ++i) lookBeyondSides(triangles_[i]);
    if (!enough_ && tree_.items().empty()) tree_ = walkableTree(soup_, context_);
    for (size_t i = 0; i < triangles_.size() && !enough_;) i = lookAround(i);
    for (const uint32_t i : members_) marks_[i] = enough_ ? Mark::kPart : Mark::kSmall;
    if (enough_) return;
    if (apart_ != nullptr) {
      const auto group = static_cast<uint32_t>(apart_->areas.size());
      for (const uint32_t i : members_) apart_->of[i] = group;
      apart_->areas.push_back(area_);
    }
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

  // Whether a face would add to the group.
  bool counts(uint32_t face) const {
    if (face == kNone || (marks_[face] == Mark::kLarge && apart_ != nullptr)) return false;
    return isWanted(marks_[face]) || marks_[face] == Mark::kUnknown;
  }
  static bool isWanted(Mark mark) { return mark == Mark::kLarge || mark == Mark::kPart; }

  void meet(uint32_t face) {
    if (isWanted(marks_[face])) {
      enough_ = true;
    } else {
      open(face);
    }
  }

  void lookBeyondSides(uint32_t triangle) {
    const Kind kind = soup_.triangles[triangle].walkable ? Kind::kFloor : Kind::kRiser;
    for (uint32_t side = 0; side < 3 && !enough_; ++side) {
      const uint32_t next = neighbours_.of(kind, triangle, side);
      const uint32_t face = next == kNone ? kNone : faceOf(next);
      if (counts(face)) meet(face);
    }
  }

  // Around the triangles of the group from one on, as many together as lie near each other. Gives the next one.
  size_t lookAround(size_t from) {
    enough_ = enough_ || met_ > kMostMet * soup_.triangles.size();
    if (enough_) return from;
    NearTriangles::Boxes boxes;
    const auto around = nearTriangles_.around(std::span(triangles_).subspan(from), boxes);
    tree_.forEach(around, [&](uint32_t other, uint32_t which) {
      met_ += static_cast<size_t>(std::popcount(which));
      const uint32_t face = which == 0 ? kNone : faceOf(other);
      if (counts(face) && nearTriangles_.anyNear(std::span(triangles_).subspan(from), which, other)) meet(face);
    });
    return from + around.size();
  }

  const Soup& soup_;
  const Facets& facets_;
  const TriangleNeighbours& neighbours_;
  BoxTree& tree_;
  std::span<const uint32_t> others_;
  const std::vector<double>& areas_;
  double least_;
  NearTriangles nearTriangles_;
  const Context& context_;
  TooSmall& dropped_;
  SmallGroups* apart_;             // if groups go no farther than to large faces
  std::vector<uint32_t> otherOf_;  // of each triangle
  std::vector<Mark> marks_;        // of each face
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

std::vector<double> WalkableFaces::mostAreas(const Soup& soup, const Facets& facets, std::span<const uint32_t> others,
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

std::vector<uint8_t> largeEnough(const WalkableFaces& walkable, double least, const Tolerances& tolerances,
                                 const Context& context, TooSmall& dropped) {
  return Gathering(walkable, least, tolerances, context, dropped).run();
}

SmallGroups smallGroups(const WalkableFaces& walkable, double least, const Tolerances& tolerances,
                        const Context& context) {
  SmallGroups groups;
  groups.of.assign(walkable.areas.size(), kNone);
  TooSmall dropped;
  Gathering(walkable, least, tolerances, context, dropped, &groups).run();
  return groups;
}

}  // namespace wend::extraction
