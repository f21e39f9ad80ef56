#include <functional>

#include <wend/corridor_map.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "tests/generators/layered_worlds.h"
#include "tests/generators/random_worlds.h"

// The validator of medial axes: right ones pass, and each kind of damage is found.
namespace wend {
namespace {

Environment made(const char* kind) {
  const auto world = makeEnvironment({.kind = kind});
  EXPECT_TRUE(world.ok());
  return *world;
}

TEST(CheckAxis, RightOnesPass) {
  for (const char* kind : {"rectangle", "military", "maze", "station", "towers", "ramps"}) {
    const auto world = makeEnvironment({.kind = kind});
    if (!world.ok()) continue;
    const auto mesh = generate(*world, {.generator = "ecm"});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    for (const MeshFault& fault : checkMedialAxis(*mesh, *world, 3)) ADD_FAILURE() << kind << ": " << fault.message;
  }
}

TEST(CheckAxis, RandomOnesPass) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, 89);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(1, 9));
    settings.rows = static_cast<int32_t>(random.between(1, 9));
    settings.jitter = random.chance(0.5) ? 20 : 0;
    settings.layers = random.chance(0.3) ? 1 : static_cast<uint32_t>(random.between(1, std::min(3, settings.columns)));
    const Environment world = SquaresWorld(random, settings).environment();
    const auto mesh = generate(world, {.generator = "ecm"});
    if (!mesh.ok()) continue;
    for (const MeshFault& fault : checkMedialAxis(*mesh, world, 1)) ADD_FAILURE() << seed << ": " << fault.message;
  }
}

TEST(CheckAxis, AMeshWithoutOneHasNoFault) {
  const Environment world = made("military");
  EXPECT_TRUE(checkMedialAxis(*generate(world, {.generator = "neogen"}), world).empty());
}

// Applies a damage to the map of a mesh and returns what is found.
std::string damaged(const Environment& world, const std::function<void(CorridorMap&)>& damage) {
  const auto mesh = generate(world, {.generator = "ecm"});
  CorridorMap map = *mesh->corridorMap();
  damage(map);
  const auto faults =
      checkMedialAxis(mesh->withCorridorMap(std::make_shared<const CorridorMap>(std::move(map))), world, 1);
  if (faults.empty()) return "";
  EXPECT_EQ(faults[0].kind, MeshFaultKind::kMedialAxis);
  return faults[0].message;
}

TEST(CheckAxis, FindsEachDamage) {
  const Environment world = made("military");
  EXPECT_EQ(damaged(world, [](CorridorMap&) {}), "");
  const auto expect = [&](const char* part, const std::function<void(CorridorMap&)>& damage) {
    const std::string message = damaged(world, damage);
    EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' instead of '" << part << "'";
  };
  // The widest bending point, away from corners.
  const auto widest = [](const CorridorMap& map) {
    size_t best = 0;
    for (size_t i = 0; i < map.bendingPoints.size(); ++i) {
      if (map.bendingPoints[i].clearance > map.bendingPoints[best].clearance) best = i;
    }
    return best;
  };
  // Everything three times as wide.
  expect("clearance", [](CorridorMap& map) {
    for (auto& bp : map.bendingPoints) bp.clearance *= 3;
    for (auto& vertex : map.vertices) vertex.clearance *= 3;
    for (auto& arc : map.arcs) arc.minClearance *= 3;
    for (auto& edge : map.edges) edge.minClearance *= 3;
  });
  expect("least clearance", [](CorridorMap& map) {
    for (auto& arc : map.arcs) arc.minClearance *= 3;
  });
  expect("edge", [](CorridorMap& map) { map.edges[0].minClearance += 1; });
  expect("long", [](CorridorMap& map) { map.arcs[0].length += 1; });
  expect("long", [](CorridorMap& map) { map.edges[0].length += 1; });
  expect("is not the end of its edge", [](CorridorMap& map) { map.vertices[0].clearance += 1; });
  expect("is not the end of its edge", [](CorridorMap& map) { map.vertices[1].p.x += 1; });
  expect("not an obstacle", [](CorridorMap& map) { map.sites[0].a.x += 1; });
  expect("annotation", [&](CorridorMap& map) { map.bendingPoints[widest(map)].l.x += 1; });
  expect("annotation", [&](CorridorMap& map) {
    auto& bp = map.bendingPoints[widest(map)];
    // As far away, but not on the obstacle.
    bp.l = {2 * bp.p.x - bp.l.x, 2 * bp.p.y - bp.l.y};
  });
  expect("site", [&](CorridorMap& map) {
    for (auto& arc : map.arcs) {
      if (arc.left != kNone) arc.left = arc.right;
    }
  });
  expect("components", [](CorridorMap& map) {
    // A second axis beside the first, with nothing to do with it.
    const auto vertices = static_cast<uint32_t>(map.vertices.size());
    const auto edges = static_cast<uint32_t>(map.edges.size());
    const auto points = static_cast<uint32_t>(map.bendingPoints.size());
    const auto outs = static_cast<uint32_t>(map.out.size());
    CorridorMap twice = map;
    for (auto vertex : map.vertices) {
      vertex.firstOut += outs;
      twice.vertices.push_back(vertex);
    }
    for (auto edge : map.edges) {
      edge.first += points;
      edge.from += vertices;
      edge.to += vertices;
      twice.edges.push_back(edge);
    }
    twice.bendingPoints.insert(twice.bendingPoints.end(), map.bendingPoints.begin(), map.bendingPoints.end());
    twice.arcs.insert(twice.arcs.end(), map.arcs.begin(), map.arcs.end());
    for (const uint32_t half : map.out) twice.out.push_back(half + 2 * edges);
    map = twice;
  });
  expect("cells of arc", [](CorridorMap& map) {
    // Two cells of different size exchange their arcs.
    std::swap(map.cellArc.front(), map.cellArc.back());
  });
  expect("broken", [](CorridorMap& map) { map.out.pop_back(); });
}

// A map that is right in itself, but of a world in which a wall was forgotten.
TEST(CheckAxis, FindsAWallInsideOfADisk) {
  const Environment small = oneLayer({{{{0, 0}, {1000, 0}, {1000, 600}, {0, 600}}, {}}});
  Environment more = oneLayer({{{{0, 0}, {1000, 0}, {1000, 600}, {0, 600}}, {{{500, 295}, {500, 305}, {505, 300}}}}});
  const auto mesh = generate(small, {.generator = "ecm"});
  const auto right = generate(more, {.generator = "ecm"});
  ASSERT_TRUE(mesh.ok() && right.ok());
  CorridorMap map = *mesh->corridorMap();
  map.cellArc.assign(right->cellCount(), 0);
  const auto faults = checkMedialAxis(right->withCorridorMap(std::make_shared<const CorridorMap>(map)), more, 1);
  ASSERT_FALSE(faults.empty());
  EXPECT_NE(faults[0].message.find("a wall is"), std::string::npos) << faults[0].message;
}

}  // namespace
}  // namespace wend
