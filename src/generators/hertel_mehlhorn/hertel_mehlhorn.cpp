#include "generators/hertel_mehlhorn/hertel_mehlhorn.h"

#include <algorithm>
#include <array>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "generators/hertel_mehlhorn/merge.h"
#include "generators/layer_triangles.h"
#include "generators/repair_cells.h"

namespace wend::hertel_mehlhorn {
namespace {

constexpr const char* kName = "hertel-mehlhorn";
constexpr std::array<const char*, 4> kOrders{"longest", "shortest", "id", "random"};

Order orderOf(const std::string& name) {
  return static_cast<Order>(std::find(kOrders.begin(), kOrders.end(), name) - kOrders.begin());
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(order);
  hash.add(order == Order::kRandom ? seed : uint64_t{0});
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto layers = triangulateLayers(environment, context);
  if (!layers.ok()) return layers.error();

  context.report("merge cells", 0);
  std::vector<Loops> loops(layers->size());
  parallelFor(loops.size(), context, [&](size_t i) { loops[i] = mergeTriangles((*layers)[i], settings, i, context); });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Merging triangles was cancelled by the caller."};
  context.report("merge cells", 1);

  MeshBuilder builder(environment);
  size_t cells = 0;
  size_t sides = 0;
  for (const Loops& layer : loops) {
    cells += layer.begin.size() - 1;
    sides += layer.corners.size();
  }
  builder.reserve(cells, sides);
  std::vector<Point> loop;
  for (LayerId id = 0; id < loops.size(); ++id) {
    const Loops& layer = loops[id];
    for (size_t cell = 0; cell + 1 < layer.begin.size(); ++cell) {
      loop.clear();
      for (uint32_t i = layer.begin[cell]; i < layer.begin[cell + 1]; ++i) {
        loop.push_back((*layers)[id].points[layer.corners[i]]);
      }
      builder.addCell(id, std::span<const Point>(loop));
    }
  }
  return builder.build(kName, settings.hash(), MeshTraits{}, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Convex cells merged from the Delaunay triangles: exact, few cells, fast.";
  generator.info.source =
      "S. Hertel, K. Mehlhorn, Fast triangulation of simple polygons, Foundations of Computation Theory (1983) 207-218";
  generator.info.options = {{"order",
                             "Which triangle edges are tried first; longest leaves the fewest cells, random uses the "
                             "seed.",
                             kOrders[0],
                             {kOrders.begin(), kOrders.end()},
                             0,
                             0}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t seed,
                     const Context& context) {
    return generate(environment, Settings{orderOf(options.choice("order")), seed}, context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t seed,
                        const Context& context) {
    return repairCells(
        mesh, before, after, changed, {.mergeConvex = true},
        [&](const Environment& hole, const Context& c) {
          return generate(hole, Settings{orderOf(options.choice("order")), seed}, c);
        },
        context);
  };
  return generator;
}

}  // namespace wend::hertel_mehlhorn
