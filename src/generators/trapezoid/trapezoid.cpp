#include "generators/trapezoid/trapezoid.h"

#include <algorithm>
#include <array>
#include <utility>

#include <wend/mesh_builder.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "generators/connection_edges.h"
#include "generators/layer_triangles.h"
#include "generators/trapezoid/sweep.h"

namespace wend::trapezoid {
namespace {

constexpr const char* kName = "trapezoid";
constexpr const char* kStage = "sweep";

// Corners are rounded once, so equal places differ by less than this (lattice units).
constexpr double kTolerance = 1e-6;

// A quarter turn, which keeps the orientation.
Point turned(Point p) {
  return {p.y, -p.x};
}

std::vector<Polygon> turned(std::vector<Polygon> polygons) {
  const auto turn = [](Ring& ring) {
    for (Point& p : ring) p = turned(p);
  };
  for (Polygon& polygon : polygons) {
    turn(polygon.outer);
    for (Ring& ring : polygon.holes) turn(ring);
  }
  return polygons;
}

void turnBack(std::vector<Trapezoid>& cells) {
  for (Trapezoid& cell : cells) {
    for (Vec2& p : cell.corners) p = {-p.y, p.x};
  }
}

// The edges of connections by layer, turned like the polygons, sorted.
std::vector<std::vector<RingEdge>> turned(std::vector<std::vector<RingEdge>> open) {
  for (std::vector<RingEdge>& edges : open) {
    for (RingEdge& edge : edges) edge = {turned(edge.first), turned(edge.second)};
    std::sort(edges.begin(), edges.end());
  }
  return open;
}

void addCells(MeshBuilder& builder, LayerId layer, std::span<const Trapezoid> cells) {
  std::vector<Vec2> loop;
  std::vector<uint8_t> walls;
  for (const Trapezoid& cell : cells) {
    loop.clear();
    walls.clear();
    const std::array<bool, 4> isWall{!cell.isBottomOpen, false, !cell.isTopOpen, false};
    for (size_t i = 0; i < 4; ++i) {
      const Vec2 p = cell.corners[i];
      if (loop.empty() || (loop.back() != p && loop.front() != p)) {
        loop.push_back(p);
        walls.push_back(isWall[i] ? 1 : 0);
      } else if (loop.back() == p) {
        walls.back() = isWall[i] ? 1 : 0;
      }
    }
    if (loop.size() >= 3) builder.addCell(layer, std::span<const Vec2>(loop), walls);
  }
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(axis);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the sweep trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  context.report(kStage, 0);
  std::vector<std::vector<Trapezoid>> cells(environment.layers.size());
  std::vector<std::vector<RingEdge>> open = connectionEdges(environment);
  if (settings.axis == Axis::kY) open = turned(std::move(open));
  parallelFor(cells.size(), context, [&](size_t i) {
    const std::vector<Polygon>& free = environment.layers[i].free;
    cells[i] =
        settings.axis == Axis::kX ? decompose(free, open[i], context) : decompose(turned(free), open[i], context);
    if (settings.axis == Axis::kY) turnBack(cells[i]);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The sweep was cancelled by the caller."};
  context.report(kStage, 1);
  MeshBuilder builder(environment, kTolerance);
  for (LayerId id = 0; id < cells.size(); ++id) addCells(builder, id, cells[id]);
  return builder.build(kName, settings.hash(), MeshTraits{}, context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Trapezoids between vertical lines through all vertices: exact, simple, many thin cells.";
  generator.info.source =
      "B. Chazelle, Approximation and decomposition of shapes (1987); J.-C. Latombe, Robot Motion "
      "Planning (1991), chapter 5";
  generator.info.options = {{"axis", "Direction of the sweep; lines run across it.", "x", {"x", "y"}, 0, 0}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.choice("axis") == "x" ? Axis::kX : Axis::kY}, context);
  };
  return generator;
}

}  // namespace wend::trapezoid
