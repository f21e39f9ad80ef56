#include <algorithm>
#include <cstdlib>
#include <vector>

#include <wend/make.h>
#include <wend/world.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"
#include "environment/edit/apply_footprints.h"
#include "world/edit/changed_area.h"
#include "world/edit/footprints.h"

// One edit of a world: a square of 2 x 2 m comes, then goes again; random places of random layers, one thread.
//   bench_live [edits per world] [generator]   (CSV on standard output)
// CPU time in ms, medians. Columns:
//   insert, remove   World::apply() with everything that belongs to a version
//   environment      of the insertion: the reference, from base and obstacles to free space
//   boxes            of the insertion: where the two environments differ
//   rebuild          the mesh of the same environment made anew, for comparison in the same run
//   cells            touched by the insertion, removed and added, the median
//   in_place         share of insertions that did not make the mesh anew
// The last column is the hash of the environment after all; it must not depend on the machine.
namespace wend {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void run(const std::string& name, const MakeSettings& settings, const std::string& generator, int edits) {
  const auto environment = makeEnvironment(settings);
  if (!environment.ok()) {
    fmt::print(stderr, "{}: {}\n", name, environment.error().message);
    return;
  }
  Context context;
  context.threads = 1;
  const GenerateSettings method{.generator = generator, .options = {}, .seed = 1};
  const Result<World> baked = bake(*environment, method, context);
  if (!baked.ok()) {
    fmt::print(stderr, "{}: {}\n", name, baked.error().message);
    return;
  }
  const LiveBase base(std::make_shared<const Environment>(*environment));
  // The base of edits is made once.
  const Result<WorldUpdate> live = baked->apply({}, context);
  World world = live.ok() ? live->world : *baked;
  Random random(7);
  std::vector<double> insert, remove, cut, boxes, rebuild, cells;
  int inPlace = 0;
  for (int tries = 0; tries < 100 * edits && static_cast<int>(insert.size()) < edits; ++tries) {
    const Layer& layer = environment->layers[random.below(environment->layers.size())];
    const Box box = boundingBox(layer.free);
    const Vec2 at = environment->lattice.toMetres(Point{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                                                        static_cast<int32_t>(random.between(box.min.y, box.max.y))});
    Obstacle obstacle;
    obstacle.shape = PolygonShape{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}};
    obstacle.place.at = {at.x, at.y, 0};
    obstacle.layers = {layer.id};
    const std::vector<Edit> add{AddObstacle{obstacle}};
    const double start = cpuSeconds();
    const Result<WorldUpdate> added = world.apply(add, context);
    const double between = cpuSeconds();
    if (!added.ok() || added->report.mesh == MeshChange::kNone) continue;
    insert.push_back(1e3 * (between - start));
    inPlace += added->report.mesh == MeshChange::kInPlace ? 1 : 0;
    cells.push_back(added->report.cellsRemoved + added->report.cellsAdded);
    const std::vector<Edit> take{RemoveObstacle{added->report.edits[0].id}};
    Result<WorldUpdate> removed = added->world.apply(take, context);
    if (!removed.ok()) continue;
    remove.push_back(1e3 * (cpuSeconds() - between));
    const auto footprints = footprintsOf(base, obstacle, Stature{});
    if (!footprints.ok()) continue;
    std::optional<Result<EditedEnvironment>> edited;
    cut.push_back(1e3 * cpuSecondsOf([&] { edited = applyFootprints(base, *footprints, context); }));
    boxes.push_back(1e3 * cpuSecondsOf([&] { (void)changedArea(*environment, (*edited)->environment, *footprints); }));
    if (rebuild.size() < 5) {
      rebuild.push_back(1e3 * cpuSecondsOf([&] { (void)wend::generate(added->world.environment(), method, context); }));
    }
    world = removed->world;
  }
  fmt::print("{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.0f},{:.2f},{:016x}\n", name, generator,
             vertexCount(*environment), world.mesh().cellCount(), insert.size(), median(insert), median(remove),
             median(cut), median(boxes), median(rebuild), median(cells),
             insert.empty() ? 0.0 : static_cast<double>(inPlace) / static_cast<double>(insert.size()),
             hash(world.environment()));
  std::fflush(stdout);
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const int edits = argc > 1 ? std::atoi(argv[1]) : 50;
  const std::string generator = argc > 2 ? argv[2] : "ecm";
  fmt::print(
      "world,generator,vertices,cells,edits,insert_ms,remove_ms,environment_ms,boxes_ms,rebuild_ms,touched,in_place,"
      "hash\n");
  using wend::run;
  run("military", {"military", {{"edition", 2}}, 1, {}}, generator, edits);
  run("city", {"city", {{"edition", 2}}, 1, {}}, generator, edits);
  run("zelda1x1", {"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}}, generator, edits);
  run("zelda8x8", {"zelda", {{"edition", 2}, {"tiles", 8}}, 1, {}}, generator, edits);
  for (const char* building : {"library", "parking-lot", "tower", "ramps", "station"}) {
    run(building, {building, {}, 1, {}}, generator, edits);
  }
}
