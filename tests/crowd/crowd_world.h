#pragma once

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Small worlds for crowds, on both kinds of navigator.
namespace wend {

// A context that works on so many threads.
struct Threads : Context {
  explicit Threads(int n) { threads = n; }
};

inline NavMesh meshOf(const Environment& environment, const std::string& generator) {
  const Threads serial(1);
  Result<NavMesh> mesh = generate(environment, {.generator = generator}, serial);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh{};
}

inline Navigator navigatorOf(const Environment& environment, const std::string& generator = "ecm") {
  const Result<World> world = World::of(environment, meshOf(environment, generator));
  return world.ok() ? makeNavigator(*world) : Navigator();
}

inline Environment built(const EnvironmentDraft& draft) {
  const Threads serial(1);
  Result<Environment> environment = buildEnvironment(draft, serial);
  EXPECT_TRUE(environment.ok()) << (environment.ok() ? "" : environment.error().message);
  return environment.ok() ? *environment : Environment{};
}

inline std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

inline EnvironmentDraft room(double x0, double y0, double x1, double y1) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({rectangle(x0, y0, x1, y1)});
  return draft;
}

// Two rooms side by side with a door of that width between them, at x = 0.
inline EnvironmentDraft doorRooms(double width) {
  EnvironmentDraft draft = room(-10, -5, 10, 5);
  draft.layers[0].obstacles.push_back({rectangle(-0.2, width / 2, 0.2, 6)});
  draft.layers[0].obstacles.push_back({rectangle(-0.2, -6, 0.2, -width / 2)});
  return draft;
}

// A floor, a ramp that rises from its right end and a gallery above the floor: layers 0, 1, 2.
inline EnvironmentDraft floorAndGallery() {
  EnvironmentDraft draft;
  const auto layer = [&](std::vector<Vec2> outline, double height) {
    LayerDraft& added = draft.layers.emplace_back();
    added.id = static_cast<int32_t>(draft.layers.size()) - 1;
    added.height = height;
    added.walkable.push_back({std::move(outline)});
  };
  layer(rectangle(0, 0, 20, 6), 0);
  layer(rectangle(20, 0, 30, 6), 0);
  layer(rectangle(0, 0, 20, 6), 5);
  // The ramp goes out in its lower half and comes back in the upper one.
  draft.layers[1].obstacles.push_back({rectangle(20, 2.9, 26, 3.1)});
  const auto quad = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    draft.layers[1].surface.push_back({a, b, c});
    draft.layers[1].surface.push_back({a, c, d});
  };
  quad({20, 0, 0}, {30, 0, 2.5}, {30, 3, 2.5}, {20, 3, 0});
  quad({20, 3, 5}, {30, 3, 2.5}, {30, 6, 2.5}, {20, 6, 5});
  draft.connections.push_back({0, 1, {{20, 0}, {20, 2.9}}});
  draft.connections.push_back({1, 2, {{20, 3.1}, {20, 6}}});
  return draft;
}

inline Crowd crowdOn(Navigator navigator, CrowdProfile profile = {}, CrowdSettings settings = {}) {
  Result<Crowd> crowd = Crowd::make(std::move(navigator), {std::move(profile)}, settings);
  EXPECT_TRUE(crowd.ok()) << (crowd.ok() ? "" : crowd.error().message);
  return std::move(*crowd);
}

// Every agent on the mesh, by a locator of the test's own.
inline void expectOnMesh(const Crowd& crowd, const Locator& locator) {
  const NavMesh& mesh = crowd.navigator().mesh();
  for (const AgentState& agent : crowd.agents()) {
    const Vec2 p{agent.position.x, agent.position.y};
    const Vec2 units = mesh.lattice().toUnits(p);
    std::array<CellId, 16> cells{};
    const size_t found = locator.locateAll({std::round(units.x), std::round(units.y)}, agent.layer, cells);
    const bool inside =
        std::count(cells.begin(), cells.begin() + static_cast<ptrdiff_t>(std::min<size_t>(found, 16)), agent.cell) > 0;
    ASSERT_TRUE(inside) << "agent " << agent.id << " at " << p.x << ", " << p.y << " frame " << crowd.frame();
  }
}

}  // namespace wend
