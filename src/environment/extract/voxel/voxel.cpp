#include "environment/extract/voxel/voxel.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "environment/extract/facets/reach.h"
#include "environment/extract/facets/record_facets.h"
#include "environment/extract/stages.h"
#include "environment/extract/steep/risers.h"
#include "environment/extract/voxel/assemble.h"
#include "environment/extract/voxel/record_pixels.h"
#include "environment/extract/voxel/separate.h"

namespace wend::voxel {
namespace {

// Pixels at the border of the lattice would leave it.
Status checkReach(const extraction::Soup& soup, const Measures& m) {
  const double most = kMaxCoordinate - 4.0 * m.pixel;
  const Box& box = soup.box;
  if (box.empty() || (box.min.x > -most && box.min.y > -most && box.max.x < most && box.max.y < most)) return Done{};
  return Error{
      ErrorCode::kOutsideLattice,
      fmt::format("the scene reaches within four pixels of the lattice's end, {:g} m; choose a coarser lattice "
                  "unit or move the scene to the origin",
                  kMaxCoordinate * m.unit)};
}

extraction::Facets makeFacets(extraction::Soup& soup, const ExtractSettings& settings, const Context& context) {
  const extraction::Tolerances tolerances(settings);
  std::optional<extraction::TriangleNeighbours> neighbours;
  extraction::FacetSeeds seeds;
  parallelFor(3, context, [&](size_t i) {
    if (i == 0) neighbours.emplace(soup, context);
    if (i == 1) seeds.floors = extraction::floorSeeds(soup);
    if (i == 2) seeds.walls = extraction::wallSeeds(soup);
  });
  seeds.alone = extraction::findAlone(soup, *neighbours, settings, tolerances, context);
  extraction::Facets facets = extraction::makeFacets(soup, *neighbours, seeds, settings, tolerances, context);
  if (settings.strict) return facets;
  // From pixel to pixel one gets across wider cracks than the exact method: the seed points leave nothing out here.
  const BoxTree walkable = extraction::walkableTree(soup, context);
  const extraction::RiserCandidates risers(soup, *neighbours, facets, walkable, tolerances, context);
  risers.add(std::vector<uint8_t>(risers.triangles().size(), 1), soup, facets, context);
  // From pixel to pixel one would climb the high part of a riser too.
  for (extraction::Facet& facet : facets.list) {
    if (facet.closedCount > 0) facet.triangleCount = 0;
  }
  return facets;
}

// --- What a stage hands to the next one -----------------------------------------------------------------------------

bool isSound(const Fragments& fragments) {
  const uint32_t n = fragments.count();
  const auto joins = [n](const auto& pair) { return pair.first < n && pair.second < n && pair.first != pair.second; };
  return fragments.high.size() == n &&
         std::all_of(fragments.links.begin(), fragments.links.end(),
                     [n](const FragmentLink& link) { return link.a < link.b && link.b < n; }) &&
         std::all_of(fragments.conflicts.begin(), fragments.conflicts.end(), joins);
}

bool isSound(const LayerPlan& plan, const Fragments& fragments) {
  return plan.layer.size() == fragments.count() &&
         std::all_of(plan.layer.begin(), plan.layer.end(), [&](uint32_t layer) { return layer < plan.count; }) &&
         std::none_of(fragments.conflicts.begin(), fragments.conflicts.end(),
                      [&](const auto& pair) { return plan.layer[pair.first] == plan.layer[pair.second]; });
}

}  // namespace

Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context,
                           extraction::Record* record) {
  const Measures measures(settings);
  Extraction result;
  ExtractReport& report = result.report;
  ExtractStages stages(report, context);

  Result<extraction::Soup> soup = extraction::makeSoup(scene, settings, stages.whole());
  if (!soup.ok()) return soup.error();
  report.degenerate = soup->degenerate;
  report.duplicate = soup->duplicate;
  if (Status status = checkReach(*soup, measures); !status.ok()) return status.error();
  if (!stages.done("weld", 0.05)) return ExtractStages::cancelled();

  const extraction::Facets facets = makeFacets(*soup, settings, stages.whole());
  for (const extraction::Facet& facet : facets.list) report.facets += facet.riser ? 0 : 1;
  if (record != nullptr) extraction::recordFacets(*soup, facets, scene.triangles.size(), *record);
  const Result<Blocks> blocks = makeBlocks(*soup, facets, measures);
  if (!blocks.ok()) return blocks.error();
  if (!stages.done("facets", 0.15)) return ExtractStages::cancelled();

  Voxels voxels = makeVoxels(*soup, facets, *blocks, measures, context);
  if (!settings.seedPoints.empty() && !context.cancelled()) {
    if (Status status = prune(voxels, *blocks, settings, measures); !status.ok()) return status.error();
  }
  report.voxels = voxels.count();
  if (!stages.done("voxels", 0.25)) return ExtractStages::cancelled();

  DepthMaps maps = drawDepthMaps(*soup, facets, *blocks, voxels, measures, context);
  report.pixels = maps.count();
  if (!stages.done("depth maps", 0.55)) return ExtractStages::cancelled();

  const auto neighbours = neighbourBlocks(*blocks);
  const Links links = makeLinks(facets, *blocks, neighbours, maps, measures, context);
  maps.walls.clear();
  maps.walls.shrink_to_fit();
  if (!stages.done("links", 0.65)) return ExtractStages::cancelled();

  const Fragments fragments = makeFragments(neighbours, maps, links, measures, context);
  WEND_ASSERT(isSound(fragments), "links and conflicts join fragments that exist");
  report.patches = fragments.count();
  if (context.cancelled()) return ExtractStages::cancelled();
  const LayerPlan plan = floodLayers(fragments, measures);
  WEND_ASSERT(isSound(plan, fragments), "each fragment has a layer, and none lies above another in its own");
  if (!stages.done("layers", 0.8)) return ExtractStages::cancelled();

  std::vector<uint32_t> layer = separate(*blocks, neighbours, maps, links, fragments, plan, measures);
  std::optional<extraction::Solids> solids;
  if (!settings.insides && !settings.twoSided && settings.seedPoints.empty()) {
    solids.emplace(*soup, extraction::Tolerances(settings), stages.whole());
  }
  const Result<Selection> selection =
      select(*blocks, maps, links, std::move(layer), settings, measures, solids ? &*solids : nullptr);
  if (!selection.ok()) return selection.error();
  if (record != nullptr) recordPixels(*blocks, maps, fragments, *selection, measures, *record);
  report.components = selection->components;
  report.droppedComponents = selection->droppedComponents;
  report.droppedArea = selection->droppedArea;
  report.insides = selection->insides;
  report.insideArea = selection->insideArea;
  report.detached = selection->detached;
  report.detachedArea = selection->detachedArea;
  if (selection->components == 0) return ExtractStages::nothing(report.insides > 0);
  if (!stages.done("selection", 0.85)) return ExtractStages::cancelled();

  const Drawing drawing{*blocks, neighbours, maps, links, *selection, measures};
  Result<Environment> environment = assemble(drawing, scene, facets, settings, report.spots, context);
  if (!environment.ok()) return environment.error();
  if (!stages.done("polygons", 1)) return ExtractStages::cancelled();
  result.environment = std::move(environment).value();
  return result;
}

}  // namespace wend::voxel
