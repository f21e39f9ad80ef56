#include "generators/neogen/neogen.h"

#include <algorithm>
#include <array>
#include <utility>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "generators/connection_edges.h"
#include "generators/layer_triangles.h"
#include "generators/neogen/alternating_paths.h"
#include "generators/neogen/notches.h"
#include "generators/neogen/optimise.h"
#include "generators/neogen/relaxed_convexity.h"
#include "generators/neogen/slivers.h"
#include "generators/repair_cells.h"
#include "geometry/predicates.h"

namespace wend::neogen {
namespace {

constexpr const char* kName = "neogen";
constexpr std::array<const char*, 2> kSwitch{"on", "off"};
constexpr const char* kStage = "cut notches";
constexpr double kWeld = 0x1.0p-23;  // lattice units, less than any two different coordinates are apart

// One component of a layer's free space.
struct Component {
  LayerId layer;
  std::vector<uint32_t> triangles;
  Subdivision::Loops loops;
};

// Triangles joined across sides; place[t] is the index of t in its component.
std::vector<Component> componentsOf(const std::vector<FreeTriangulation>& layers,
                                    std::vector<std::vector<uint32_t>>& places) {
  std::vector<Component> components;
  places.resize(layers.size());
  for (LayerId layer = 0; layer < layers.size(); ++layer) {
    const auto& triangles = layers[layer].triangles;
    std::vector<uint32_t>& place = places[layer];
    place.assign(triangles.size(), kNone);
    for (uint32_t first = 0; first < triangles.size(); ++first) {
      if (place[first] != kNone) continue;
      Component component;
      component.layer = layer;
      component.triangles.push_back(first);
      place[first] = 0;
      for (size_t k = 0; k < component.triangles.size(); ++k) {
        const Triangulation::Triangle& t = triangles[component.triangles[k]];
        for (int i = 0; i < 3; ++i) {
          const uint32_t other = t.n[static_cast<size_t>(i)];
          if (other == kNone || t.isFixed(i) || place[other] != kNone) continue;
          place[other] = static_cast<uint32_t>(component.triangles.size());
          component.triangles.push_back(other);
        }
      }
      components.push_back(std::move(component));
    }
  }
  return components;
}

void removePortals(Subdivision& subdivision, bool relaxed) {
  if (relaxed) {
    mergeSimply(subdivision);
  } else {
    removeUnneeded(subdivision);
  }
}

Subdivision cutNotches(const Subdivision& empty, bool relaxed, const Context& context) {
  Subdivision cut = empty;
  connectNotchPairs(cut, context);
  connectNotches(cut, context);
  if (relaxed) cutCellsThatAreNotSimple(cut);
  removePortals(cut, relaxed);
  return cut;
}

Subdivision mergeTriangles(const Subdivision& empty, bool relaxed) {
  Subdivision merged = empty;
  merged.markAll();
  removePortals(merged, relaxed);
  return merged;
}

// The cells of NEOGEN, or, with `optimise`, the better of these and of merged triangles, improved.
Subdivision cells(const Subdivision& empty, const Settings& settings, bool relaxed, const Context& context) {
  Subdivision best = cutNotches(empty, relaxed, context);
  if (!settings.optimise) return best;
  Subdivision merged = mergeTriangles(empty, relaxed);
  if (merged.portalCount() < best.portalCount()) best = std::move(merged);
  exchangePortals(best, relaxed, context);
  savePortals(best, relaxed, context);
  widenSlivers(best, relaxed, context);
  removePortals(best, relaxed);
  return best;
}

// With the notches of this choice. Those that stand out of the convex hull of their cell by more than tau are kept and
// the cells made again: which cells there are, and so how far a notch stands out, is only known afterwards.
Subdivision relaxedCells(const Subdivision& empty, NotchChoice choice, const Settings& settings, double tau,
                         const Context& context) {
  for (;;) {
    Subdivision chosen = empty;
    const bool ignores = ignoreNotches(chosen, choice);
    Subdivision made = cells(chosen, settings, ignores || settings.alpha > 0, context);
    if (!ignores || settings.tau <= 0 || context.cancelled()) return made;
    const std::vector<Dent> dents = deepDents(made, tau);
    if (dents.empty()) return made;
    for (const Dent& dent : dents) {
      const auto it = std::lower_bound(choice.ignored.begin(), choice.ignored.end(), dent.notch);
      if (it == choice.ignored.end() || *it != dent.notch) continue;
      choice.ignored.erase(it);
      if (!dent.withinAlpha) continue;
      choice.strict.insert(std::lower_bound(choice.strict.begin(), choice.strict.end(), dent.notch), dent.notch);
    }
  }
}

bool isConvex(const Subdivision::Loops& loops) {
  for (size_t cell = 0; cell < loops.count(); ++cell) {
    const auto loop = std::span(loops.points).subspan(loops.begin[cell], loops.begin[cell + 1] - loops.begin[cell]);
    for (size_t i = 0; i < loop.size(); ++i) {
      if (orient(loop[i], loop[(i + 1) % loop.size()], loop[(i + 2) % loop.size()]) < 0) return false;
    }
  }
  return true;
}

Settings settingsOf(const OptionValues& options) {
  return {options.number("alpha"), options.number("tau"), options.choice("optimise") == kSwitch[0]};
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(alpha);
  hash.add(tau);
  hash.add(optimise);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto layers = triangulateLayers(environment, context);
  if (!layers.ok()) return layers.error();

  context.report(kStage, 0);
  std::vector<std::vector<uint32_t>> places;
  std::vector<Component> components = componentsOf(*layers, places);
  std::vector<NotchChoice> choices(layers->size());
  if (settings.alpha > 0 || settings.tau > 0) {
    parallelFor(choices.size(), context,
                [&](size_t i) { choices[i] = chooseNotches(environment.layers[i], environment.lattice, settings); });
  }
  const std::vector<std::vector<RingEdge>> open = connectionEdges(environment);
  const bool relaxed = settings.alpha > 0 || settings.tau > 0;
  parallelFor(components.size(), context, [&](size_t i) {
    Component& component = components[i];
    Subdivision empty((*layers)[component.layer], component.triangles, places[component.layer]);
    empty.openWalls(open[component.layer]);
    empty.setAlpha(settings.alpha);
    const Subdivision made = relaxed ? relaxedCells(empty, choices[component.layer], settings,
                                                    settings.tau / environment.lattice.unit, context)
                                     : cells(empty, settings, false, context);
    component.loops = made.loops();
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Cutting notches was cancelled by the caller."};
  context.report(kStage, 1);

  // Points on walls are exact, and each is the same number in every cell.
  MeshBuilder builder(environment, kWeld);
  size_t count = 0;
  size_t sides = 0;
  for (const Component& component : components) {
    count += component.loops.count();
    sides += component.loops.points.size();
  }
  builder.reserve(count, sides);
  for (const Component& component : components) {
    for (size_t cell = 0; cell < component.loops.count(); ++cell) {
      const uint32_t begin = component.loops.begin[cell];
      builder.addCell(component.layer,
                      std::span(component.loops.points).subspan(begin, component.loops.begin[cell + 1] - begin));
    }
  }
  MeshTraits traits;
  traits.convex = std::all_of(components.begin(), components.end(),
                              [](const Component& component) { return isConvex(component.loops); });
  return builder.build(kName, settings.hash(), traits, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Few convex cells: one portal per notch, or per two notches where it can resolve both.";
  generator.info.source =
      "R. Oliva, N. Pelechano, NEOGEN: near optimal generator of navigation meshes for 3D multi-layered environments, "
      "Computers & Graphics 37 (2013) 403-412";
  generator.info.options = {
      {"alpha",
       "Degrees. Corners of cells may have up to 180 + alpha; 0.1 cures the rounding of turned plans. Above 0, cells "
       "are not exactly convex.",
       "0",
       {},
       0,
       90},
      {"tau",
       "Metres. Notches may stand out of the convex hull of their cell by this; above 0, cells are not convex there.",
       "0",
       {},
       0,
       1e6},
      {"optimise",
       "Search for fewer cells around each portal that only one notch needs.",
       kSwitch[0],
       {kSwitch.begin(), kSwitch.end()},
       0,
       0}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, settingsOf(options), context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t, const Context& context) {
    // Cells around the change are convex, whatever is allowed elsewhere: notches of the hole's outline are not those of
    // the world.
    Settings settings = settingsOf(options);
    settings.alpha = 0;
    settings.tau = 0;
    return repairCells(
        mesh, before, after, changed, {.mergeConvex = mesh.info().traits.convex},
        [&](const Environment& hole, const Context& c) { return generate(hole, settings, c); }, context);
  };
  return generator;
}

}  // namespace wend::neogen
