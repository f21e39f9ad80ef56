#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <wend/environment_file.h>
#include <wend/extract.h>
#include <wend/generate.h>
#include <wend/navigator.h>
#include <wend/scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/check_route.h"
#include "tests/data.h"
#include "tests/planning/clearance/layers_check.h"

// Floor plans and models that nobody tuned to, as they are and turned by an odd angle.
namespace wend {

inline constexpr double kOddAngle = 17 * std::numbers::pi / 180;

inline Vec2 turnedBy(double angle, Vec2 p) {
  return {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y};
}

// `file` below the data folder; nothing where it is missing or cannot be read.
inline std::optional<Environment> realEnvironment(const std::string& file, double angle) {
  const std::string path = dataFile(file);
  if (path.empty()) return std::nullopt;
  if (file.ends_with(".obj") || file.ends_with(".glb")) {
    Result<Scene> scene = readScene(path);
    if (!scene.ok()) return std::nullopt;
    for (Vec3& v : scene->vertices) {
      const Vec2 p = turnedBy(angle, {v.x, v.y});
      v = {p.x, p.y, v.z};
    }
    Result<Extraction> extraction = extract(*scene, {});
    if (!extraction.ok()) return std::nullopt;
    return std::move(extraction->environment);
  }
  const Result<Environment> environment = readEnvironment(path);
  if (!environment.ok()) return std::nullopt;
  if (angle == 0) return *environment;
  EnvironmentDraft draft = draftOf(*environment);
  draft.truth.reset();
  for (LayerDraft& layer : draft.layers) {
    for (auto* polygons : {&layer.walkable, &layer.obstacles}) {
      for (Loops& polygon : *polygons) {
        for (std::vector<Vec2>& loop : polygon) {
          for (Vec2& p : loop) p = turnedBy(angle, p);
        }
      }
    }
  }
  Result<Environment> turned = buildEnvironment(draft);
  if (!turned.ok()) return std::nullopt;
  return std::move(*turned);
}

inline const std::vector<std::string>& realFiles() {
  static const std::vector<std::string> files{"floorplans/aknz_evac.wkt",
                                              "floorplans/SiB2023_entrance_jupedsim.wkt",
                                              "floorplans/double_bottleneck.wkt",
                                              "floorplans/room_with_alcoven.wkt",
                                              "floorplans/t_shaped_room.wkt",
                                              "scenes/dungeon.obj",
                                              "scenes/nav_test.obj",
                                              "scenes/house.obj"};
  return files;
}

struct RealCount {
  size_t pairs = 0;  // of places, each with a radius
  size_t asked = 0;  // on each mesh, in both directions
  size_t found = 0;
  size_t critical = 0;  // the radius is too near to that of the widest way for a clear answer
};

// Each pair of places has a widest way on the medial axis. A narrower disk has a route on every mesh, in both
// directions, and a wider one has none. So the answers are symmetric, monotone in the radius, and equal for all meshes.
inline void checkReal(const Environment& environment, uint64_t seed, int radii, int pairs, RealCount& count) {
  // Corners of an ecm mesh are rounded to the lattice.
  constexpr double kRounding = 1e-3;
  const Result<NavMesh> ecmMesh = generate(environment, {.generator = "ecm"});
  ASSERT_TRUE(ecmMesh.ok());
  const auto ecm = CorridorNavigator::make(*ecmMesh).value();
  const Locator locator(*ecmMesh);
  std::vector<DiskNavigator> navigators;
  for (const char* generator : {"delaunay", "lct", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"}) {
    const Result<NavMesh> mesh = generate(environment, {.generator = generator});
    if (mesh.ok()) navigators.emplace_back(*mesh);
  }
  Random random(seed);
  PlanScratch scratch;
  Route route;
  for (int k = 0; k < radii; ++k) {
    std::vector<PathQuery> queries(static_cast<size_t>(pairs));
    std::vector<double> widest;
    for (PathQuery& query : queries) {
      query.from = randomPlace(*ecmMesh, locator, random);
      query.to = randomPlace(*ecmMesh, locator, random);
      widest.push_back(ecm->largestRadius(query, scratch));
    }
    // Near the widest way of one of them.
    const double near = widest[random.below(widest.size())];
    const double radius = near > 0 ? near * (1 + random.real(-0.5, 0.1)) : random.real(0.01, 1);
    for (size_t i = 0; i < queries.size(); ++i) {
      if (std::abs(radius - widest[i]) < kRounding) {
        ++count.critical;
        continue;
      }
      ++count.pairs;
      for (const DiskNavigator& navigator : navigators) {
        for (const bool back : {false, true}) {
          PathQuery query = queries[i];
          query.radius = radius;
          if (back) std::swap(query.from, query.to);
          const PathStatus status = navigator.plan(query, scratch, route);
          if (status == PathStatus::kStartOffMesh || status == PathStatus::kGoalOffMesh) continue;
          ++count.asked;
          count.found += status == PathStatus::kFound ? 1 : 0;
          EXPECT_EQ(status == PathStatus::kFound, radius < widest[i])
              << navigator.mesh().info().generator << ", " << statusName(status) << ", widest " << widest[i]
              << ", radius "
              << fmt::format("{} from {},{},{} to {},{},{}", radius, query.from.x, query.from.y, *query.from.z,
                             query.to.x, query.to.y, *query.to.z);
          if (status != PathStatus::kFound) continue;
          EXPECT_EQ(findRouteFault(navigator.mesh(), query, route), nullptr);
        }
      }
    }
  }
}

}  // namespace wend
