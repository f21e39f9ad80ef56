#pragma once

#include "geometry/area.h"
#include "tests/generators/random_worlds.h"
#include "tests/planning/corridor/checks.h"
#include "tests/planning/corridor/surface.h"

// Who can get where, on layers: against offset polygons of the same world in one layer, and against a raster on the
// surface.
namespace wend {

// Worlds cut into strips; the truth is that of the uncut world. Returns how many questions had a clear answer.
inline int checkReachInStrips(uint64_t seed, int worlds) {
  PlanScratch scratch;
  int asked = 0;
  int yes = 0;
  for (int i = 0; i < worlds && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(seed + static_cast<uint64_t>(i));
    Random random(seed + static_cast<uint64_t>(i), 19);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(3, 8));
    settings.rows = static_cast<int32_t>(random.between(2, 8));
    settings.density = random.real(0.6, 1);
    settings.pitch = 10000;
    settings.jitter = random.chance(0.7) ? 2400 : 0;
    const Environment flat = squaresWorld(seed + static_cast<uint64_t>(i), settings);
    settings.layers = static_cast<uint32_t>(random.between(2, 3));
    const SurfaceWorld cut(squaresWorld(seed + static_cast<uint64_t>(i), settings));
    if (cut.navigator == nullptr) continue;
    for (int k = 0; k < 4; ++k) {
      const double r = random.real(200, 9000);
      // Rounding of the offset curves; radii within it of a critical one have no clear answer.
      const Shrunk wide(flat, r * 1.002 + 1);
      const Shrunk narrow(flat, r * 0.998 - 1);
      for (int n = 0; n < 10; ++n) {
        const auto s = cut.random(random);
        const auto g = cut.random(random);
        if (!s || !g) continue;
        const auto whole = [](Vec2 p) { return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)}; };
        const Point from = whole(s->units);
        const Point to = whole(g->units);
        const bool truth = wide.joins(from, to);
        if (truth != narrow.joins(from, to)) continue;
        PathQuery query;
        query.radius = r * cut.unit();
        query.from = cut.lifted({toVec2(from), s->layer});
        query.to = cut.lifted({toVec2(to), g->layer});
        EXPECT_EQ(cut.navigator->reachable(query, scratch) == PathStatus::kFound, truth)
            << "r " << r << ": " << from.x << ", " << from.y << " to " << to.x << ", " << to.y;
        ++asked;
        yes += truth ? 1 : 0;
      }
    }
  }
  EXPECT_GT(yes, asked / 20);
  EXPECT_LT(yes, asked);
  return asked;
}

// Points on a raster of the surface with their clearance, and the straight steps between them.
class SurfaceRaster {
 public:
  SurfaceRaster(const SurfaceWorld& world, size_t about) {
    double area = 0;
    for (const Layer& layer : world.environment.layers) area += 0.5 * static_cast<double>(doubledArea(layer.free));
    step = std::sqrt(area / static_cast<double>(about));
    const Box box = boundingBox(world.environment);
    columns_ = static_cast<int>((box.max.x - box.min.x) / step) + 1;
    rows_ = static_cast<int>((box.max.y - box.min.y) / step) + 1;
    const auto layers = world.environment.layers.size();
    node_.assign(layers * static_cast<size_t>(columns_ * rows_), kNone);
    for (LayerId l = 0; l < layers; ++l) {
      for (int y = 0; y < rows_; ++y) {
        for (int x = 0; x < columns_; ++x) {
          // Off the lattice and off every line of the made worlds.
          const SurfacePoint p{{box.min.x + step * (x + 0.4371), box.min.y + step * (y + 0.3137)}, l};
          if (!isInside(world.environment.layers[l], p.units) || world.oracle.isOnConnection(l, p.units)) continue;
          at(l, x, y) = static_cast<uint32_t>(points.size());
          points.push_back(p);
          clearance.push_back(world.oracle.distance(l, p.units));
        }
      }
    }
    for (LayerId l = 0; l < layers; ++l) {
      for (int y = 0; y < rows_; ++y) {
        for (int x = 0; x < columns_; ++x) {
          if (at(l, x, y) == kNone) continue;
          if (x + 1 < columns_) join(world, at(l, x, y), {step, 0}, x + 1, y);
          if (y + 1 < rows_) join(world, at(l, x, y), {0, step}, x, y + 1);
        }
      }
    }
  }

  // Parts of the raster that keep this clearance; kNone for points that do not.
  std::vector<uint32_t> parts(double keep) const {
    std::vector<uint32_t> parent(points.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](uint32_t v) {
      while (parent[v] != v) v = parent[v] = parent[parent[v]];
      return v;
    };
    for (const auto& [a, b] : steps_) {
      if (clearance[a] >= keep && clearance[b] >= keep) parent[root(a)] = root(b);
    }
    std::vector<uint32_t> out(points.size(), kNone);
    for (uint32_t v = 0; v < points.size(); ++v) {
      if (clearance[v] >= keep) out[v] = root(v);
    }
    return out;
  }

  double step = 0;
  std::vector<SurfacePoint> points;
  std::vector<double> clearance;

 private:
  uint32_t& at(LayerId l, int x, int y) {
    return node_[(static_cast<size_t>(l) * static_cast<size_t>(rows_) + static_cast<size_t>(y)) *
                     static_cast<size_t>(columns_) +
                 static_cast<size_t>(x)];
  }
  static bool isInside(const Layer& layer, Vec2 p) {
    bool inside = false;
    for (const Polygon& polygon : layer.free) {
      const auto cross = [&](const Ring& ring) {
        for (size_t i = 0; i < ring.size(); ++i) {
          const Vec2 a = toVec2(ring[i]);
          const Vec2 b = toVec2(ring[(i + 1) % ring.size()]);
          if ((a.y > p.y) != (b.y > p.y) && a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) > p.x) inside = !inside;
        }
      };
      cross(polygon.outer);
      for (const Ring& hole : polygon.holes) cross(hole);
    }
    return inside;
  }
  void join(const SurfaceWorld& world, uint32_t from, Vec2 d, int x, int y) {
    const auto end = world.oracle.walk(points[from].layer, points[from].units, d);
    if (end.blocked || at(end.layer, x, y) == kNone) return;
    steps_.emplace_back(from, at(end.layer, x, y));
  }

  int columns_ = 0;
  int rows_ = 0;
  std::vector<uint32_t> node_;
  std::vector<std::pair<uint32_t, uint32_t>> steps_;
};

// Worlds above each other. The clearance changes by no more than one moves. So a way over raster points that keep
// r + step / 2 proves that a disk gets through; and where a disk gets through, the corners of the squares on its way
// keep r - sqrt(2) step, if that is positive.
inline int checkReachOnSurfaces(uint64_t seed, int worlds) {
  PlanScratch scratch;
  int asked = 0;
  int yes = 0;
  for (int i = 0; i < worlds && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + static_cast<uint64_t>(i)));
    auto environment = overlappingWorld(seed + static_cast<uint64_t>(i));
    if (!environment) continue;
    const SurfaceWorld world(std::move(*environment));
    if (world.navigator == nullptr) return -1;
    const SurfaceRaster raster(world, 1500);
    if (raster.points.empty()) continue;
    Random random(seed + static_cast<uint64_t>(i), 29);
    for (int k = 0; k < 5; ++k) {
      const double r = random.real(1.5, 5) * raster.step;
      const std::vector<uint32_t> sure = raster.parts(r + 0.5 * raster.step);
      const std::vector<uint32_t> possible = raster.parts(r - std::sqrt(2.0) * raster.step);
      for (int n = 0; n < 12; ++n) {
        const auto s = static_cast<uint32_t>(random.below(raster.points.size()));
        const auto g = static_cast<uint32_t>(random.below(raster.points.size()));
        const bool fits = raster.clearance[s] >= r && raster.clearance[g] >= r;
        const bool truth = sure[s] != kNone && sure[s] == sure[g];
        const bool maybe = fits && possible[s] == possible[g];
        if (truth != maybe || !world.isPlain(raster.points[s]) || !world.isPlain(raster.points[g])) continue;
        PathQuery query;
        query.radius = r * world.unit();
        query.from = world.lifted(raster.points[s]);
        query.to = world.lifted(raster.points[g]);
        EXPECT_EQ(world.navigator->reachable(query, scratch) == PathStatus::kFound, truth)
            << "r " << query.radius << ": " << query.from.x << ", " << query.from.y << ", " << *query.from.z << " to "
            << query.to.x << ", " << query.to.y << ", " << *query.to.z;
        ++asked;
        yes += truth ? 1 : 0;
      }
    }
  }
  EXPECT_GT(yes, asked / 50);
  EXPECT_LT(yes, asked);
  return asked;
}

}  // namespace wend
