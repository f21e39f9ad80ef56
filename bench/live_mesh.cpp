#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/make.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"
#include "environment/canonical_order.h"
#include "geometry/overlay.h"

// A square of 2 x 2 m comes and goes in worlds of different size: the mesh repaired in place beside the mesh made anew,
// one thread, in one run: only ratios mean something on a shared machine.
//   bench_live_mesh [edits per world] [generator]   (CSV on standard output)
// CPU time, medians. The environments are made outside of the clock. Columns:
//   insert, remove  updateMesh() in ms
//   touched         cells removed and added, per edit
//   rebuild         generate() of the same environment in ms
//   ratio           rebuild over the mean of insert and remove
//   anew            edits after which the whole mesh was made anew
// The last column is the hash of all meshes; it must not depend on the machine.
namespace wend {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Environment without(const Environment& world, const Ring& ring) {
  Environment out = world;
  out.truth.reset();
  std::vector<Shape> shapes;
  for (const Polygon& polygon : world.layers[0].free) {
    Shape shape{0, {polygon.outer}};
    shape.loops.insert(shape.loops.end(), polygon.holes.begin(), polygon.holes.end());
    shapes.push_back(std::move(shape));
  }
  if (!ring.empty()) shapes.push_back({1, {ring}});
  out.layers[0].free = *overlay(shapes, [](uint32_t groups) { return groups == 1; });
  putInCanonicalOrder(out);
  return out;
}

// A square inside of free space, turned by a random angle.
Ring squareIn(const Environment& world, Random& random) {
  const Box box = boundingBox(world);
  const double size = std::sqrt(2.0) / world.lattice.unit;
  while (true) {
    const double x = random.real(box.min.x, box.max.x);
    const double y = random.real(box.min.y, box.max.y);
    const double turn = random.real(0, 3);
    Ring ring;
    for (int i = 0; i < 4; ++i) {
      const double angle = turn + 1.5707963267948966 * i;
      ring.push_back({static_cast<int32_t>(std::lround(x + size * std::cos(angle))),
                      static_cast<int32_t>(std::lround(y + size * std::sin(angle)))});
    }
    if (std::all_of(ring.begin(), ring.end(),
                    [&](Point p) { return locate(world.layers[0].free, p) == Side::kInside; })) {
      return ring;
    }
  }
}

void run(const std::string& name, const MakeSettings& make, const std::string& generator, int edits) {
  const auto made = makeEnvironment(make);
  if (!made.ok()) {
    fmt::print(stderr, "{}: {}\n", name, made.error().message);
    return;
  }
  const Environment base = without(*made, {});
  GenerateSettings settings;
  settings.generator = generator;
  Context context;
  context.threads = 1;
  const auto mesh = generate(base, settings, context);
  if (!mesh.ok()) return;
  Random random(7, 1);
  std::vector<double> insert, remove, rebuild;
  uint64_t touched = 0;
  uint64_t anew = 0;
  uint64_t sum = 0;
  for (int i = 0; i < edits; ++i) {
    const Ring ring = squareIn(base, random);
    const Environment after = without(base, ring);
    ChangedArea changed;
    changed.boxes.push_back({0, boundingBox(ring)});
    Result<MeshUpdate> there = Error{};
    insert.push_back(1e3 * cpuSecondsOf([&] { there = updateMesh(*mesh, base, after, changed, settings, context); }));
    if (!there.ok()) {
      fmt::print(stderr, "{}: {}\n", name, there.error().message);
      return;
    }
    Result<MeshUpdate> back = Error{};
    remove.push_back(1e3 *
                     cpuSecondsOf([&] { back = updateMesh(there->mesh, after, base, changed, settings, context); }));
    if (!back.ok()) return;
    if (i < 5) rebuild.push_back(1e3 * cpuSecondsOf([&] { sum += generate(after, settings, context)->cellCount(); }));
    for (const MeshUpdate* update : {&*there, &*back}) {
      touched += update->cellsRemoved + update->cellsAdded;
      anew += update->inPlace ? 0 : 1;
      sum = sum * 31 + hash(update->mesh);
    }
  }
  const double mean = 0.5 * (median(insert) + median(remove));
  fmt::print("{},{},{},{},{:.3f},{:.3f},{:.1f},{:.2f},{:.1f},{},{:016x}\n", name, generator, vertexCount(base),
             mesh->cellCount(), median(insert), median(remove), static_cast<double>(touched) / (2.0 * edits),
             median(rebuild), median(rebuild) / mean, anew, sum);
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const int edits = argc > 1 ? std::atoi(argv[1]) : 40;
  fmt::print("world,generator,vertices,cells,insert,remove,touched,rebuild,ratio,anew,hash\n");
  for (const char* generator : {"ecm", "hertel-mehlhorn", "delaunay", "neogen", "grid"}) {
    if (argc > 2 && std::string(generator) != argv[2]) continue;
    wend::run("military", {.kind = "military"}, generator, edits);
    wend::run("city", {.kind = "city"}, generator, edits);
    wend::run("zelda 1x1", {.kind = "zelda", .parameters = {{"edition", 2}, {"tiles", 1}}}, generator, edits);
    wend::run("zelda 8x8", {.kind = "zelda", .parameters = {{"edition", 2}, {"tiles", 8}}}, generator, edits);
  }
}
