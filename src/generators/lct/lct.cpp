#include "generators/lct/lct.h"

#include <array>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "generators/lct/refine.h"

namespace wend::lct {
namespace {

constexpr const char* kName = "lct";
constexpr const char* kStage = "refine clearance";

void addCells(MeshBuilder& builder, const TriangleNet& net) {
  for (uint32_t t = 0; t < net.triangles().size(); ++t) {
    const NetTriangle& triangle = net.triangle(t);
    std::array<Vec2, 3> loop;
    std::array<uint8_t, 3> walls;
    for (uint32_t i = 0; i < 3; ++i) {
      loop[i] = net.point(triangle.v[i]);
      walls[i] = triangle.n[before(i)] == kNone ? 1 : 0;
    }
    builder.addCell(net.layerOf(t), std::span<const Vec2>(loop), walls);
  }
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(refine);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto layers = triangulateLayers(environment, context);
  if (!layers.ok()) return layers.error();
  TriangleNet net(*layers, environment.connections);
  context.report(kStage, 0);
  Refinement done;
  if (settings.refine) done = refine(net, context);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Refining triangles was cancelled by the caller."};
  context.report(kStage, 1);

  MeshBuilder builder(environment);
  addCells(builder, net);
  if (done.splits > 0) context.note(fmt::format("{} points were put on walls to make clearances local.", done.splits));
  if (done.unrefined > 0) {
    context.note(
        fmt::format("{} left, too near the end of a wall to split it; a finer lattice may help.",
                    done.unrefined == 1 ? "1 disturbance was" : fmt::format("{} disturbances were", done.unrefined)));
  }
  return builder.build(kName, settings.hash(), MeshTraits{}, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Delaunay triangles refined until one number per corner tells whether a disk can pass.";
  generator.info.source = "M. Kallmann, Dynamic and robust local clearance triangulations, ACM TOG 33 (2014) 161";
  generator.info.options = {
      {"refine",
       "Whether walls are split where clearance would be wrong; off leaves the Delaunay triangles.",
       "on",
       {"on", "off"},
       0,
       0}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.choice("refine") == "on"}, context);
  };
  return generator;
}

}  // namespace wend::lct
