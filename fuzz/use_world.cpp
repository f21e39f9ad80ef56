#include <algorithm>
#include <cmath>

#include <wend/crowd.h>
#include <wend/draw.h>
#include <wend/generate.h>
#include <wend/metrics.h>
#include <wend/navigator.h>
#include <wend/world.h>

#include "check_environment.h"

// Worlds from files, used: whatever the loader of .wend takes can be planned on, measured, drawn and walked on, also
// where wend check would complain. In this build the loader takes any hash for right.
namespace {

using namespace wend;

// Corners of some cells, moved a little inside.
std::vector<Place> places(const NavMesh& mesh) {
  std::vector<Place> found;
  const CellId stride = std::max<CellId>(1, mesh.cellCount() / 4);
  for (CellId cell = 0; cell < mesh.cellCount(); cell += stride) {
    Vec3 sum;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const Vec3 p = mesh.position(mesh.startVertex(s));
      sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z};
    }
    const double n = mesh.sideCount(cell);
    found.push_back(Place{sum.x / n, sum.y / n, sum.z / n});
  }
  return found;
}

void plan(const Navigator& navigator, const std::vector<Place>& all) {
  PlanScratch scratch;
  Route route;
  for (const Place& from : all) {
    for (const Place& to : all) {
      for (const double radius : {0.0, 0.2}) {
        PathQuery query;
        query.from = from;
        query.to = to;
        query.radius = radius;
        (void)navigator.plan(query, scratch, route);
      }
    }
  }
}

void walk(const Navigator& navigator, const std::vector<Place>& all) {
  Result<Crowd> crowd = Crowd::make(navigator, {CrowdProfile{}}, CrowdSettings{});
  if (!crowd.ok()) return;
  for (const Place& from : all) {
    AgentStart start;
    start.at = {from.x, from.y, from.z.value_or(0)};
    start.goal = all.back();
    start.radius = 0.2;
    (void)crowd->add(start);
  }
  Context context;
  context.threads = 1;
  for (int i = 0; i < 5; ++i) crowd->step(context);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<World> world = parseWorld({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!world.ok() || world->mesh().cellCount() > 2000) return 0;
  Context context;
  context.threads = 1;
  const std::vector<Place> all = places(world->mesh());
  if (all.empty()) return 0;
  const Navigator navigator = makeNavigator(*world);
  plan(navigator, all);
  walk(navigator, all);
  (void)drawMesh(world->mesh());
  (void)measureMesh(world->mesh(), world->environment(), {}, context);
  GenerateSettings exact;
  exact.generator = "delaunay";
  const Result<NavMesh> truth = generate(world->environment(), exact, context);
  if (!truth.ok()) return 0;
  PathSettings paths;
  paths.queries = 4;
  (void)measurePaths(world->mesh(), *truth, paths, context);
  DistanceMapSettings map;
  map.pixels = 8;
  (void)measureDistanceMap(world->mesh(), *truth, map, context);
  return 0;
}
