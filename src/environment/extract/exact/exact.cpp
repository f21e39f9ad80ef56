#include "environment/extract/exact/exact.h"

#include <algorithm>
#include <optional>

#include "base/assert.h"
#include "base/parallel.h"
#include "environment/extract/exact/drawing/assemble.h"
#include "environment/extract/exact/drawing/lost_passages.h"
#include "environment/extract/exact/drawing/record_patches.h"
#include "environment/extract/exact/free_space/insides.h"
#include "environment/extract/exact/free_space/slits.h"
#include "environment/extract/exact/layers/follow_links.h"
#include "environment/extract/exact/layers/share.h"
#include "environment/extract/facets/reach.h"
#include "environment/extract/facets/record_facets.h"
#include "environment/extract/stages.h"
#include "environment/extract/steep/risers.h"

namespace wend::exact {
namespace {

// A mark for each face that a kept component may hold.
std::vector<uint8_t> worthALook(const WalkableFaces& walkable, const ExtractSettings& settings,
                                const Tolerances& tolerances, Look look, const Context& context,
                                ExtractReport& report) {
  if (look == Look::kAll) return std::vector<uint8_t>(walkable.areas.size(), 1);
  if (!settings.seedPoints.empty()) return withinReach(walkable, settings, tolerances);
  TooSmall dropped;
  std::vector<uint8_t> marks = largeEnough(walkable, tolerances.leastArea, tolerances, context, dropped);
  report.droppedComponents = dropped.groups;
  report.droppedArea = 0.5 * dropped.area * tolerances.unit * tolerances.unit;
  return marks;
}

// Adds risers to the floors. A mark for each facet that may be wanted in the end; none if the caller cancelled.
std::vector<uint8_t> chooseFacets(Soup& soup, const TriangleNeighbours& neighbours, BoxTree& walkable, bool risers,
                                  const ExtractSettings& settings, const Tolerances& tolerances, Look look,
                                  const ExtractStages& stages, Facets& facets, ExtractReport& report) {
  const Context& context = stages.whole();
  std::optional<RiserCandidates> candidates;
  if (risers) candidates.emplace(soup, neighbours, facets, walkable, tolerances, context);
  if (stages.stopped()) return {};
  const std::span<const uint32_t> steep = candidates ? candidates->triangles() : std::span<const uint32_t>();
  std::vector<double> areas = WalkableFaces::mostAreas(soup, facets, steep, context);
  WalkableFaces faces{soup, facets, neighbours, walkable, steep, std::move(areas)};
  faces.leaveOutCovered(tolerances);
  if (stages.stopped()) return {};
  std::vector<uint8_t> wanted = worthALook(faces, settings, tolerances, look, context, report);
  if (stages.stopped()) return {};
  if (candidates) {
    const size_t floors = facets.list.size();
    const std::vector<uint8_t> added = candidates->add(std::span(wanted).subspan(floors), soup, facets, context);
    wanted.resize(floors);
    wanted.insert(wanted.end(), added.begin(), added.end());
  }
  if (look == Look::kAll) wanted.assign(facets.list.size(), 1);
  return wanted;
}

// Links are followed in rounds if at least this share of the facets may be spared.
constexpr double kLeastShare = 0.25;

// Facets that belong to a component that is large enough only if a larger one joins them. Nothing if there are few.
std::optional<SmallGroups> findSmallGroups(const Soup& soup, const Facets& facets, const TriangleNeighbours& neighbours,
                                           BoxTree& walkable, const std::vector<uint8_t>& wanted,
                                           const ExtractSettings& settings, const Tolerances& tolerances, Look look,
                                           const Context& context) {
  if (look == Look::kAll || !settings.seedPoints.empty()) return std::nullopt;
  std::vector<double> areas = WalkableFaces::mostAreas(soup, facets, {}, context);
  for (size_t f = 0; f < areas.size(); ++f) {
    if (wanted[f] == 0) areas[f] = 0;
  }
  const WalkableFaces faces{soup, facets, neighbours, walkable, {}, std::move(areas)};
  SmallGroups groups = extraction::smallGroups(faces, tolerances.leastArea, tolerances, context);
  const auto small = std::count_if(groups.of.begin(), groups.of.end(), [](uint32_t group) { return group != kNone; });
  const auto all = std::count(wanted.begin(), wanted.end(), 1);
  if (static_cast<double>(small) < kLeastShare * static_cast<double>(all)) return std::nullopt;
  return groups;
}

// Takes out what lies inside solids.
void leaveOutInsides(const Soup& soup, const Solids& solids, const Facets& facets, const Tolerances& tolerances,
                     const Context& context, FreeSpace& free, ExtractReport& report, extraction::Record* record) {
  const std::vector<uint8_t> inside = findInsides(solids, facets, free.patches, tolerances, context);
  for (uint32_t p = 0; p < inside.size(); ++p) {
    if (inside[p] == 0) continue;
    ++report.insides;
    report.insideArea += 0.5 * free.patches.area(p) * tolerances.unit * tolerances.unit;
  }
  if (inside.empty()) return;
  if (record != nullptr) {
    const auto fate = [&](uint32_t p) {
      return inside[p] != 0 ? std::optional(extraction::Fate::kInside) : std::nullopt;
    };
    recordPatches(soup, facets, free.patches, tolerances.unit, fate, context, *record);
  }
  removePatches(free.patches, inside, context);
}

// --- What a stage hands to the next one -----------------------------------------------------------------------------

bool isSound(const Soup& soup) {
  return std::all_of(soup.triangles.begin(), soup.triangles.end(), [&](const Triangle& t) {
    const auto [a, b, c] = t.v;
    const size_t n = soup.points.size();
    return a < n && b < n && c < n && a != b && b != c && c != a && t.low <= t.high;
  });
}

bool isSound(const Facets& facets, const Soup& soup) {
  return std::all_of(facets.list.begin(), facets.list.end(), [&](const Facet& f) {
    if (size_t{f.firstTriangle} + f.triangleCount > facets.triangles.size()) return false;
    const auto ids = facets.trianglesOf(f);
    return std::all_of(ids.begin(), ids.end(), [&](uint32_t id) { return id < soup.triangles.size(); });
  });
}

bool isSound(const Patches& patches, const Facets& facets) {
  const size_t n = patches.count();
  if (patches.firstRing.size() != n + 1 || patches.whole.size() != n) return false;
  for (uint32_t i = 0; i < n; ++i) {
    if (patches.facet[i] >= facets.list.size()) return false;
    if (patches.firstRing[i] >= patches.firstRing[i + 1] || !(patches.area(i) > 0)) return false;
  }
  return patches.firstRing[n] == patches.rings.count();
}

bool isSound(const Links& links, const Edges& edges) {
  for (uint32_t e = 0; e < links.match.size(); ++e) {
    const uint32_t other = links.match[e];
    if (other != kNone && (other >= links.match.size() || links.match[other] != e)) return false;
  }
  return links.match.size() == edges.next.size() &&
         std::all_of(links.list.begin(), links.list.end(),
                     [&](const Link& link) { return link.e < edges.patch.size() && link.g < edges.patch.size(); });
}

bool isSound(const LayerPlan& plan, const Selection& selection) {
  if (plan.layer.size() != selection.component.size()) return false;
  for (size_t i = 0; i < plan.layer.size(); ++i) {
    if ((plan.layer[i] == kNone) != (selection.component[i] == kNone)) return false;
    if (plan.layer[i] != kNone && plan.layer[i] >= plan.count) return false;
  }
  return true;
}

}  // namespace

Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context, Look look,
                           extraction::Record* record) {
  const Tolerances tolerances(settings);
  Extraction result;
  ExtractReport& report = result.report;
  ExtractStages stages(report, context);
  const Context& whole = stages.whole();

  Result<Soup> soup = makeSoup(scene, settings, whole);
  if (!soup.ok()) return soup.error();
  WEND_ASSERT(isSound(*soup), "each triangle has three different corners that exist");
  report.degenerate = soup->degenerate;
  report.duplicate = soup->duplicate;
  if (!stages.done("weld", 0.1)) return ExtractStages::cancelled();

  TriangleTrees trees;
  std::optional<TriangleNeighbours> neighbours;
  const bool risers = !settings.strict && std::any_of(soup->triangles.begin(), soup->triangles.end(), isSteep);
  BoxTree walkable;
  FacetSeeds seeds;
  parallelFor(2, whole, [&](size_t i) {
    if (i == 0) {
      neighbours.emplace(*soup, whole);
      seeds.alone = findAlone(*soup, *neighbours, settings, tolerances, whole);
    } else {
      seeds.walls = wallSeeds(*soup);
      seeds.floors = floorSeeds(*soup);
    }
  });
  if (stages.stopped()) return ExtractStages::cancelled();
  // Facets grow on one thread and are finished by all, trees are made meanwhile.
  Facets facets;
  parallelFor(3, whole, [&](size_t i) {
    if (stages.stopped()) return;
    if (i == 0) facets = makeFacets(*soup, *neighbours, seeds, settings, tolerances, whole);
    if (i == 1 && (risers || !settings.seedPoints.empty())) walkable = walkableTree(*soup, whole);
    if (i == 2) trees = treesOf(*soup, whole);
  });
  report.facets = static_cast<uint32_t>(facets.list.size());
  if (stages.stopped()) return ExtractStages::cancelled();
  std::vector<uint8_t> wanted;
  std::optional<SmallGroups> small;
  std::optional<Solids> solids;  // know nothing of facets
  parallelFor(2, whole, [&](size_t i) {
    if (i == 0) {
      wanted = chooseFacets(*soup, *neighbours, walkable, risers, settings, tolerances, look, stages, facets, report);
      if (stages.stopped()) return;
      small = findSmallGroups(*soup, facets, *neighbours, walkable, wanted, settings, tolerances, look, whole);
    } else if (!settings.insides && !settings.twoSided && settings.seedPoints.empty()) {
      // With seed points what lies inside is kept if somebody asks for it.
      solids.emplace(*soup, tolerances, whole);
    }
  });
  if (stages.stopped()) return ExtractStages::cancelled();
  WEND_ASSERT(isSound(facets, *soup), "facets are made of triangles that exist");
  WEND_ASSERT(wanted.size() == facets.list.size(), "each facet has a mark");
  neighbours.reset();
  if (record != nullptr) recordFacets(*soup, facets, scene.triangles.size(), *record);
  if (!stages.done("facets", 0.2)) return ExtractStages::cancelled();

  const auto leaveOut = [&](FreeSpace& some) {
    WEND_ASSERT(isSound(some.patches, facets), "each patch has area and belongs to a facet");
    if (solids) leaveOutInsides(*soup, *solids, facets, tolerances, whole, some, report, record);
  };
  // The longest stage; it stops between facets.
  const bool atSeeds = look != Look::kAll && !settings.seedPoints.empty();
  const FollowRequest request{*soup,     facets,  trees, wanted, !atSeeds && !small, small ? &*small : nullptr,
                              &walkable, leaveOut};
  Result<FollowedSpace> followed = followLinks(request, settings, tolerances, context);
  if (stages.stopped()) return ExtractStages::cancelled();
  if (!followed.ok()) return followed.error();
  FreeSpace& free = followed->free;
  report.droppedComponents += followed->leftOut.groups;
  report.droppedArea += 0.5 * followed->leftOut.area * tolerances.unit * tolerances.unit;
  report.cutFacets = free.cut;
  report.patches = free.patches.count();
  report.spots = std::move(free.spots);
  if (!stages.done("free space", 0.6)) return ExtractStages::cancelled();

  Edges edges = std::move(followed->edges);
  if (!followed->contacts) edges = makeEdges(facets, free.patches, whole);
  if (stages.stopped()) return ExtractStages::cancelled();
  Contacts contacts = followed->contacts ? std::move(*followed->contacts)
                                         : findContacts(*soup, free.patches, edges, trees, tolerances, whole);
  std::vector<uint32_t> edgeBefore;
  if (!stages.stopped() &&
      closeSlits(contacts.slits, *soup, facets, trees, wanted, tolerances, whole, free.patches, edgeBefore)) {
    edges = makeEdges(facets, free.patches, whole);
    contacts = updateContacts(contacts, edgeBefore, *soup, free.patches, edges, trees, tolerances, whole);
  }
  const Links links = makeLinks(std::move(contacts), free.patches, edges, tolerances);
  WEND_ASSERT(isSound(links, edges), "matches of edges are mutual, and links join edges that exist");
  if (!stages.done("links", 0.75)) return ExtractStages::cancelled();

  const Result<Selection> selection = select(facets, free.patches, edges, links, settings, tolerances, whole);
  if (record != nullptr) {
    const auto fate = [&](uint32_t p) {
      const bool kept = selection.ok() && selection->component[p] != kNone;
      return std::optional(kept ? extraction::Fate::kKept : extraction::Fate::kLeftOut);
    };
    recordPatches(*soup, facets, free.patches, tolerances.unit, fate, whole, *record);
  }
  if (!selection.ok()) return selection.error();
  report.components = selection->components;
  report.droppedComponents += selection->droppedComponents;
  report.droppedArea += selection->droppedArea;
  report.detached = selection->detached;
  report.detachedArea = selection->detachedArea;
  if (selection->components == 0) {
    return free.tangled ? ExtractStages::tooTangled() : ExtractStages::nothing(report.insides > 0);
  }
  if (stages.stopped()) return ExtractStages::cancelled();
  const PatchTriangles patchTriangles = triangulatePatches(*soup, facets, free.patches, *selection, whole);
  if (stages.stopped()) return ExtractStages::cancelled();
  const Result<Conflicts> conflicts =
      findConflicts(*soup, facets, free.patches, patchTriangles, *selection, tolerances, whole);
  if (!conflicts.ok()) return conflicts.error();
  if (stages.stopped()) return ExtractStages::cancelled();
  LayerPlan plan;
  PatchHeights heights;
  parallelFor(2, whole, [&](size_t i) {
    if (i == 0) {
      plan = floodLayers(facets, free.patches, edges, links, *selection, patchTriangles, *conflicts, tolerances);
      if (stages.stopped()) return;
      shareLayers(facets, free.patches, edges, links, *selection, patchTriangles, tolerances, plan);
    } else {
      heights = heightsOf(facets, free.patches, patchTriangles, tolerances, whole);
    }
  });
  WEND_ASSERT(stages.stopped() || isSound(plan, *selection), "the wanted patches, and no others, have a layer");
  if (!stages.done("layers", 0.85)) return ExtractStages::cancelled();

  const PatchBorders borders(facets, free.patches, edges, links, *selection, plan, tolerances);
  if (stages.stopped()) return ExtractStages::cancelled();
  const Separation separation = separate(facets, free.patches, borders, plan, tolerances, whole);
  if (stages.stopped()) return ExtractStages::cancelled();
  const Assembly assembly{scene, *soup, facets, free.patches, patchTriangles, heights, borders, plan, separation};
  Result<Environment> environment = assemble(assembly, settings, tolerances, report.spots, whole);
  if (!environment.ok()) return environment.error();
  if (stages.stopped()) return ExtractStages::cancelled();
  const uint32_t drawn = topology(*environment).components;
  if (drawn > report.components) {
    const auto lost =
        findLostPassages(*environment, *soup, facets, free.patches, edges, links, *selection, patchTriangles);
    report.spots.insert(report.spots.end(), lost.begin(), lost.end());
  } else {
    // Slivers that nothing joins.
    report.droppedComponents += report.components - drawn;
    report.components = drawn;
  }
  if (!stages.done("polygons", 1)) return ExtractStages::cancelled();
  result.environment = std::move(environment).value();
  if (result.environment.layers.empty()) {
    return Error{ErrorCode::kEmpty, "nothing walkable is left but slivers; check the unit of the scene"};
  }
  return result;
}

}  // namespace wend::exact
