#include "environment/extract/exact/drawing/rejoin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.h"

namespace wend::exact {
namespace {

constexpr size_t kPatchesPerTask = 16;
constexpr size_t kBordersPerTask = 1024;

class Rejoiner {
 public:
  Rejoiner(const PatchBorders& borders, const TrimmedParts& parts, const LayerPlan& plan, const Tolerances& tolerances)
      : borders_(borders),
        parts_(parts),
        plan_(plan),
        tol_(tolerances),
        firstFilling_(borders.firstFilling()),
        beside_(static_cast<int32_t>(std::ceil(tolerances.same)) + 1) {}

  std::vector<BorderSegment> run(std::span<const BorderSegment> others, const Context& context) {
    std::vector<std::pair<uint32_t, const std::vector<Trimmed>*>> patches;
    for (const auto& [patch, parts] : parts_) patches.emplace_back(patch, &parts);
    const std::vector<BorderSegment> trimmed =
        gathered(patches.size(), kPatchesPerTask, context, [&](size_t i, std::vector<BorderSegment>& borders) {
          addBorders(patches[i].first, *patches[i].second, borders);
        });
    for (const BorderSegment& s : trimmed) {
      if (s.partner == s.patch || s.partner == kNone) continue;
      for (const Point p : {s.a, s.b}) ends_.push_back({s.patch, s.partner, p});
    }
    std::sort(ends_.begin(), ends_.end());
    return gathered(others.size() + trimmed.size(), kBordersPerTask, context,
                    [&](size_t i, std::vector<BorderSegment>& borders) {
                      splitAtEnds(i < others.size() ? others[i] : trimmed[i - others.size()], borders);
                    });
  }

 private:
  // What add(i, list) adds to a list for each i, in their order.
  template <typename Add>
  static std::vector<BorderSegment> gathered(size_t n, size_t grain, const Context& context, const Add& add) {
    std::vector<std::vector<BorderSegment>> made((n + grain - 1) / grain);
    parallelFor(made.size(), context, [&](size_t block) {
      for (size_t i = block * grain; i < std::min(n, (block + 1) * grain); ++i) add(i, made[block]);
    });
    std::vector<BorderSegment> all;
    for (const std::vector<BorderSegment>& part : made) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  void addBorders(uint32_t patch, const std::vector<Trimmed>& parts, std::vector<BorderSegment>& borders) const {
    std::vector<BorderSegment> before;
    borders_.of(patch, before);
    std::vector<BoxTree::Extent> extents(before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      const Box box = boxOf(before[i].a, before[i].b);
      extents[i].box = {{box.min.x - beside_, box.min.y - beside_}, {box.max.x + beside_, box.max.y + beside_}};
    }
    const BoxTree tree(extents);
    for (const Trimmed& part : parts) {
      for (size_t r = 0; r < part.rings.count(); ++r) {
        const auto ring = part.rings.ring(r);
        for (size_t i = 0; i < ring.size(); ++i) {
          BorderSegment s{ring[i], ring[i + 1 == ring.size() ? 0 : i + 1], patch, patch, part.layer};
          s.partner = partnerOf(s, before, tree);
          // A strip that changed its layer leads to the rest of its patch and into that layer, not sideways back.
          if (part.layer != plan_.layer[patch] && s.partner != patch && s.partner < firstFilling_ &&
              !hasPartIn(part.layer, s.partner)) {
            s.partner = kNone;
          }
          borders.push_back(s);
        }
      }
    }
  }

  bool hasPartIn(uint32_t layer, uint32_t patch) const {
    if (plan_.layer[patch] == layer) return true;
    const auto it = parts_.find(patch);
    return it != parts_.end() &&
           std::any_of(it->second.begin(), it->second.end(), [&](const Trimmed& part) { return part.layer == layer; });
  }

  // A new side that lies on no old one is the cut, and leads to the other part of the same patch.
  uint32_t partnerOf(const BorderSegment& s, const std::vector<BorderSegment>& before, const BoxTree& tree) const {
    uint32_t first = kNone;
    tree.forEach({{s.a.x - 1, s.a.y - 1}, {s.a.x + 1, s.a.y + 1}}, [&](uint32_t i) {
      const BorderSegment& old = before[i];
      const double forward =
          (double(old.b.x) - old.a.x) * (double(s.b.x) - s.a.x) + (double(old.b.y) - old.a.y) * (double(s.b.y) - s.a.y);
      if (i < first && forward > 0 && liesOn(old.a, old.b, s.a, tol_.same) && liesOn(old.a, old.b, s.b, tol_.same)) {
        first = i;
      }
    });
    return first == kNone ? s.patch : before[first].partner;
  }

  // Where a border of a trimmed patch with a neighbour of it begins or ends.
  struct End {
    uint32_t patch, partner;
    Point p;
    auto operator<=>(const End&) const = default;
  };

  // Only at what the neighbour shares with this patch: a corner of it may lie beside the common line by chance, and the
  // neighbour's side of the line would not be cut there.
  void splitAtEnds(const BorderSegment& s, std::vector<BorderSegment>& borders) const {
    std::vector<std::pair<double, Point>> on;
    const double x = double(s.b.x) - s.a.x;
    const double y = double(s.b.y) - s.a.y;
    const Box box = boxOf(s.a, s.b);
    const End from{s.partner, s.patch, {box.min.x - beside_, std::numeric_limits<int32_t>::min()}};
    for (auto it = std::lower_bound(ends_.begin(), ends_.end(), from);
         it != ends_.end() && it->patch == s.partner && it->partner == s.patch && it->p.x <= box.max.x + beside_;
         ++it) {
      const Point p = it->p;
      if (p == s.a || p == s.b || !liesOn(s.a, s.b, p, tol_.same)) continue;
      const double along = (double(p.x) - s.a.x) * x + (double(p.y) - s.a.y) * y;
      if (along > 0 && along < x * x + y * y) on.emplace_back(along, p);
    }
    std::sort(on.begin(), on.end());
    BorderSegment rest = s;
    for (const auto& [along, p] : on) {
      if (p == rest.a) continue;
      borders.push_back({rest.a, p, s.patch, s.partner, s.layer});
      rest.a = p;
    }
    borders.push_back(rest);
  }

  const PatchBorders& borders_;
  const TrimmedParts& parts_;
  const LayerPlan& plan_;
  const Tolerances& tol_;
  uint32_t firstFilling_;
  int32_t beside_;  // more than what is the same line
  std::vector<End> ends_;
};

}  // namespace

std::vector<BorderSegment> rejoin(const PatchBorders& borders, std::span<const BorderSegment> others,
                                  const TrimmedParts& parts, const LayerPlan& plan, const Tolerances& tolerances,
                                  const Context& context) {
  return Rejoiner(borders, parts, plan, tolerances).run(others, context);
}

}  // namespace wend::exact
