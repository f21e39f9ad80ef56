#pragma once

#include <array>

#include <wend/make.h>

#include "base/random.h"
#include "generators/neogen/relaxed_convexity.h"
#include "tests/generators/laws.h"

// What the fast and the slow tests of NEOGEN share.
namespace wend {

using Options = std::vector<std::pair<std::string, std::string>>;

inline NavMesh neogenMesh(const Environment& environment, const Options& options = {}, int threads = 0) {
  GenerateSettings settings;
  settings.generator = "neogen";
  settings.options = options;
  Context context;
  context.threads = threads;
  auto mesh = generate(environment, settings, context);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

inline Environment made(const std::string& kind, uint64_t seed = 1,
                        std::vector<std::pair<std::string, double>> parameters = {}) {
  auto world = makeEnvironment({kind, std::move(parameters), seed, {}});
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return world.ok() ? *world : Environment();
}

inline int64_t notches(const Environment& environment) {
  int64_t count = 0;
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) count += notches(polygon);
  }
  return count;
}

inline size_t keptNotches(const Environment& environment, double alpha, double tau) {
  size_t kept = 0;
  for (const Layer& layer : environment.layers) {
    kept += neogen::chooseNotches(layer, environment.lattice, {.alpha = alpha, .tau = tau}).kept;
  }
  return kept;
}

// Our counterparts of the maps of the study.
inline constexpr std::array<const char*, 13> kStudy{"circle1",   "circle2",     "circle3",     "funny",    "box100",
                                                    "guitar",    "debug",       "bird",        "superior", "crazybox1",
                                                    "crazybox2", "nazca-heron", "nazca-monkey"};

// A polygon with holes of 12 to 150 vertices from the family `random`.
inline Environment randomPolygon(uint64_t seed) {
  Random random(seed, 77);
  const auto holes = random.between(0, 4);
  const auto vertices = random.between(12 + 8 * holes, 150);
  return made("random", seed, {{"vertices", static_cast<double>(vertices)}, {"holes", static_cast<double>(holes)}});
}

// Every law that holds for exact cells.
inline void expectNeogenLaws(const NavMesh& mesh, const Environment& environment) {
  int64_t lower = 0;
  int64_t upper = 0;
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) {
      lower += lowerBound(polygon);
      upper += upperBound(polygon);
    }
  }
  EXPECT_GE(static_cast<int64_t>(mesh.cellCount()), lower);
  EXPECT_LE(static_cast<int64_t>(mesh.cellCount()), upper);
  EXPECT_TRUE(mesh.info().traits.convex);
  expectConvex(mesh);
  expectPortalLaw(mesh, environment);
  expectTruth(mesh, environment);
}

// Neither more cells nor more slivers.
inline void expectNotWorse(const NavMesh& mesh, const NavMesh& other) {
  EXPECT_LE(mesh.cellCount(), other.cellCount());
  EXPECT_LE(countSlivers(mesh), countSlivers(other));
}

}  // namespace wend
