#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/disk/disk_navigator.h"
#include "tests/generators/ecm/open_oracle.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/clearance/check.h"

// DiskNavigator on worlds whose layers lie above each other, against looking at every wall in sight over the surface:
// from single places exactly, and from a raster of places for the widest way between two of them.
namespace wend {

// Places every `step` lattice units, joined where one can walk from one to the next. What is nearest to a place changes
// by no more than one moves, so the widest way over the raster misses the widest way by less than a step.
class ClearanceRaster {
 public:
  ClearanceRaster(const Environment& environment, const ecm::SurfaceOracle& oracle, const Locator& locator, double step)
      : environment_(environment), oracle_(oracle), step_(step) {
    for (LayerId layer = 0; layer < environment.layers.size(); ++layer) {
      Grid grid;
      const Box box = boundingBox(environment.layers[layer].free);
      if (!box.empty()) {
        grid.low = {column(box.min.x), column(box.min.y)};
        grid.size = {column(box.max.x) - grid.low[0] + 1, column(box.max.y) - grid.low[1] + 1};
      }
      grid.first = places_.size();
      grids_.push_back(grid);
      for (int64_t y = 0; y < grid.size[1]; ++y) {
        for (int64_t x = 0; x < grid.size[0]; ++x) {
          const Vec2 at = placeOf(grid.low[0] + x, grid.low[1] + y);
          const bool isFloor = locator.locate(environment.lattice.toMetres(at), layer) != kNone;
          places_.push_back({layer, at, isFloor ? oracle.distance(layer, at) : -1});
        }
      }
    }
    link();
  }
  size_t size() const { return places_.size(); }

  // The radius of the widest way between the places of the raster next to both, lattice units; nothing where there are
  // none within a step.
  std::optional<double> widest(LayerId fromLayer, Vec2 from, LayerId toLayer, Vec2 to) const {
    const size_t a = nearest(fromLayer, from);
    const size_t b = nearest(toLayer, to);
    if (a == places_.size() || b == places_.size()) return std::nullopt;
    std::vector<size_t> parent(places_.size());
    std::iota(parent.begin(), parent.end(), size_t{0});
    const auto find = [&](size_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    // Links are in descending order of the room they have.
    for (const Link& link : links_) {
      parent[find(link.a)] = find(link.b);
      if (find(a) == find(b)) return std::min(link.room, std::min(places_[a].room, places_[b].room));
    }
    return a == b ? places_[a].room : -1;
  }

 private:
  struct Place {
    LayerId layer;
    Vec2 at;
    double room;  // negative off the floor
  };
  struct Grid {
    std::array<int64_t, 2> low{0, 0};
    std::array<int64_t, 2> size{0, 0};
    size_t first = 0;
  };
  struct Link {
    size_t a, b;
    double room;
  };
  // Off the lattice, so that no place is on a wall and no way runs through a vertex.
  static constexpr double kShift = 0.3819660112501051;
  Vec2 placeOf(int64_t x, int64_t y) const {
    return {(static_cast<double>(x) + kShift) * step_, (static_cast<double>(y) + kShift * kShift) * step_};
  }
  int64_t column(double units) const { return static_cast<int64_t>(std::floor(units / step_)); }
  size_t indexOf(LayerId layer, int64_t x, int64_t y) const {
    const Grid& grid = grids_[layer];
    x -= grid.low[0];
    y -= grid.low[1];
    if (x < 0 || y < 0 || x >= grid.size[0] || y >= grid.size[1]) return places_.size();
    return grid.first + static_cast<size_t>(y * grid.size[0] + x);
  }
  size_t nearest(LayerId layer, Vec2 p) const {
    size_t best = places_.size();
    double distance = step_;
    for (int64_t y = column(p.y) - 1; y <= column(p.y) + 1; ++y) {
      for (int64_t x = column(p.x) - 1; x <= column(p.x) + 1; ++x) {
        const size_t i = indexOf(layer, x, y);
        if (i == places_.size() || places_[i].room < 0) continue;
        const double d = std::hypot(places_[i].at.x - p.x, places_[i].at.y - p.y);
        if (d >= distance || oracle_.walk(layer, p, {places_[i].at.x - p.x, places_[i].at.y - p.y}).blocked) continue;
        distance = d;
        best = i;
      }
    }
    return best;
  }
  void link() {
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].room < 0) continue;
      const int64_t x = std::llround(places_[i].at.x / step_ - kShift);
      const int64_t y = std::llround(places_[i].at.y / step_ - kShift * kShift);
      for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}, {-1, 0}, {0, -1}, {-1, -1}, {-1, 1}}) {
        const Vec2 to = placeOf(x + dx, y + dy);
        const auto end =
            oracle_.walk(places_[i].layer, places_[i].at, {to.x - places_[i].at.x, to.y - places_[i].at.y});
        if (end.blocked) continue;
        const size_t k = indexOf(end.layer, x + dx, y + dy);
        if (k == places_.size() || places_[k].room < 0) continue;
        links_.push_back({i, k, std::min(places_[i].room, places_[k].room)});
      }
    }
    std::stable_sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) { return a.room > b.room; });
  }

  const Environment& environment_;
  const ecm::SurfaceOracle& oracle_;
  double step_;
  std::vector<Grid> grids_;
  std::vector<Place> places_;
  std::vector<Link> links_;
};

struct SurfaceClearanceCount {
  size_t worlds = 0;
  size_t places = 0;
  size_t found = 0;        // pairs that a disk just narrower than the raster's widest way must pass
  size_t unreachable = 0;  // and that a disk just wider must not, though both ends have room for it
};

// A random world, all generators: single places, then pairs of them.
inline void checkSurfaceClearance(uint64_t seed, int pairs, SurfaceClearanceCount& count) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::optional<Environment> environment = overlappingWorld(seed);
  if (!environment) return;
  ++count.worlds;
  Context serial;
  serial.threads = 1;
  const Lattice& lattice = environment->lattice;
  const ecm::SurfaceOracle oracle(*environment);
  const NavMesh plain = generate(*environment, {.generator = "delaunay"}, serial).value();
  const Locator locator(plain);
  double area = 0;
  for (const Layer& layer : environment->layers) {
    const Box box = boundingBox(layer.free);
    if (!box.empty()) area += static_cast<double>(box.max.x - box.min.x) * static_cast<double>(box.max.y - box.min.y);
  }
  const double step = std::sqrt(area / 12000);
  const ClearanceRaster raster(*environment, oracle, locator, step);
  std::vector<DiskNavigator> navigators;
  for (const GenerateSettings& settings : clearanceGenerators()) {
    const Result<NavMesh> mesh = generate(*environment, settings, serial);
    ASSERT_TRUE(mesh.ok()) << settings.generator;
    navigators.emplace_back(*mesh);
  }
  struct End {
    LayerId layer;
    Vec2 units;
    Vec3 metres;
    double room;
  };
  Random random(seed, 23);
  const auto draw = [&]() -> std::optional<End> {
    for (int i = 0; i < 100; ++i) {
      const auto layer = static_cast<LayerId>(random.below(environment->layers.size()));
      const Box box = boundingBox(environment->layers[layer].free);
      if (box.empty()) continue;
      const Vec2 p{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)};
      const Vec2 metres = lattice.toMetres(p);
      if (locator.locate(metres, layer) == kNone || oracle.isOnConnection(layer, p)) continue;
      const Vec3 at{metres.x, metres.y, locator.height(metres, layer)};
      // Told a height, a navigator must come to this layer.
      const CellId cell = locator.locate(at);
      if (cell == kNone || plain.layerOf(cell) != layer) continue;
      return End{layer, p, at, oracle.distance(layer, p)};
    }
    return std::nullopt;
  };
  // Of several places that with the most room, so that what is between the ends decides.
  const auto drawWide = [&] {
    std::optional<End> best = draw();
    for (int i = 0; i < 8; ++i) {
      const std::optional<End> other = draw();
      if (best && other && other->room > best->room) best = other;
    }
    return best;
  };
  PlanScratch scratch;
  Route route;
  for (int i = 0; i < pairs && !::testing::Test::HasFailure(); ++i) {
    const bool wide = random.chance(0.7);
    const std::optional<End> from = wide ? drawWide() : draw();
    const std::optional<End> to = wide ? drawWide() : draw();
    if (!from || !to) continue;
    const std::optional<double> widest = raster.widest(from->layer, from->units, to->layer, to->units);
    for (const DiskNavigator& navigator : navigators) {
      SCOPED_TRACE(navigator.mesh().info().generator + ", from " + std::to_string(from->metres.x) + "," +
                   std::to_string(from->metres.y) + "," + std::to_string(from->metres.z) + " to " +
                   std::to_string(to->metres.x) + "," + std::to_string(to->metres.y) + "," +
                   std::to_string(to->metres.z));
      // Corners of an ecm mesh are off the lattice: a millimetre is left out there.
      const double off = navigator.mesh().info().generator == "ecm" ? 1e-3 / lattice.unit : 1e-3;
      PathQuery query;
      query.from = query.to = from->metres;
      if (from->room > 2 * off) {
        query.radius = (from->room * (1 - 1e-6) - off) * lattice.unit;
        EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound) << "room " << from->room * lattice.unit;
        query.radius = (from->room * (1 + 1e-6) + off) * lattice.unit;
        EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kStartTooNear) << from->room * lattice.unit;
        ++count.places;
      }
      if (!widest) continue;
      query.to = to->metres;
      const double narrow = std::min({*widest, from->room, to->room}) - 1.1 * step - off;
      if (narrow > off) {
        query.radius = narrow * lattice.unit;
        EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound) << "radius " << query.radius;
        ++count.found;
      }
      const double tooWide = *widest + step;
      query.radius = tooWide * lattice.unit;
      EXPECT_NE(navigator.reachable(query, scratch), PathStatus::kFound) << "radius " << query.radius;
      count.unreachable += tooWide < std::min(from->room, to->room) ? 1U : 0U;
    }
  }
}

}  // namespace wend
