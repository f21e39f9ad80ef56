#include "environment/extract/exact/layers/follow_links.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/disjoint_sets.h"
#include "environment/extract/facets/near_triangles.h"

namespace wend::exact {
namespace {

// After so many rounds all that may be linked to what was reached is cut at once: a round costs a look at every patch.
constexpr int kMostRounds = 8;

class Follower {
 public:
  Follower(const FollowRequest& request, const ExtractSettings& settings, const Tolerances& tolerances,
           const Context& context)
      : request_(request),
        soup_(request.soup),
        facets_(request.facets),
        settings_(settings),
        tol_(tolerances),
        context_(context),
        near_(request.soup, tolerances),
        state_(request.facets.list.size(), State::kWaiting) {
    whole_.threads = context.threads;
    for (size_t f = 0; f < state_.size(); ++f) {
      if (request.wanted[f] == 0) state_[f] = State::kUnwanted;
    }
  }

  Result<FollowedSpace> run() {
    std::vector<uint8_t> next = first();
    for (int round = 0; !next.empty(); ++round) {
      if (Status status = cut(next); !status.ok()) return status.error();
      next.clear();
      if (context_.cancelled() || (round == 0 && !anyWaits())) break;
      findContacts();
      if (!anyWaits()) break;
      next = nearReached(round >= kMostRounds);
    }
    countLeftOut();
    return std::move(result_);
  }

 private:
  enum class State : uint8_t { kUnwanted, kWaiting, kCut };

  bool anyWaits() const { return std::find(state_.begin(), state_.end(), State::kWaiting) != state_.end(); }

  std::vector<uint8_t> first() {
    std::vector<uint8_t> marks(state_.size(), 0);
    for (uint32_t f = 0; f < state_.size(); ++f) {
      if (state_[f] == State::kWaiting && isFirst(f)) take(f, marks);
    }
    return marks;
  }

  bool isFirst(uint32_t f) const {
    if (request_.all) return true;
    if (request_.small != nullptr) return request_.small->of[f] == kNone;
    return isAtSeed(facets_.list[f], facets_.list[f].box);
  }

  // Whether a seed point may lie on or above the part of a facet in a box.
  bool isAtSeed(const Facet& facet, const Box& box) const {
    const double climb = tol_.step + tol_.contact + 1;
    return std::any_of(settings_.seedPoints.begin(), settings_.seedPoints.end(), [&](const Vec3& seed) {
      const Result<Point> p = settings_.lattice.snap({seed.x, seed.y});
      const double z = seed.z / tol_.unit;
      return p.ok() && meet(box, {*p, *p}) && facet.low <= z + climb && facet.high >= z - tol_.height - climb;
    });
  }

  void take(uint32_t f, std::vector<uint8_t>& marks) {
    state_[f] = State::kCut;
    marks[f] = 1;
  }

  Status cut(const std::vector<uint8_t>& marks) {
    Result<FreeSpace> made = makeFreeSpace(soup_, facets_, request_.trees, marks, settings_, tol_, context_);
    if (!made.ok()) return made.error();
    if (context_.cancelled()) return Done{};
    request_.leaveOut(*made);
    FreeSpace& free = result_.free;
    free.cut += made->cut;
    free.tangled = free.tangled || made->tangled;
    free.spots.insert(free.spots.end(), std::make_move_iterator(made->spots.begin()),
                      std::make_move_iterator(made->spots.end()));
    free.patches = merged(std::move(free.patches), std::move(made->patches), edgeBefore_);
    return Done{};
  }

  // Both in the order of their facets; no facet is in both.
  static Patches merged(Patches some, Patches more, std::vector<uint32_t>& before) {
    before.clear();
    if (some.count() == 0) {
      before.assign(more.rings.points.size(), kNone);
      return more;
    }
    Patches all;
    const auto copy = [&](const Patches& from, uint32_t patch, bool known) {
      const uint32_t begin = from.firstRing[patch];
      const uint32_t end = from.firstRing[patch + 1];
      for (uint32_t r = begin; r < end; ++r) all.rings.add(from.rings.ring(r));
      for (uint32_t e = from.rings.begin[begin]; e < from.rings.begin[end]; ++e) before.push_back(known ? e : kNone);
      all.close(from.facet[patch], from.whole[patch] != 0);
    };
    for (uint32_t i = 0, j = 0; i < some.count() || j < more.count();) {
      if (j == more.count() || (i < some.count() && some.facet[i] < more.facet[j])) {
        copy(some, i++, true);
      } else {
        copy(more, j++, false);
      }
    }
    return all;
  }

  void findContacts() {
    const Patches& patches = result_.free.patches;
    result_.edges = makeEdges(facets_, patches, whole_);
    std::vector<uint8_t> known(edgeBefore_.size(), 0);
    for (size_t e = 0; e < known.size(); ++e) known[e] = edgeBefore_[e] == kNone ? 0 : isKnown_[edgeBefore_[e]];
    isKnown_ = std::move(known);
    if (result_.contacts) {
      result_.contacts =
          updateContacts(*result_.contacts, edgeBefore_, soup_, patches, result_.edges, request_.trees, tol_, whole_);
    } else {
      result_.contacts = exact::findContacts(soup_, patches, result_.edges, request_.trees, tol_, whole_);
    }
  }

  // The facets to be cut next.
  std::vector<uint8_t> nearReached(bool far) {
    joinLinked();
    if (!rest_) rest_.emplace(*request_.walkable);
    std::vector<uint8_t> marks(state_.size(), 0);
    if (request_.small != nullptr && !joinedSmall_) {
      joinedSmall_ = true;
      takeLargeTogether(marks);
    }
    // Along the borders of what was reached since.
    std::vector<uint32_t> borders;
    for (uint32_t e = 0; e < isKnown_.size(); ++e) {
      if (isKnown_[e] != 0 || isReached_[sets_.find(result_.edges.patch[e])] == 0) continue;
      isKnown_[e] = 1;
      borders.push_back(e);
    }
    std::vector<uint32_t> triangles;
    forNear(borders, [&](uint32_t f, uint32_t) {
      takeAll(f, marks, triangles);
      return true;
    });
    if (far) takeNear(triangles, marks);
    const bool any = std::find(marks.begin(), marks.end(), 1) != marks.end();
    return any ? marks : std::vector<uint8_t>();
  }

  // Components of the patches that were cut, and which of them are wanted.
  void joinLinked() {
    const Patches& patches = result_.free.patches;
    const Contacts& contacts = *result_.contacts;
    sets_ = DisjointSets(patches.count());
    for (uint32_t e = 0; e < contacts.match.size(); ++e) {
      if (contacts.match[e] != kNone) sets_.join(result_.edges.patch[e], result_.edges.patch[contacts.match[e]]);
    }
    for (const RawLink& link : contacts.list) sets_.join(result_.edges.patch[link.e], result_.edges.patch[link.g]);
    areas_.assign(patches.count(), 0);
    isReached_.assign(patches.count(), 0);
    for (uint32_t p = 0; p < patches.count(); ++p) areas_[sets_.find(p)] += patches.area(p);
    for (uint32_t p = 0; p < patches.count(); ++p) {
      const uint32_t root = sets_.find(p);
      const auto isSeed = [&] {
        return isAtSeed(facets_.list[patches.facet[p]], boxOf(patches.rings.ring(patches.firstRing[p])));
      };
      const bool is = request_.small != nullptr ? areas_[root] >= tol_.leastArea : isSeed();
      if (is) isReached_[root] = 1;
    }
  }

  // Components that are too small may be large enough together with the groups near them.
  void takeLargeTogether(std::vector<uint8_t>& marks) {
    const Patches& patches = result_.free.patches;
    const SmallGroups& small = *request_.small;
    const auto count = static_cast<uint32_t>(small.areas.size());
    std::vector<uint32_t> borders;
    for (uint32_t e = 0; e < result_.edges.patch.size(); ++e) {
      if (isReached_[sets_.find(result_.edges.patch[e])] == 0) borders.push_back(e);
    }
    DisjointSets together(count + patches.count());  // groups, and after them components by their roots
    forNear(borders, [&](uint32_t f, uint32_t e) {
      together.join(small.of[f], count + sets_.find(result_.edges.patch[e]));
      return false;
    });
    std::vector<double> sums(count + patches.count(), 0);
    for (uint32_t g = 0; g < count; ++g) sums[together.find(g)] += small.areas[g];
    for (uint32_t p = 0; p < patches.count(); ++p) {
      if (sets_.find(p) == p && isReached_[p] == 0) sums[together.find(count + p)] += areas_[p];
    }
    for (uint32_t f = 0; f < state_.size(); ++f) {
      if (state_[f] == State::kWaiting && sums[together.find(small.of[f])] >= tol_.leastArea) take(f, marks);
    }
  }

  // Calls body(facet, edge) for facets that wait and edges that they may be linked to: no two patches are linked but
  // along their borders. Where body says true the facet has been taken.
  template <typename Body>
  void forNear(std::span<const uint32_t> edges, const Body& body) {
    NearTriangles::Boxes boxes;
    for (size_t i = 0; i < edges.size();) {
      BoxTree::Extent all = boxes[0] = near_.around(segment(edges[i]));
      size_t count = 1;
      for (; count < std::min(boxes.size(), edges.size() - i); ++count) {
        const BoxTree::Extent next = near_.around(segment(edges[i + count]));
        if (!meet(all.box, next.box) || all.low > next.high || all.high < next.low) break;
        all = {joined(all.box, next.box), std::min(all.low, next.low), std::max(all.high, next.high)};
        boxes[count] = next;
      }
      rest_->take(std::span(boxes).first(count), [&](uint32_t t, uint32_t which) {
        const uint32_t f = soup_.triangles[t].facet;
        if (f == kNone || state_[f] != State::kWaiting) return true;
        for (; which != 0; which &= which - 1) {
          const uint32_t e = edges[i + static_cast<size_t>(std::countr_zero(which))];
          if (near_.isNear(segment(e), t) && body(f, e)) return true;
        }
        return false;
      });
      i += count;
    }
  }

  NearTriangles::Segment segment(uint32_t e) const {
    const uint32_t next = result_.edges.next[e];
    const std::vector<Point>& points = result_.free.patches.rings.points;
    return {points[e], points[next], result_.edges.z[e], result_.edges.z[next]};
  }

  // Takes what may be linked to some triangles, what may be linked to that, and so on.
  void takeNear(std::vector<uint32_t>& triangles, std::vector<uint8_t>& marks) {
    NearTriangles::Boxes boxes;
    std::vector<uint32_t> found;
    for (size_t i = 0; i < triangles.size();) {
      const auto around = near_.around(std::span(triangles).subspan(i), boxes);
      rest_->take(around, [&](uint32_t t, uint32_t which) {
        const uint32_t f = soup_.triangles[t].facet;
        if (f == kNone || state_[f] != State::kWaiting) return true;
        if (which == 0 || !near_.anyNear(std::span(triangles).subspan(i), which, t)) return false;
        takeAll(f, marks, found);
        return true;
      });
      i += around.size();
      triangles.insert(triangles.end(), found.begin(), found.end());
      found.clear();
    }
  }

  void takeAll(uint32_t f, std::vector<uint8_t>& marks, std::vector<uint32_t>& triangles) {
    take(f, marks);
    const auto own = facets_.trianglesOf(facets_.list[f]);
    triangles.insert(triangles.end(), own.begin(), own.end());
  }

  void countLeftOut() {
    if (request_.small == nullptr) return;
    std::vector<uint8_t> counted(request_.small->areas.size(), 0);
    for (uint32_t f = 0; f < state_.size(); ++f) {
      const uint32_t group = request_.small->of[f];
      if (state_[f] != State::kWaiting || counted[group] != 0) continue;
      counted[group] = 1;
      ++result_.leftOut.groups;
      result_.leftOut.area += request_.small->areas[group];
    }
  }

  const FollowRequest& request_;
  const Soup& soup_;
  const Facets& facets_;
  const ExtractSettings& settings_;
  const Tolerances& tol_;
  const Context& context_;
  Context whole_;
  NearTriangles near_;
  std::vector<State> state_;  // of each facet
  FollowedSpace result_;
  std::vector<uint32_t> edgeBefore_;   // of each edge: its number a round before, or kNone
  std::optional<BoxTree::Rest> rest_;  // of what was not cut
  std::vector<uint8_t> isKnown_;       // of each edge: what lies near it was taken
  bool joinedSmall_ = false;
  DisjointSets sets_;               // of patches
  std::vector<double> areas_;       // of each set, doubled
  std::vector<uint8_t> isReached_;  // of each set
};

}  // namespace

Result<FollowedSpace> followLinks(const FollowRequest& request, const ExtractSettings& settings,
                                  const Tolerances& tolerances, const Context& context) {
  return Follower(request, settings, tolerances, context).run();
}

}  // namespace wend::exact
