#include "environment/edit/next_environment.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "environment/edit/boundary_change.h"

namespace wend {
namespace {

using Clusters = std::vector<std::shared_ptr<const CutCluster>>;

const Ring& ringOf(const LiveBase& base, uint32_t ring) {
  const Boundary::Ring& r = base.boundary().rings()[ring];
  const Polygon& polygon = base.environment().layers[r.layer].free[r.place];
  return r.hole == 0 ? polygon.outer : polygon.holes[r.hole - 1];
}

// Which holes an edit takes and gives, if that is all it does.
class HoleFinder {
 public:
  HoleFinder(const LiveBase& base, const CutClusters& before, const CutClusters& after)
      : base_(base),
        before_(before),
        after_(after),
        gone_(clustersOnlyIn(before, after)),
        made_(clustersOnlyIn(after, before)) {}

  std::optional<HoleStep> find(const Environment& environment) {
    for (const Clusters* clusters : {&gone_, &made_}) {
      for (const auto& cluster : *clusters) {
        for (const CutGroup& group : cluster->groups) {
          if (!hasHolesOnly(group) || isConnected(group)) return std::nullopt;
          changes_[group.polygons.front()];
        }
      }
    }
    // Nothing else divides these polygons either.
    for (const CutClusters* clusters : {&before_, &after_}) {
      for (const auto& cluster : clusters->all) {
        for (const CutGroup& group : cluster->groups) {
          if (isConcerned(group) && !hasHolesOnly(group)) return std::nullopt;
        }
      }
    }
    collect();
    HoleStep step;
    step.isKnown = true;
    for (auto& [polygon, change] : changes_) {
      if (!place(polygon, environment, change)) return std::nullopt;
      step.changes.push_back(std::move(change));
    }
    return step;
  }

 private:
  bool hasHolesOnly(const CutGroup& group) const {
    if (!group.outers.empty() || group.polygons.size() != 1) return false;
    return std::none_of(group.rings.begin(), group.rings.end(),
                        [&](uint32_t ring) { return base_.boundary().rings()[ring].hole == 0; });
  }
  // Whether a connection lies on a ring that is cut.
  bool isConnected(const CutGroup& group) const {
    return std::any_of(group.rings.begin(), group.rings.end(), [&](uint32_t ring) { return base_.isConnected(ring); });
  }
  bool isConcerned(const CutGroup& group) const {
    return std::any_of(group.polygons.begin(), group.polygons.end(),
                       [&](uint32_t polygon) { return changes_.contains(polygon); });
  }

  void collect() {
    std::map<uint32_t, int> cut;  // per ring of the base: how much more often it is cut now
    for (const auto& cluster : gone_) {
      for (const CutGroup& group : cluster->groups) {
        for (const uint32_t ring : group.rings) --cut[ring];
        std::vector<Ring>& gone = changes_[group.polygons.front()].gone;
        gone.insert(gone.end(), group.holes.begin(), group.holes.end());
      }
    }
    for (const auto& cluster : made_) {
      for (const CutGroup& group : cluster->groups) {
        for (const uint32_t ring : group.rings) ++cut[ring];
        std::vector<Ring>& added = changes_[group.polygons.front()].added;
        added.insert(added.end(), group.holes.begin(), group.holes.end());
      }
    }
    for (const auto& [ring, more] : cut) {
      HoleStep::Change& change = changes_[base_.boundary().rings()[ring].polygon];
      if (more > 0) change.gone.push_back(ringOf(base_, ring));
      if (more < 0) change.added.push_back(ringOf(base_, ring));
    }
  }

  bool place(uint32_t polygon, const Environment& environment, HoleStep::Change& change) const {
    const Boundary::Ring& outer = base_.boundary().rings()[base_.firstRing(polygon)];
    const Ring& ring = ringOf(base_, base_.firstRing(polygon));
    const std::vector<Polygon>& free = environment.layers[outer.layer].free;
    const auto found =
        std::lower_bound(free.begin(), free.end(), ring, [](const Polygon& p, const Ring& r) { return p.outer < r; });
    if (found == free.end() || found->outer != ring) return false;
    change.layer = outer.layer;
    change.polygon = static_cast<uint32_t>(found - free.begin());
    return true;
  }

  const LiveBase& base_;
  const CutClusters& before_;
  const CutClusters& after_;
  Clusters gone_;
  Clusters made_;
  std::map<uint32_t, HoleStep::Change> changes_;  // by polygon of the base
};

bool takeHoles(std::vector<Ring>& holes, const std::vector<Ring>& gone) {
  for (const Ring& ring : gone) {
    const auto found = std::lower_bound(holes.begin(), holes.end(), ring);
    if (found == holes.end() || *found != ring) return false;
    holes.erase(found);
  }
  return true;
}

bool carryOut(Environment& environment, const HoleStep& step, bool forward) {
  if (!step.isKnown) return false;
  for (const HoleStep::Change& change : step.changes) {
    std::vector<Ring>& holes = environment.layers[change.layer].free[change.polygon].holes;
    if (!takeHoles(holes, forward ? change.gone : change.added)) return false;
    for (const Ring& ring : forward ? change.added : change.gone) {
      holes.insert(std::lower_bound(holes.begin(), holes.end(), ring), ring);
    }
  }
  return true;
}

std::shared_ptr<const Environment> publish(EnvironmentVersions& versions, std::unique_ptr<LiveEnvironment> live,
                                           HoleStep step) {
  const std::shared_ptr<const LiveEnvironment> published = versions.publish(std::move(live), std::move(step));
  return {published, &published->environment};
}

}  // namespace

bool LiveEnvironment::follow(const LiveEnvironment& current, const HoleStep& step, bool forward) {
  environment.truth = current.environment.truth;
  return carryOut(environment, step, forward);
}

Result<NextEnvironment> nextEnvironment(const LiveBase& base, const std::shared_ptr<const Environment>& before,
                                        const CutClusters& clusters, bool isKnown,
                                        std::span<const SharedFootprint> footprints, const Context& context) {
  EnvironmentVersions::Known known = EnvironmentVersions::find(before);
  if (known.versions == nullptr) known.versions = EnvironmentVersions::make();
  NextEnvironment next;
  Result<CutClusters> cut = tryCutClusters(base, footprints, clusters, context);
  if (!cut.ok()) return cut.error();
  std::optional<HoleStep> step;
  if (isKnown) step = HoleFinder(base, clusters, *cut).find(*before);
  if (step) {
    std::unique_ptr<LiveEnvironment> live;
    if (known.value != nullptr) {
      live = known.versions->draft(*known.value);
    } else {
      live = std::make_unique<LiveEnvironment>();
      live->environment = *before;
      live->state = EnvironmentVersions::nextState();
    }
    if (carryOut(live->environment, *step, true)) {
      // What is known of the base is true where it is whole.
      live->environment.truth.reset();
      if (footprints.empty()) live->environment.truth = base.environment().truth;
      next.environment = publish(*known.versions, std::move(live), *std::move(step));
      next.hasHolesOnly = true;
      next.clusters = *std::move(cut);
      return next;
    }
  }
  Result<EditedEnvironment> edited = applyFootprints(base, footprints, *cut, context);
  if (!edited.ok()) return edited.error();
  auto live = std::make_unique<LiveEnvironment>();
  live->environment = std::move(edited->environment);
  live->state = EnvironmentVersions::nextState();
  next.environment = publish(*known.versions, std::move(live), {});
  next.cut = std::move(edited->cut);
  next.clusters = std::move(edited->clusters);
  return next;
}

}  // namespace wend
