#include "generators/apng/apng.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/parallel.h"
#include "generators/growth_cells.h"
#include "generators/layer_triangles.h"
#include "geometry/growth/grow.h"
#include "geometry/index/box_tree.h"

namespace wend::apng {
namespace {

using growth::Grower;

constexpr const char* kName = "apng";
constexpr const char* kStage = "grow";

constexpr MeshTraits kTraits{.disjoint = false, .exact = false};

Box boxOf(const growth::Limits& limit) {
  return {{limit[growth::kLeft], limit[growth::kBottom]}, {limit[growth::kRight], limit[growth::kTop]}};
}

bool contains(const Box& a, const Box& b) {
  return a.min.x <= b.min.x && a.min.y <= b.min.y && a.max.x >= b.max.x && a.max.y >= b.max.y;
}

void growBox(growth::GrowthSpace& space, Grower& grower, growth::Region& region, int64_t step, int64_t reach) {
  const growth::Limits seed = region.limit;
  std::array<bool, 4> isStopped{};
  const auto far = [&](int32_t from, int64_t way) {
    return static_cast<int32_t>(std::clamp<int64_t>(from + way, -kMaxCoordinate, kMaxCoordinate));
  };
  int64_t window = space.pitch();
  const auto look = [&] {
    grower.look({{far(region.limit[growth::kLeft], -window), far(region.limit[growth::kBottom], -window)},
                 {far(region.limit[growth::kRight], window), far(region.limit[growth::kTop], window)}});
  };
  look();
  for (bool moved = true; moved;) {
    moved = false;
    for (const growth::Side4 side : growth::kSides) {
      if (isStopped[side]) continue;
      growth::Limits ahead = region.limit;
      ahead[side] = far(ahead[side], growth::forward(side) * step);
      if (std::abs(int64_t{ahead[side]} - seed[side]) > reach) {
        isStopped[side] = true;
        continue;
      }
      if (!grower.covers(ahead)) {
        window = std::max(2 * window, 2 * step);
        look();
      }
      const Grower::Move move = grower.advance(region, side, step, kNone);
      isStopped[side] = move != Grower::Move::kWhole;
      moved = moved || move == Grower::Move::kWhole || move == Grower::Move::kPart;
    }
  }
}

// The boxes that no other one contains, in the order of the triangles.
std::vector<Box> growLayer(const GrownSpace& source, const FreeTriangulation& triangles, int64_t step, int64_t reach,
                           const Context& context) {
  growth::GrowthSpace space(source.free, source.open);
  Grower grower(space, {false, true});
  std::vector<Box> boxes;
  for (const Triangulation::Triangle& triangle : triangles.triangles) {
    if (context.cancelled()) return {};
    const auto sum = [&](auto coordinate) {
      return (int64_t{triangles.points[triangle.v[0]].*coordinate} + triangles.points[triangle.v[1]].*coordinate +
              triangles.points[triangle.v[2]].*coordinate) /
             3;
    };
    const Point centre{static_cast<int32_t>(sum(&Point::x)), static_cast<int32_t>(sum(&Point::y))};
    if (locate(source.free, centre) != Side::kInside) continue;  // rounded out of a thin triangle
    auto region = plant(space, growth::pointSeed(centre));
    if (!region || !region->contacts.empty()) continue;
    growBox(space, grower, *region, step, reach);
    boxes.push_back(boxOf(region->limit));
  }
  std::vector<BoxTree::Extent> extents;
  for (const Box& box : boxes) extents.push_back({box});
  const BoxTree tree(extents);
  std::vector<Box> kept;
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    bool isContained = false;
    tree.forEach(boxes[i], [&](uint32_t j) {
      isContained = isContained || (j != i && contains(boxes[j], boxes[i]) && (boxes[j] != boxes[i] || j < i));
    });
    if (!isContained) kept.push_back(boxes[i]);
  }
  return kept;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(step);
  hash.add(reach);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  if (!(settings.step >= 0.001 && settings.step <= 1e4) || !(settings.reach >= 0.01 && settings.reach <= 1e5)) {
    return Error{ErrorCode::kInvalidSettings,
                 "The step of growth must be 0.001 to 10000 m and its reach 0.01 to 100000 m."};
  }
  const auto triangles = triangulateLayers(environment, context);
  if (!triangles.ok()) return triangles.error();
  const auto spaces = grownSpaces(environment, false, context);
  if (!spaces.ok()) return spaces.error();
  context.report(kStage, 0);
  const auto units = [&](double metres) {
    return std::max<int64_t>(1, std::llround(metres / environment.lattice.unit));
  };
  std::vector<std::vector<Box>> boxes(spaces->size());
  parallelFor(boxes.size(), context, [&](size_t i) {
    if ((*spaces)[i].free.empty()) return;
    boxes[i] = growLayer((*spaces)[i], (*triangles)[i], units(settings.step), units(settings.reach), context);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Growth was cancelled by the caller."};
  context.report(kStage, 1);
  MeshBuilder builder(environment, kGrownCornerTolerance);
  for (LayerId layer = 0; layer < boxes.size(); ++layer) {
    for (const Box& box : boxes[layer]) {
      const std::array<Point, 4> loop{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
      builder.addCell(layer, std::span<const Point>(loop));
    }
  }
  return builder.build(kName, settings.hash(), kTraits, context);
}

std::vector<std::pair<CellId, CellId>> links(const NavMesh& mesh, double width) {
  const double least = width / mesh.lattice().unit;
  std::vector<BoxTree::Extent> extents(mesh.cellCount());
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const Vec2 p = mesh.vertex(mesh.startVertex(s));
      extents[cell].box.add(Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)});
    }
  }
  const BoxTree tree(extents);
  std::vector<std::pair<CellId, CellId>> out;
  for (CellId a = 0; a < mesh.cellCount(); ++a) {
    Box wide = extents[a].box;
    wide.min = {wide.min.x - 1, wide.min.y - 1};  // the tree's query is open, and sides may touch
    wide.max = {wide.max.x + 1, wide.max.y + 1};
    tree.forEach(wide, [&](uint32_t b) {
      if (b <= a || mesh.layerOf(a) != mesh.layerOf(b)) return;
      const Box& p = extents[a].box;
      const Box& q = extents[b].box;
      const double x = static_cast<double>(std::min(p.max.x, q.max.x)) - std::max(p.min.x, q.min.x);
      const double y = static_cast<double>(std::min(p.max.y, q.max.y)) - std::max(p.min.y, q.min.y);
      if (x >= 0 && y >= 0 && std::max(x, y) > least && (std::min(x, y) > least || std::min(x, y) == 0)) {
        out.emplace_back(a, b);
      }
    });
  }
  std::sort(out.begin(), out.end());
  return out;
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Boxes that grow from the centres of triangles: approximate, and they overlap.";
  generator.info.source =
      "J. Ratcliff, Automatic path node generation for arbitrary 3D environments, AI Game Programming Wisdom 4 (2008)";
  generator.info.traits = kTraits;
  generator.info.options = {
      {"growth-step", "How far a side moves per turn, in metres; small steps are slow.", "0.25", {}, 0.001, 1e4},
      {"reach", "No side moves farther than this from its seed, in metres.", "1000", {}, 0.01, 1e5},
  };
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("growth-step"), options.number("reach")}, context);
  };
  return generator;
}

}  // namespace wend::apng
