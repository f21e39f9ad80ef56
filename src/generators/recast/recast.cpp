#include "generators/recast/recast.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "environment/heights.h"
#include "generators/layer_triangles.h"
#include "generators/recast/recast_library.h"
#include "geometry/area.h"

namespace wend::recast {
namespace {

constexpr const char* kName = "recast";
constexpr const char* kStage = "recast";

// Metres. Triangles of curved layers are cut to this, so that they follow the surface.
constexpr double kFollow = 1.0;

// Metres, as in the study: step and head room, and the longest edge of a contour.
constexpr double kStep = 0.5;
constexpr double kEdgeLength = 500;

// Voxels of its neighbours that a tile sees, so that both sides of a line between tiles are built alike.
constexpr int kTileBorder = 4;

MeshTraits traits(bool disjoint) {
  MeshTraits traits;
  traits.exact = false;
  traits.disjoint = disjoint;
  return traits;
}

class SoupWriter {
 public:
  explicit SoupWriter(const Lattice& lattice) : lattice_(lattice) {}

  // The cells of a triangulation; those on connections may have more than three corners.
  void addCells(const Environment& environment, const NavMesh& mesh) {
    std::vector<HeightLookup> heights;
    for (const Layer& layer : environment.layers) heights.emplace_back(layer.heights);
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      const LayerId layer = mesh.layerOf(cell);
      const double longest =
          environment.layers[layer].heights.flat() ? std::numeric_limits<double>::infinity() : kFollow / lattice_.unit;
      const auto corner = [&](SideId side) { return mesh.vertex(mesh.startVertex(side)); };
      const SideId first = mesh.firstSide(cell);
      for (SideId side = first + 1; side + 1 < mesh.endSide(cell); ++side) {
        add(heights[layer], corner(first), corner(side), corner(side + 1), longest);
      }
    }
  }

  Soup soup;
  double low = std::numeric_limits<double>::infinity();  // metres
  double high = -std::numeric_limits<double>::infinity();

 private:
  // Cuts the longest edge in half until all are short enough.
  void add(const HeightLookup& heights, Vec2 a, Vec2 b, Vec2 c, double longest) {
    const auto length = [](Vec2 p, Vec2 q) { return std::hypot(p.x - q.x, p.y - q.y); };
    const double ab = length(a, b);
    const double bc = length(b, c);
    const double ca = length(c, a);
    const double most = std::max({ab, bc, ca});
    if (most <= longest) {
      for (const Vec2 p : {a, b, c}) addVertex(heights, p);
      return;
    }
    if (ab < most) return bc == most ? add(heights, b, c, a, longest) : add(heights, c, a, b, longest);
    const Vec2 middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    add(heights, a, middle, c, longest);
    add(heights, middle, b, c, longest);
  }

  void addVertex(const HeightLookup& heights, Vec2 p) {
    const double z = heights.at(p);
    low = std::min(low, z);
    high = std::max(high, z);
    const Vec2 metres = lattice_.toMetres(p);
    soup.triangles.push_back(static_cast<int>(soup.vertices.size() / 3));
    for (const double value : {metres.x, z, -metres.y}) soup.vertices.push_back(static_cast<float>(value));
  }

  Lattice lattice_;
};

struct Tile {
  int64_t column = 0;  // of its first voxel
  int64_t line = 0;
  Polygons polygons;
};

// Polygons back on the lattice, with their layers.
class Reader {
 public:
  Reader(const Environment& environment, const NavMesh& truth, Box box, double low, int64_t voxel)
      : environment_(environment), truth_(truth), locator_(truth), box_(box), low_(low), voxel_(voxel) {}

  void addCells(MeshBuilder& builder, const Tile& tile) const {
    const Polygons& polygons = tile.polygons;
    for (const std::vector<uint16_t>& ids : polygons.loops) {
      std::vector<Point> loop;
      double height = 0;
      for (const uint16_t id : ids) {
        const auto& v = polygons.vertices[id];
        loop.push_back({static_cast<int32_t>(box_.min.x + (tile.column + v[0]) * voxel_),
                        static_cast<int32_t>(box_.max.y - (tile.line + v[2]) * voxel_)});
        height += low_ + v[1] * static_cast<double>(voxel_) * environment_.lattice.unit;
      }
      const Int128 area = doubledArea(loop);
      if (area == 0) continue;
      if (area < 0) std::reverse(loop.begin(), loop.end());
      builder.addCell(layerOf(loop, height / static_cast<double>(ids.size())), std::span<const Point>(loop));
    }
  }

 private:
  LayerId layerOf(const std::vector<Point>& loop, double height) const {
    Vec2 sum;
    for (const Point p : loop) sum = {sum.x + p.x, sum.y + p.y};
    const auto count = static_cast<double>(loop.size());
    const Vec2 middle = environment_.lattice.toMetres(Vec2{sum.x / count, sum.y / count});
    const CellId cell = locator_.locate(Vec3{middle.x, middle.y, height});
    if (cell != kNone) return truth_.layerOf(cell);
    // Off the free space: the layer whose surface would be nearest.
    const auto gap = [&](LayerId layer) { return std::abs(locator_.height(middle, layer) - height); };
    LayerId best = 0;
    for (LayerId layer = 1; layer < environment_.layers.size(); ++layer) {
      if (gap(layer) < gap(best)) best = layer;
    }
    return best;
  }

  const Environment& environment_;
  const NavMesh& truth_;
  Locator locator_;
  Box box_;
  double low_;
  int64_t voxel_;
};

// Recast warns of overlapping regions and goes on, so whether cells are disjoint is only known afterwards.
Result<NavMesh> assemble(const Environment& environment, const Reader& reader, std::span<const Tile> tiles,
                         const Settings& settings) {
  const Context quiet;
  for (const bool disjoint : {true, false}) {
    MeshBuilder builder(environment);
    for (const Tile& tile : tiles) reader.addCells(builder, tile);
    auto mesh = builder.build(kName, settings.hash(), traits(disjoint), quiet);
    if (!disjoint) return mesh;
    if (!mesh.ok()) continue;
    const auto faults = checkMesh(*mesh, nullptr, 1);
    if (faults.empty()) return mesh;
  }
  return Error{ErrorCode::kInternal, "Recast's polygons could not be joined; please report this."};
}

// Builds the voxel grid of `all` as one tile or as many.
Result<std::vector<Tile>> buildTiles(const Soup& soup, const Build& all, uint32_t count, const Context& context) {
  std::vector<Tile> tiles;
  const auto voxels = [&](int axis) {
    return std::max<int64_t>(1, std::llround(std::ceil((double{all.max[axis]} - all.min[axis]) / all.voxel)));
  };
  const int64_t columns = voxels(0);
  const int64_t lines = voxels(2);
  const int64_t side = count <= 1 ? std::max(columns, lines) : (std::max(columns, lines) + count - 1) / count;
  for (int64_t line = 0; line < lines; line += side) {
    for (int64_t column = 0; column < columns; column += side) {
      context.report(kStage,
                     static_cast<double>(line * columns + column * side) / static_cast<double>(lines * columns));
      Build one = all;
      if (count > 1) {
        one.border = kTileBorder;
        const auto edge = [&](int axis, int64_t voxel) {
          return static_cast<float>(double{all.min[axis]} + static_cast<double>(voxel) * double{all.voxel});
        };
        one.min = {edge(0, column - kTileBorder), all.min[1], edge(2, line - kTileBorder)};
        one.max = {edge(0, std::min(column + side, columns) + kTileBorder), all.max[1],
                   edge(2, std::min(line + side, lines) + kTileBorder)};
      }
      auto polygons = recast::build(soup, one, context);
      if (!polygons.ok()) return polygons.error();
      for (const std::string& warning : polygons->warnings) context.note(fmt::format("Recast: {}.", warning));
      tiles.push_back({column, line, *std::move(polygons)});
    }
  }
  return tiles;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(voxel);
  hash.add(ledges);
  hash.add(corners);
  if (tiles > 1) hash.add(tiles);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  const auto truth = triangleMesh(environment, kName, settings.hash(), context);
  if (!truth.ok()) return truth.error();
  context.report(kStage, 0);
  SoupWriter writer(environment.lattice);
  writer.addCells(environment, *truth);
  const Box box = boundingBox(environment);
  const Lattice& lattice = environment.lattice;
  const int64_t voxel = std::max<int64_t>(1, std::llround(settings.voxel / lattice.unit));
  Build build;
  build.voxel = static_cast<float>(static_cast<double>(voxel) * lattice.unit);
  build.voxelHeight = build.voxel;
  build.ledges = settings.ledges;
  build.corners = static_cast<int>(settings.corners);
  build.climb = std::max(1, static_cast<int>(std::floor(kStep / settings.voxel)));
  build.headRoom = std::max(3, static_cast<int>(std::ceil(kStep / settings.voxel)));
  build.edgeLength = static_cast<int>(kEdgeLength / settings.voxel);
  const Vec2 lowest = lattice.toMetres(box.min);
  const Vec2 highest = lattice.toMetres(box.max);
  build.min = {static_cast<float>(lowest.x), static_cast<float>(writer.low), static_cast<float>(-highest.y)};
  build.max = {static_cast<float>(highest.x), static_cast<float>(writer.high), static_cast<float>(-lowest.y)};
  const auto tiles = buildTiles(writer.soup, build, settings.tiles, context);
  if (!tiles.ok()) return tiles.error();
  context.report(kStage, 1);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Recast was stopped because the caller cancelled it."};
  return assemble(environment, Reader(environment, *truth, box, writer.low, voxel), *tiles, settings);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "The mesh of the Recast library: voxels, watershed regions, convex polygons; approximate.";
  generator.info.source = "M. Mononen, Recast navigation, github.com/recastnavigation/recastnavigation";
  generator.info.traits = traits(true);
  if (!isLibraryPresent()) generator.info.missing = "the Recast library";
  generator.info.options = {
      {"voxel", "Side and height of the voxels, in metres; small ones take memory and time.", "0.2", {}, 0.01, 10},
      {"ledges",
       "Leave out voxels beside a drop: off covers the borders that have no wall.",
       "on",
       {"on", "off"},
       0,
       0},
      {"corners", "Most corners of a polygon.", "6", {}, 3, 6},
      {"tiles",
       "Tiles along the longer side of the world, each built by itself; more make more cells.",
       "1",
       {},
       1,
       256}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(
        environment,
        Settings{options.number("voxel"), options.choice("ledges") == "on",
                 static_cast<uint32_t>(options.number("corners")), static_cast<uint32_t>(options.number("tiles"))},
        context);
  };
  return generator;
}

}  // namespace wend::recast
