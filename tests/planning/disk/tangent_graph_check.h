#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/clearance/clearance_table.h"
#include "planning/clearance/convex_cells.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/tangent_graph.h"
#include "planning/ends.h"
#include "tests/planning/clearance/check.h"
#include "tests/planning/clearance/layers_check.h"
#include "tests/planning/disk/slow_tangent_graph.h"

// A* over tangents against all tangents, with radii near the widest.
namespace wend {

struct TangentCount {
  size_t compared = 0;
  size_t shorter = 0;  // than what the slow version finds, if anything
};

class TangentWorld {
 public:
  explicit TangentWorld(const NavMesh& mesh)
      : refined_(refineToConvex(mesh)),
        locator_(refined_.mesh),
        analysis_(analyseMesh(refined_.mesh)),
        clearance_(refined_.mesh, 2 / refined_.mesh.lattice().unit) {}

  // A corridor and what it was looked for in.
  struct Corridor {
    explicit Corridor(const TangentWorld& world, double units)
        : table(world.refined_.mesh, units, &world.clearance_, &world.analysis_) {}
    ShrunkPortals table;
    End start, goal;
    DiskSearchScratch scratch;
    DiskPath path;
    double tolerance = 0;
    DiskEnds ends() const { return {start.units, goal.units, start.cells, goal.cells}; }
  };
  std::unique_ptr<Corridor> find(const PathQuery& query, EndTest test) const {
    const NavMesh& mesh = refined_.mesh;
    const double unit = mesh.lattice().unit;
    auto found = std::make_unique<Corridor>(*this, query.radius / unit);
    QueryStamp stamp;
    stamp.advance();
    StampedSet startSeen, goalSeen;
    startSeen.grow(mesh.cellCount());
    goalSeen.grow(mesh.cellCount());
    if (!locateEnd(mesh, locator_, query.from, stamp, startSeen, found->start)) return nullptr;
    if (!locateEnd(mesh, locator_, query.to, stamp, goalSeen, found->goal)) return nullptr;
    uint64_t expanded = 0;
    const DiskAnswer answer =
        searchDisk(found->table, analysis_, found->ends(), test, found->scratch, found->path, expanded);
    if (answer != DiskAnswer::kFound || found->path.steps.empty()) return nullptr;
    found->tolerance = std::min(1e-7 / unit, 2e-4 * found->table.radius());
    return found;
  }

  void compare(const PathQuery& query, TangentCount& count) const {
    SCOPED_TRACE(refined_.mesh.info().generator + ", radius " + std::to_string(query.radius) + ", from " +
                 std::to_string(query.from.x) + "," + std::to_string(query.from.y) + " to " +
                 std::to_string(query.to.x) + "," + std::to_string(query.to.y));
    const std::unique_ptr<Corridor> c = find(query, EndTest::kCut);
    if (c == nullptr) return;
    const DiskEnds ends = c->ends();
    DiskString string;
    // A search over crossings has said that there is a way.
    EXPECT_TRUE(findDiskTangents(c->table, ends, c->path, c->tolerance, string));
    const double truth = TangentGraph(c->table, ends, c->path, c->tolerance).length();
    EXPECT_LE(string.length, truth * (1 + 1e-7));
    ++count.compared;
    count.shorter += string.length < truth * (1 - 1e-7) ? 1U : 0U;
  }

 private:
  RefinedMesh refined_;
  Locator locator_;
  MeshAnalysis analysis_;
  ClearanceTable clearance_;
};

inline double nearlyWidest(double widest, Random& random) {
  return widest * (1 - std::pow(10.0, -random.real(0.5, 4)));
}

inline void compareTangents(uint64_t seed, uint64_t world, int queries, TangentCount& count) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + std::to_string(world));
  Random random(seed, world);
  const std::optional<Environment> environment = randomEnvironment(random);
  if (!environment || environment->layers[0].free.empty()) return;
  Context serial;
  serial.threads = 1;
  const Environment fine = refineLattice(*environment);
  const Result<NavMesh> ecmMesh = generate(fine, {.generator = "ecm"}, serial);
  if (!ecmMesh.ok()) return;  // others test generators
  const auto ecm = CorridorNavigator::make(*ecmMesh).value();
  const double size = boundingBox(*environment).max.x;
  PlanScratch scratch;
  for (const char* generator : {"delaunay", "neogen"}) {
    const TangentWorld tangents(generate(fine, {.generator = generator}, serial).value());
    for (int i = 0; i < queries; ++i) {
      PathQuery query;
      query.from = {random.real(0, size), random.real(0, size), 0};
      query.to = {random.real(0, size), random.real(0, size), 0};
      query.radius = nearlyWidest(ecm->largestRadius(query, scratch), random);
      if (query.radius > 0.001) tangents.compare(query, count);
    }
  }
}

// On a made world, which may have layers above each other.
inline void compareTangents(const LayerWorld& world, const char* generator, int queries, TangentCount& count) {
  SCOPED_TRACE(world.kind);
  MakeSettings make;
  make.kind = world.kind;
  make.parameters = world.parameters;
  const Environment environment = makeEnvironment(make).value();
  const NavMesh ecmMesh = generate(environment, {.generator = "ecm"}).value();
  const auto ecm = CorridorNavigator::make(ecmMesh).value();
  const Locator locator(ecmMesh);
  const TangentWorld tangents(generate(environment, {.generator = generator}).value());
  Random random(9);
  PlanScratch scratch;
  for (int i = 0; i < queries; ++i) {
    PathQuery query;
    query.from = randomPlace(ecmMesh, locator, random);
    query.to = randomPlace(ecmMesh, locator, random);
    query.radius = nearlyWidest(ecm->largestRadius(query, scratch), random) - 0.0005;
    if (query.radius > 0.001) tangents.compare(query, count);
  }
}

}  // namespace wend
