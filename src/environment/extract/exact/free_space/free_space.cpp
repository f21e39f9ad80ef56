#include "environment/extract/exact/free_space/free_space.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "environment/extract/effort.h"
#include "environment/extract/exact/free_space/convex_covers.h"
#include "environment/extract/exact/free_space/convex_rest.h"
#include "environment/extract/exact/free_space/patch_cutter.h"
#include "environment/extract/exact/free_space/triangles_above.h"
#include "environment/extract/stages.h"
#include "geometry/index/digit_sort.h"

namespace wend::exact {
namespace {

constexpr size_t kMostWorkers = 256;

// What all floors together may take.
struct Efforts {
  explicit Efforts(uint64_t triangles)
      : tests(kMostTests + kMostTestsPerTriangle * triangles),
        corners(kMostCorners + kMostCornersPerTriangle * triangles) {}
  bool tooMuch() const { return tests.tooMuch() || corners.tooMuch(); }

  Effort tests;
  Effort corners;
};

// A wall as a facet sees it: part of a wall's line in top view.
struct WallRun {
  uint32_t wall;
  double from, to;       // along the line
  Vec2 a, b;             // ends
  uint32_t first, last;  // pairs it came from
};

// An end of a strip: on the front of its wall, and behind.
struct StripEnd {
  Point p;
  Point behind;
  auto operator<=>(const StripEnd&) const = default;
};

class FacetCutter {
 public:
  FacetCutter(const Soup& soup, const Facets& facets, const TriangleTrees& trees, const ExtractSettings& settings,
              const Tolerances& tolerances, bool walkableWalls, Efforts& efforts)
      : soup_(soup),
        facets_(facets),
        settings_(settings),
        tol_(tolerances),
        above_(soup, facets, trees, settings, tolerances, walkableWalls),
        cutter_({kMostPairsOfFloor, kMostTestsOfFloor}, tolerances),
        efforts_(efforts) {}

  // Facets that lie near each other; each alone if they are large.
  void run(std::span<const uint32_t> ids, bool large, FreeSpace& result) {
    while (!ids.empty()) {
      const std::span<const uint32_t> some = ids.first(large ? 1 : std::min(ids.size(), TrianglesAbove::kMostFacets));
      ids = ids.subspan(some.size());
      if (large) {
        above_.findSeen(some[0]);
      } else {
        above_.find(some);
      }
      for (size_t i = 0; i < some.size() && !efforts_.tooMuch(); ++i) {
        const size_t corners = result.patches.rings.points.size();
        pairs_.swap(above_.pairsOf(i));
        tests_ = pairs_.size();
        run(some[i], result);
        pairs_.swap(above_.pairsOf(i));
        efforts_.tests.add(tests_);
        efforts_.corners.add(result.patches.rings.points.size() - corners);
      }
    }
  }

 private:
  void run(uint32_t id, FreeSpace& result) {
    const Facet& facet = facets_.list[id];
    if (facet.ringCount == 0) return;
    sortByUpperHalf(pairs_, static_cast<size_t>(std::bit_width(soup_.triangles.size())), scratch_);
    pieces_.clear();
    runs_.clear();
    blamed_.clear();
    outline_.clear();
    for (uint32_t r = 0; r < facet.ringCount; ++r) outline_.add(facets_.outlines.ring(facet.firstRing + r));
    rest_.begin(outline_);
    tried_ = false;
    for (size_t i = 0, j = 0; i < pairs_.size(); i = j) {
      while (j < pairs_.size() && aboveOf(pairs_[j]) == aboveOf(pairs_[i])) ++j;
      if (cover(facet, id, i, j)) {
        ++result.cut;
        return;
      }
    }
    makeStrips();
    for (uint32_t i = 0; i < facet.closedCount; ++i) {
      Convex strip;
      for (const Point p : facets_.closed[facet.firstClosed + i]) strip.add(p);
      if (!tidy(strip)) continue;
      rest_.add(strip);
      pieces_.push_back(strip);
    }
    if (pieces_.empty()) {
      for (uint32_t r = 0; r < outline_.count(); ++r) result.patches.rings.add(outline_.ring(r));
      result.patches.close(id, true);
      return;
    }
    ++result.cut;
    if (rest_.mayBeCovered() && rest_.isCoveredBy(pieces_)) return;
    if (pieces_.size() >= kManyPieces) tests_ += dropContained(pieces_, kMostTestsOfFloor);
    cut(facet, id, result);
  }

  double lowest(const Facet& facet, const Triangle& t) const {
    if (t.walkable) return facet.riser ? -(tol_.step + tol_.contact) : -tol_.contact;
    if (areRisers(facet, t)) return -contactOf(facet, tol_);
    return (settings_.strict ? 0 : tol_.step) + tol_.contact;
  }

  bool areRisers(const Facet& facet, const Triangle& t) const {
    return facet.riser && t.facet != kNone && facets_.list[t.facet].riser;
  }

  // What one triangle covers; true if that is the whole facet.
  bool cover(const Facet& facet, uint32_t id, size_t first, size_t last) {
    const Triangle& t = soup_.triangles[aboveOf(pairs_[first])];
    double low = lowest(facet, t);
    double high = tol_.height - tol_.contact;
    if (t.walkable && !facet.riser) {
      // Of two floors in the same place the one of smaller index stays.
      if (id < t.facet) low = tol_.contact;
      // A sloped floor that ends just at head room would leave a strip beneath its end, as wide as the slack allows.
      const Plane& above = facets_.list[t.facet].plane;
      const double a = above.a - facet.plane.a;
      const double b = above.b - facet.plane.b;
      if (a * a + b * b > kParallel * kParallel) high = tol_.height + tol_.contact;
    }
    const bool risers = areRisers(facet, t);
    if (risers && id < t.facet) low = contactOf(facet, tol_);
    Slab slab;
    if (!clipToHeights(cornersOf(t), facet.plane, low, high, slab)) return false;
    if (t.wall && !risers && addRun(t, slab, first, last)) return false;
    Convex piece;
    if (!toConvex(slab, piece)) return false;
    // Of triangles that are no walls, the pairs are those that overlap.
    if ((!slab.whole || t.wall) && !overlapsFacet(piece, first, last)) return false;
    blamed_.push_back(t.source);
    rest_.add(piece);
    if (pieces_.empty() || !join(pieces_.back(), piece)) pieces_.push_back(piece);
    if (contains(pieces_.back(), outline_.points)) return true;
    // As soon as it may be so, and at the end.
    if (tried_ || !rest_.mayBeCovered()) return false;
    tried_ = true;
    return rest_.isCoveredBy(pieces_);
  }
  static constexpr double kParallel = 0.002;
  // Floors are as high as the planes of their facets say: two that cross lose both sides of one line then, whichever of
  // them is asked.
  std::array<Vec3, 3> cornersOf(const Triangle& t) const {
    std::array<Vec3, 3> corners;
    for (size_t i = 0; i < 3; ++i) {
      const Point3& p = soup_.points[t.v[i]];
      corners[i] = {double(p.x), double(p.y), t.walkable ? facets_.list[t.facet].plane.at(p.top()) : p.z};
    }
    return corners;
  }
  // With fewer pieces looking for contained ones costs more than it saves.
  static constexpr size_t kManyPieces = 4;

  bool overlapsFacet(const Convex& piece, size_t first, size_t last) const {
    const Box box = boxOf(piece.ring());
    for (size_t i = first; i < last; ++i) {
      const Triangle& floor = soup_.triangles[beneathOf(pairs_[i])];
      if (overlap(floor.box, box) && overlap(topOf(soup_, floor), piece.ring())) return true;
    }
    return false;
  }

  // A near-vertical triangle too narrow to cover anything is part of a wall.
  bool addRun(const Triangle& t, const Slab& slab, size_t first, size_t last) {
    const double length = std::sqrt(t.normal.x * t.normal.x + t.normal.y * t.normal.y);
    const double nx = t.normal.x / length;
    const double ny = t.normal.y / length;
    double least = 1e300;
    double most = -1e300;
    WallRun run{facets_.wallOf[aboveOf(pairs_[first])],
                1e300,
                -1e300,
                {},
                {},
                static_cast<uint32_t>(first),
                static_cast<uint32_t>(last)};
    for (uint32_t i = 0; i < slab.count; ++i) {
      const Slab::Corner& c = slab.c[i];
      const double across = c.x * nx + c.y * ny;
      least = std::min(least, across);
      most = std::max(most, across);
      const double along = c.y * nx - c.x * ny;
      if (along < run.from) {
        run.from = along;
        run.a = {c.x, c.y};
      }
      if (along > run.to) {
        run.to = along;
        run.b = {c.x, c.y};
      }
    }
    if (most - least >= tol_.wall) return false;
    runs_.push_back(run);
    return true;
  }

  // Strips behind the walls: the front of every wall keeps its line.
  void makeStrips() {
    if (runs_.empty()) return;
    std::sort(runs_.begin(), runs_.end(), [](const WallRun& p, const WallRun& q) {
      return p.wall != q.wall ? p.wall < q.wall : p.from != q.from ? p.from < q.from : p.first < q.first;
    });
    ends_.clear();
    for (size_t i = 0, j = 0; i < runs_.size(); i = j) {
      WallRun run = runs_[i];
      for (j = i + 1; j < runs_.size() && runs_[j].wall == run.wall && runs_[j].from <= run.to + tol_.grain; ++j) {
        if (runs_[j].to <= run.to) continue;
        run.to = runs_[j].to;
        run.b = runs_[j].b;
      }
      const Triangle& t = soup_.triangles[aboveOf(pairs_[run.first])];
      const double length = std::sqrt(t.normal.x * t.normal.x + t.normal.y * t.normal.y);
      const Point a = rounded(run.a.x, run.a.y);
      const Point b = rounded(run.b.x, run.b.y);
      // A unit less at both ends: rounded beyond the end of its wall, a strip would push the face next to it outwards.
      const double x = double(b.x) - a.x;
      const double y = double(b.y) - a.y;
      const double along = std::sqrt(x * x + y * y);
      const double less = std::min(1.0, 0.25 * along) / std::max(1.0, along);
      const double backX = -tol_.wall * t.normal.x / length;
      const double backY = -tol_.wall * t.normal.y / length;
      const Point behindA = rounded(a.x + backX + less * x, a.y + backY + less * y);
      const Point behindB = rounded(b.x + backX - less * x, b.y + backY - less * y);
      Convex strip;
      for (const Point p : {a, b, behindB, behindA}) strip.add(p);
      if (!tidy(strip)) continue;
      bool meets = false;
      for (size_t k = i; k < j && !meets; ++k) meets = overlapsFacet(strip, runs_[k].first, runs_[k].last);
      if (!meets) continue;
      pieces_.push_back(strip);
      blamed_.push_back(t.source);
      ends_.push_back({a, behindA});
      ends_.push_back({b, behindB});
    }
    // Where walls meet in a corner of a room, their strips touch in a point only.
    std::sort(ends_.begin(), ends_.end());
    for (size_t i = 0, j = 0; i < ends_.size(); i = j) {
      while (j < ends_.size() && ends_[j].p == ends_[i].p) ++j;
      bevel(std::span(ends_).subspan(i, j - i));
    }
  }

  // Between strips that meet in a corner.
  void bevel(std::span<StripEnd> ends) {
    const auto add = [&](const StripEnd& a, const StripEnd& b) {
      Convex piece;
      for (const Point p : {a.p, a.behind, b.behind}) piece.add(p);
      if (tidy(piece)) pieces_.push_back(piece);
    };
    if (ends.size() <= kManyEnds) {
      for (size_t i = 0; i < ends.size(); ++i) {
        for (size_t k = i + 1; k < ends.size(); ++k) add(ends[i], ends[k]);
      }
      return;
    }
    const auto upper = [](const StripEnd& e) {
      return e.behind.y > e.p.y || (e.behind.y == e.p.y && e.behind.x > e.p.x);
    };
    std::stable_sort(ends.begin(), ends.end(), [&](const StripEnd& a, const StripEnd& b) {
      return upper(a) != upper(b) ? upper(a) : orient(a.p, a.behind, b.behind) > 0;
    });
    for (size_t i = 0; i < ends.size(); ++i) add(ends[i], ends[i + 1 == ends.size() ? 0 : i + 1]);
  }
  // Of more strips in a corner only those side by side are joined: all pairs would be too many pieces.
  static constexpr size_t kManyEnds = 16;

  void cut(const Facet& facet, uint32_t id, FreeSpace& result) {
    const Status cut = cutter_.cut(outline_, pieces_, id, result.patches);
    tests_ += cutter_.tests();
    if (!cut.ok()) giveUp(facet, cut.error(), result);
  }

  void giveUp(const Facet& facet, const Error& error, FreeSpace& result) const {
    const Triangle& floor = soup_.triangles[facets_.triangles[facet.firstTriangle]];
    const Point3& p = soup_.points[floor.v[0]];
    ExtractSpot spot;
    spot.place = {p.x * tol_.unit, p.y * tol_.unit, p.z * tol_.unit};
    spot.reason = fmt::format("the floor here was dropped: cutting {} obstacles out of it failed ({})", pieces_.size(),
                              error.message);
    spot.blame(floor.source);
    for (const uint32_t source : blamed_) spot.blame(source);
    result.spots.push_back(std::move(spot));
    result.tangled = result.tangled || error.code == ErrorCode::kLimit;
  }

  const Soup& soup_;
  const Facets& facets_;
  const ExtractSettings& settings_;
  const Tolerances& tol_;
  TrianglesAbove above_;
  std::vector<uint64_t> pairs_;  // by what lies above
  std::vector<uint64_t> scratch_;
  std::vector<Convex> pieces_;
  std::vector<uint32_t> blamed_;
  std::vector<WallRun> runs_;
  std::vector<StripEnd> ends_;
  Rings outline_;
  ConvexRest rest_;
  bool tried_ = false;  // whether it was asked already
  PatchCutter cutter_;
  Efforts& efforts_;
  uint64_t tests_ = 0;  // for one facet
};

// Copies patches, each named by its part and its number there.
Patches gather(std::span<const Patches> parts, std::span<const std::pair<uint32_t, uint32_t>> places,
               const Context& context) {
  constexpr size_t kBlock = 1024;
  const size_t blocks = (places.size() + kBlock - 1) / kBlock;
  // Calls body(patches, patch, its first ring and the end of its rings, place) for those of a block.
  const auto forBlock = [&](size_t block, const auto& body) {
    for (size_t i = block * kBlock; i < std::min(places.size(), (block + 1) * kBlock); ++i) {
      const auto [part, patch] = places[i];
      const Patches& patches = parts[part];
      body(patches, patch, patches.firstRing[patch], patches.firstRing[patch + 1], i);
    }
  };
  struct Count {
    uint32_t rings = 0;
    uint32_t points = 0;
  };
  std::vector<Count> before(blocks + 1);
  parallelFor(blocks, context, [&](size_t block) {
    Count count;
    forBlock(block, [&](const Patches& patches, uint32_t, uint32_t first, uint32_t last, size_t) {
      count.rings += last - first;
      count.points += patches.rings.begin[last] - patches.rings.begin[first];
    });
    before[block + 1] = count;
  });
  for (size_t block = 0; block < blocks; ++block) {
    before[block + 1].rings += before[block].rings;
    before[block + 1].points += before[block].points;
  }
  Patches result;
  result.rings.points.resize(before.back().points);
  result.rings.begin.resize(before.back().rings + size_t{1});
  result.firstRing.resize(places.size() + 1);
  result.facet.resize(places.size());
  result.whole.resize(places.size());
  parallelFor(blocks, context, [&](size_t block) {
    Count at = before[block];
    forBlock(block, [&](const Patches& patches, uint32_t patch, uint32_t first, uint32_t last, size_t i) {
      const Rings& rings = patches.rings;
      std::copy(rings.points.begin() + rings.begin[first], rings.points.begin() + rings.begin[last],
                result.rings.points.begin() + at.points);
      for (uint32_t r = first; r < last; ++r) {
        at.points += rings.begin[r + 1] - rings.begin[r];
        result.rings.begin[++at.rings] = at.points;
      }
      result.firstRing[i + 1] = at.rings;
      result.facet[i] = patches.facet[patch];
      result.whole[i] = patches.whole[patch];
    });
  });
  return result;
}

// The patches of all workers in the order of their facets. Each facet was given to one worker.
FreeSpace inOrder(std::vector<FreeSpace>& parts, size_t facetCount, const Context& context) {
  FreeSpace result;
  for (const FreeSpace& part : parts) {
    result.cut += part.cut;
    result.tangled = result.tangled || part.tangled;
  }
  std::vector<uint32_t> begin(facetCount + 1, 0);  // of each facet, into `places`
  parallelFor(parts.size(), context, [&](size_t i) {
    for (const uint32_t facet : parts[i].patches.facet) ++begin[facet + 1];
  });
  for (size_t f = 0; f < facetCount; ++f) begin[f + 1] += begin[f];
  std::vector<std::pair<uint32_t, uint32_t>> places(begin.back());  // part and patch
  parallelFor(parts.size(), context, [&](size_t i) {
    const Patches& patches = parts[i].patches;
    for (uint32_t p = 0; p < patches.count(); ++p) {
      places[begin[patches.facet[p]]++] = {static_cast<uint32_t>(i), p};
    }
  });
  std::vector<Patches> patches;
  for (FreeSpace& part : parts) patches.push_back(std::move(part.patches));
  result.patches = gather(patches, places, context);
  return result;
}

// Wanted facets from a number on that begin with a triangle of a tree, in the order of the tree.
struct TreeOrder {
  std::vector<uint32_t> facets;
  bool walkableWalls = false;  // whether the tree has walls that can be walked on
};
TreeOrder treeOrder(const BoxTree& tree, const Soup& soup, const Facets& facets, const std::vector<uint8_t>& wanted,
                    size_t from, const Context& context) {
  constexpr size_t kBlock = 4096;
  const auto items = tree.items();
  std::vector<TreeOrder> parts((items.size() + kBlock - 1) / kBlock);
  parallelFor(parts.size(), context, [&](size_t block) {
    TreeOrder& part = parts[block];
    for (const uint32_t item : items.subspan(block * kBlock, std::min(kBlock, items.size() - block * kBlock))) {
      const Triangle& triangle = soup.triangles[item];
      part.walkableWalls = part.walkableWalls || (triangle.wall && triangle.walkable);
      const uint32_t f = triangle.facet;
      if (f == kNone || f < from || wanted[f] == 0) continue;
      if (facets.triangles[facets.list[f].firstTriangle] == item) part.facets.push_back(f);
    }
  });
  TreeOrder order;
  for (const TreeOrder& part : parts) {
    order.facets.insert(order.facets.end(), part.facets.begin(), part.facets.end());
    order.walkableWalls = order.walkableWalls || part.walkableWalls;
  }
  return order;
}

}  // namespace

double Patches::area(uint32_t patch) const {
  double sum = 0;
  for (uint32_t r = firstRing[patch]; r < firstRing[patch + 1]; ++r) sum += doubledAreaOf(rings.ring(r));
  return sum;
}

void Patches::add(const Polygon& polygon, uint32_t ofFacet) {
  rings.add(polygon.outer);
  for (const Ring& hole : polygon.holes) rings.add(hole);
  close(ofFacet, false);
}

Result<FreeSpace> makeFreeSpace(const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                                const std::vector<uint8_t>& wanted, const ExtractSettings& settings,
                                const Tolerances& tolerances, const Context& context) {
  // The largest facets come first and have most above them: each is a block of its own, and threads take blocks in
  // their order. The others follow in the order of the trees, so that neighbours find what they ask for in the cache.
  Context whole;  // what is short is not stopped half done
  whole.threads = context.threads;
  const size_t facetCount = facets.list.size();
  const size_t largest = std::min<size_t>(facetCount, 128);
  std::vector<uint32_t> order;
  order.reserve(facetCount);
  for (uint32_t f = 0; f < largest; ++f) {
    if (wanted[f] != 0) order.push_back(f);
  }
  const size_t single = order.size();
  bool walkableWalls = false;
  for (const BoxTree* tree : {&trees.others, &trees.walls}) {
    const TreeOrder some = treeOrder(*tree, soup, facets, wanted, largest, whole);
    order.insert(order.end(), some.facets.begin(), some.facets.end());
    walkableWalls = walkableWalls || some.walkableWalls;
  }
  const size_t block = std::max<size_t>(16, facetCount / 1024);
  const size_t blocks = single + (order.size() - single + block - 1) / block;
  std::vector<FreeSpace> parts;  // of the threads that found something to do
  std::mutex partsMutex;
  std::vector<std::vector<ExtractSpot>> spots(blocks);
  std::atomic<size_t> next{0};
  Efforts efforts(soup.triangles.size());
  parallelFor(std::min<size_t>(blocks, kMostWorkers), context, [&](size_t) {
    if (next >= blocks) return;
    FacetCutter cutter(soup, facets, trees, settings, tolerances, walkableWalls, efforts);
    FreeSpace own;
    for (size_t part = next++; part < blocks && !context.cancelled() && !efforts.tooMuch(); part = next++) {
      const size_t first = part < single ? part : single + (part - single) * block;
      const size_t last = part < single ? part + 1 : std::min(order.size(), first + block);
      cutter.run(std::span(order).subspan(first, last - first), part < single, own);
      spots[part] = std::exchange(own.spots, {});
    }
    const std::lock_guard lock(partsMutex);
    parts.push_back(std::move(own));
  });
  if (efforts.tooMuch()) return ExtractStages::tooTangled();
  FreeSpace result = inOrder(parts, facetCount, whole);
  for (std::vector<ExtractSpot>& some : spots) {
    result.spots.insert(result.spots.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return result;
}

void removePatches(Patches& patches, const std::vector<uint8_t>& marks, const Context& context) {
  const Patches before = std::move(patches);
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (uint32_t p = 0; p < before.count(); ++p) {
    if (marks[p] == 0) places.emplace_back(0, p);
  }
  patches = gather({&before, 1}, places, context);
}

}  // namespace wend::exact
