#include "environment/extract/exact/layers/conflicts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "environment/extract/effort.h"
#include "environment/extract/stages.h"

namespace wend::exact {
namespace {

constexpr size_t kConflictsPerTask = 64;
// Head rooms. No multiple of any likely storey's height: rounding would decide.
constexpr double kReach = 16.17;

class ConflictFinder {
 public:
  ConflictFinder(const Soup& soup, const Facets& facets, const Patches& patches, const PatchTriangles& patchTriangles,
                 const Selection& selection, const Tolerances& tolerances, const Context& context)
      : facets_(facets),
        patches_(patches),
        patchTriangles_(patchTriangles),
        selection_(selection),
        tol_(tolerances),
        context_(context),
        patchOf_(patchTriangles.triangles.size()),
        extents_(patchTriangles.triangles.size()),
        lows_(patchTriangles.triangles.size()),
        looks_(kMostLooks + kMostLooksPerTriangle * soup.triangles.size()),
        overlaps_(kMostOverlaps + kMostOverlapsPerTriangle * soup.triangles.size()) {}

  Result<Conflicts> run() {
    measure();
    const BoxTree tree(extents_, &context_);
    result_.reach = kReach * tol_.height;
    findNear(tree);
    if (!tooMuch()) findFar(tree);
    if (tooMuch()) return ExtractStages::tooTangled();
    return std::move(result_);
  }

 private:
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

  void measure() {
    parallelBlocks(patches_.count(), kConflictsPerTask, context_, [&](size_t begin, size_t end) {
      for (auto p = static_cast<uint32_t>(begin); p < end; ++p) {
        for (uint32_t i = patchTriangles_.begin[p]; i < patchTriangles_.begin[p + 1]; ++i) {
          patchOf_[i] = p;
          extents_[i] = extentOf(patchTriangles_.triangles[i], facetOf(p).plane);
          lows_[i] = extents_[i].low;
          // Facets are near or far as a whole, however they are cut into triangles.
          extents_[i].low = BoxTree::wholeBelow(facetOf(p).low);
        }
      }
    });
  }

  void findNear(const BoxTree& tree) {
    const size_t n = extents_.size();
    std::vector<Pairs> found((n + kConflictsPerTask - 1) / kConflictsPerTask);
    parallelFor(found.size(), context_, [&](size_t block) {
      if (tooMuch()) return;
      Pairs& pairs = found[block];
      uint64_t looked = 0;
      // Patches of many triangles meet many times.
      std::array<uint64_t, 64> lately{};
      // Those in a row are near each other.
      const std::span<const uint32_t> own =
          tree.items().subspan(block * kConflictsPerTask, std::min(kConflictsPerTask, n - block * kConflictsPerTask));
      for (size_t at = 0; at < own.size(); at += BoxTree::kTogether) {
        const auto few = own.subspan(at, std::min<size_t>(BoxTree::kTogether, own.size() - at));
        std::array<BoxTree::Extent, BoxTree::kTogether> above;
        for (size_t k = 0; k < few.size(); ++k) above[k] = aboveOf(few[k]);
        tree.forEach(std::span(above).first(few.size()), [&](uint32_t k, uint32_t which) {
          looked += static_cast<uint64_t>(std::popcount(which));
          for (; which != 0; which &= which - 1) {
            const uint32_t i = few[static_cast<size_t>(std::countr_zero(which))];
            if (!mayConflict(i, k)) continue;
            const auto pair = std::minmax(patchOf_[i], patchOf_[k]);
            uint64_t& known = lately[(7 * pair.first + pair.second) % lately.size()];
            const uint64_t both = uint64_t{pair.first} << 32 | pair.second;
            if (known == both || !overlap(i, k)) continue;
            pairs.emplace_back(pair);
            known = both;
          }
        });
      }
      sortUnique(pairs);
      looks_.add(looked);
      overlaps_.add(pairs.size());
    });
    add(found);
  }

  // Free floors in the same place are the head room apart: the lower of a pair looks up.
  BoxTree::Extent aboveOf(uint32_t i) const {
    return {extents_[i].box, BoxTree::wholeFloor(lows_[i] + 0.5 * tol_.height - 1),
            -BoxTree::wholeFloor(-(extents_[i].low + result_.reach))};
  }

  bool tooMuch() const { return looks_.tooMuch() || overlaps_.tooMuch(); }

  // A bridge may be as high as it likes.
  void findFar(const BoxTree& tree) {
    const std::vector<uint32_t> lonely = withoutNear();
    std::vector<Pairs> found((lonely.size() + kConflictsPerTask - 1) / kConflictsPerTask);
    parallelFor(found.size(), context_, [&](size_t block) {
      for (size_t at = block * kConflictsPerTask;
           at < std::min(lonely.size(), (block + 1) * kConflictsPerTask) && !tooMuch(); ++at) {
        addNearest(tree, lonely[at], found[block]);
      }
      overlaps_.add(found[block].size());
    });
    add(found);
  }

  // Patches without conflicts, of components so high that they may have some farther away.
  std::vector<uint32_t> withoutNear() {
    const std::vector<uint8_t> high = highComponents();
    std::vector<uint32_t> without;
    result_.all = std::find(high.begin(), high.end(), 1) == high.end();
    if (result_.all) return without;
    std::vector<uint8_t> met(patches_.count(), 0);
    for (const auto& [p, q] : result_.pairs) met[p] = met[q] = 1;
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      const uint32_t c = selection_.component[p];
      if (c != kNone && high[c] != 0 && met[p] == 0) without.push_back(p);
    }
    return without;
  }

  std::vector<uint8_t> highComponents() const {
    std::vector<std::pair<double, double>> ranges(selection_.components, {INFINITY, -INFINITY});
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      const uint32_t c = selection_.component[p];
      if (c == kNone) continue;
      auto& [low, high] = ranges[c];
      low = std::min(low, facetOf(p).low);
      high = std::max(high, facetOf(p).high);
    }
    std::vector<uint8_t> high(selection_.components);
    for (uint32_t c = 0; c < high.size(); ++c) {
      high[c] = result_.areAllWithin(ranges[c].first, ranges[c].second) ? 0 : 1;
    }
    return high;
  }

  void addNearest(const BoxTree& tree, uint32_t patch, Pairs& pairs) {
    std::vector<std::pair<double, uint32_t>> far;
    uint64_t looked = 0;
    for (uint32_t i = patchTriangles_.begin[patch]; i < patchTriangles_.begin[patch + 1]; ++i) {
      tree.forEach(extents_[i].box, [&](uint32_t k) {
        ++looked;
        if (!mayConflict(i, k) || !mayLieAbove(ownOf(i), ownOf(k), tol_) || !overlap(i, k)) return;
        far.emplace_back(std::abs(facetOf(patch).low - facetOf(patchOf_[k]).low), patchOf_[k]);
      });
    }
    looks_.add(looked);
    if (far.empty()) return;
    const double nearest = std::min_element(far.begin(), far.end())->first;
    for (const auto& [distance, other] : far) {
      if (distance <= 2 * nearest) pairs.emplace_back(std::min(patch, other), std::max(patch, other));
    }
  }

  const Facet& facetOf(uint32_t patch) const { return facets_.list[patches_.facet[patch]]; }

  BoxTree::Extent ownOf(uint32_t triangle) const {
    return {extents_[triangle].box, lows_[triangle], extents_[triangle].high};
  }

  bool mayConflict(uint32_t i, uint32_t k) const {
    const uint32_t p = patchOf_[i];
    const uint32_t q = patchOf_[k];
    return p != q && selection_.component[p] == selection_.component[q];
  }
  // Where rounding moved a common border is no conflict.
  bool overlap(uint32_t i, uint32_t k) const {
    return overlapBy(tol_.overlap, patchTriangles_.triangles[i], patchTriangles_.triangles[k]);
  }

  static void sortUnique(Pairs& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  }
  void add(const std::vector<Pairs>& found) {
    for (const Pairs& part : found) result_.pairs.insert(result_.pairs.end(), part.begin(), part.end());
    sortUnique(result_.pairs);
  }

  const Facets& facets_;
  const Patches& patches_;
  const PatchTriangles& patchTriangles_;
  const Selection& selection_;
  const Tolerances& tol_;
  const Context& context_;
  std::vector<uint32_t> patchOf_;         // of each triangle
  std::vector<BoxTree::Extent> extents_;  // of each triangle, from the lowest height of its facet on
  std::vector<int32_t> lows_;             // of each triangle, its own
  Effort looks_;
  Effort overlaps_;
  Conflicts result_;
};

}  // namespace

Result<Conflicts> findConflicts(const Soup& soup, const Facets& facets, const Patches& patches,
                                const PatchTriangles& patchTriangles, const Selection& selection,
                                const Tolerances& tolerances, const Context& context) {
  return ConflictFinder(soup, facets, patches, patchTriangles, selection, tolerances, context).run();
}

}  // namespace wend::exact
