#include <array>
#include <cmath>
#include <limits>

#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/int128.h"
#include "mesh/cell_grid.h"
#include "tests/allocations.h"
#include "tests/mesh/grid_mesh.h"

namespace wend {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

// In 128-bit integers, by half planes: nothing shared with the fast version. Whole coordinates, convex cells.
bool slowContains(const NavMesh& mesh, CellId cell, Point p) {
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    const Int128 turn = static_cast<Int128>(b.x - a.x) * static_cast<Int128>(p.y - a.y) -
                        static_cast<Int128>(b.y - a.y) * static_cast<Int128>(p.x - a.x);
    if (turn < 0) return false;
  }
  return true;
}

std::vector<CellId> slowLocate(const NavMesh& mesh, Point p, LayerId layer) {
  std::vector<CellId> found;
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    if (mesh.layerOf(c) == layer && slowContains(mesh, c, p)) found.push_back(c);
  }
  return found;
}

std::vector<CellId> fastLocate(const Locator& locator, Point p, LayerId layer) {
  std::vector<CellId> found(64);
  const size_t count = locator.locateAll(toVec2(p), layer, found);
  EXPECT_LE(count, found.size());
  found.resize(std::min(count, found.size()));
  return found;
}

// Triangles and quads over a random part of a random grid whose lines are unevenly spaced; layers overlap.
NavMesh randomMesh(Random& random, uint32_t layers) {
  std::vector<LooseCell> cells;
  const bool thin = random.chance(0.3);
  for (LayerId layer = 0; layer < layers; ++layer) {
    const auto n = static_cast<size_t>(random.between(1, 7));
    const auto m = static_cast<size_t>(random.between(1, 7));
    std::vector<double> xs{static_cast<double>(random.between(-300, 300))};
    std::vector<double> ys{static_cast<double>(random.between(-300, 300))};
    for (size_t i = 0; i < n; ++i) xs.push_back(xs.back() + static_cast<double>(random.between(1, thin ? 3 : 100)));
    for (size_t i = 0; i < m; ++i) ys.push_back(ys.back() + static_cast<double>(random.between(1, 100)));
    for (size_t y = 0; y < m; ++y) {
      for (size_t x = 0; x < n; ++x) {
        if (random.chance(0.25)) continue;
        const Vec2 a{xs[x], ys[y]};
        const Vec2 b{xs[x + 1], ys[y]};
        const Vec2 c{xs[x + 1], ys[y + 1]};
        const Vec2 d{xs[x], ys[y + 1]};
        if (random.chance(0.5)) {
          cells.push_back({layer, {a, b, c, d}});
        } else {
          cells.push_back({layer, {a, b, c}});
          if (random.chance(0.8)) cells.push_back({layer, {a, c, d}});
        }
      }
    }
  }
  random.shuffle(cells);
  if (cells.empty()) cells.push_back({0, {{0, 0}, {1, 0}, {0, 1}}});
  MeshArrays arrays = joinCells(cells);
  for (LayerId i = 0; i < arrays.layerHeights.size(); ++i) arrays.layerHeights[i].base = 3.0 * random.real(0, 4);
  return NavMesh(std::move(arrays));
}

TEST(Locator, EmptyFindsNothing) {
  for (const Locator& locator : {Locator(), Locator(NavMesh())}) {
    EXPECT_EQ(locator.locate(Vec2{0, 0}, 0), kNone);
    EXPECT_EQ(locator.locate(Vec3{0, 0, 0}), kNone);
    EXPECT_EQ(locator.locate(Place{0, 0}), kNone);
    EXPECT_EQ(locator.locateAll({0, 0}, 0, {}), 0U);
    EXPECT_TRUE(std::isnan(locator.height({0, 0}, 0)));
  }
}

TEST(Locator, NotANumberAndInfinityAreNowhere) {
  const Locator locator(NavMesh(openGrid(4, 4)));
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e300, -1e300}) {
    EXPECT_EQ(locator.locate(Vec2{bad, 1}, 0), kNone);
    EXPECT_EQ(locator.locate(Vec2{1, bad}, 0), kNone);
    EXPECT_EQ(locator.locate(Vec3{bad, 1, 0}), kNone);
    EXPECT_EQ(locator.locate(Vec3{1, bad, 0}), kNone);
    EXPECT_EQ(locator.locate(Vec3{1, 1, bad}), kNone);
    EXPECT_EQ(locator.locate(Place{bad, bad}), kNone);
    EXPECT_EQ(locator.locateAll({1, bad}, 0, {}), 0U);
  }
  EXPECT_EQ(locator.locate(Place{1, 1, 0, kNan}), kNone);
  EXPECT_EQ(locator.locate(Place{1, 1, 0, -1}), kNone);
  EXPECT_EQ(locator.locate(Vec2{1, 1}, 7), kNone);
}

TEST(Locator, LatticePointsGivenInMetresStayLatticePoints) {
  // 0.1 mm is no binary fraction: every one of these loses a bit on the way to metres.
  std::vector<LooseCell> cells;
  const double far = 1'000'000'001;
  for (int i = 0; i < 50; ++i) cells.push_back({0, {{far + i, 3}, {far + i + 1, 3}, {far + i + 1, 7}, {far + i, 7}}});
  const NavMesh mesh(joinCells(cells));
  const Locator locator(mesh);
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    EXPECT_NE(locator.locate(Vec2{p.x, p.y}, 0), kNone);
    CellId all[4];
    const size_t count = locator.locateAll(mesh.vertex(v), 0, all);
    EXPECT_EQ(locator.locate(Vec2{p.x, p.y}, 0), all[0]);
    EXPECT_EQ(count, mesh.vertex(v).x == far || mesh.vertex(v).x == far + 50 ? 1U : 2U);
  }
}

TEST(Locator, SmallestIdWhereCellsTouch) {
  const NavMesh mesh(openGrid(2, 2));
  const Locator locator(mesh);
  EXPECT_EQ(locator.locate(Vec2{1, 1}, 0), 0U);
  EXPECT_EQ(locator.locate(Vec2{1, 1.5}, 0), 2U);
  CellId found[2];
  EXPECT_EQ(locator.locateAll({10000, 10000}, 0, found), 4U);
  EXPECT_EQ(found[0], 0U);
  EXPECT_EQ(found[1], 1U);
}

TEST(Locator, NonConvexCells) {
  // A U of one cell around a square of another.
  const std::vector<LooseCell> cells{{0, {{0, 0}, {30, 0}, {30, 30}, {20, 30}, {20, 10}, {10, 10}, {10, 30}, {0, 30}}},
                                     {0, {{10, 10}, {20, 10}, {20, 20}, {10, 20}}}};
  MeshArrays arrays = joinCells(cells);
  arrays.lattice.unit = 1;
  const Locator locator{NavMesh(arrays)};
  EXPECT_EQ(locator.locate(Vec2{15, 15}, 0), 1U);
  EXPECT_EQ(locator.locate(Vec2{15, 10}, 0), 0U);
  EXPECT_EQ(locator.locate(Vec2{15, 20.5}, 0), kNone);
  EXPECT_EQ(locator.locate(Vec2{5, 30}, 0), 0U);
  EXPECT_EQ(locator.locate(Vec2{25, 30}, 0), 0U);
  EXPECT_EQ(locator.locate(Vec2{15, 30}, 0), kNone);
  EXPECT_EQ(locator.locate(Vec2{30, 15}, 0), 0U);
}

TEST(Locator, AgreesWithBruteForce) {
  size_t hits = 0;
  size_t queries = 0;
  for (uint64_t seed = 0; seed < 250; ++seed) {
    Random random(seed);
    const NavMesh mesh = randomMesh(random, 1 + static_cast<uint32_t>(random.below(3)));
    const Locator locator(mesh);
    for (int i = 0; i < 400; ++i, ++queries) {
      Point p{static_cast<int32_t>(random.between(-350, 700)), static_cast<int32_t>(random.between(-350, 700))};
      const Vec2 corner = mesh.vertex(static_cast<VertexId>(random.below(mesh.vertexCount())));
      const uint64_t kind = random.below(4);
      if (kind < 3) p.x = static_cast<int32_t>(corner.x);
      if (kind < 2) p.y = static_cast<int32_t>(corner.y);
      if (kind == 1) p.y += static_cast<int32_t>(random.between(-20, 20));
      const auto layer = static_cast<LayerId>(random.below(mesh.layerCount()));
      const std::vector<CellId> slow = slowLocate(mesh, p, layer);
      ASSERT_EQ(fastLocate(locator, p, layer), slow) << "seed " << seed << " at " << p.x << "," << p.y;
      ASSERT_EQ(locator.locate(mesh.lattice().toMetres(p), layer), slow.empty() ? kNone : slow.front());
      hits += slow.size();
    }
  }
  EXPECT_EQ(queries, 100'000U);
  EXPECT_GT(hits, 30'000U);
}

TEST(Locator, AgreesWithBruteForceOnBakedWorlds) {
  for (const char* kind : {"university", "bird", "crazybox1", "nazca-heron"}) {
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      MakeSettings world;
      world.kind = kind;
      GenerateSettings settings;
      settings.generator = generator;
      const Result<NavMesh> mesh = generate(makeEnvironment(world).value(), settings);
      ASSERT_TRUE(mesh.ok());
      const Locator locator(*mesh);
      Box box;
      for (const Vec2 v : mesh->views().vertices) box.add(Point{static_cast<int32_t>(v.x), static_cast<int32_t>(v.y)});
      Random random(4);
      for (int i = 0; i < 500; ++i) {
        Point p{static_cast<int32_t>(random.between(box.min.x - 9, box.max.x + 9)),
                static_cast<int32_t>(random.between(box.min.y - 9, box.max.y + 9))};
        if (i % 4 == 0) {
          const Vec2 v = mesh->vertex(static_cast<VertexId>(random.below(mesh->vertexCount())));
          p = {static_cast<int32_t>(v.x), static_cast<int32_t>(v.y)};
        }
        ASSERT_EQ(fastLocate(locator, p, 0), slowLocate(*mesh, p, 0)) << kind << " at " << p.x << "," << p.y;
      }
    }
  }
}

TEST(Locator, HeightChoosesTheLayer) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed, 1);
    const NavMesh mesh = randomMesh(random, 4);
    const Locator locator(mesh);
    for (int i = 0; i < 300; ++i) {
      const Point p{static_cast<int32_t>(random.between(-200, 500)), static_cast<int32_t>(random.between(-200, 500))};
      const double z = random.real(-2, 14);
      const double tolerance = random.real(0, 3);
      CellId nearest = kNone;
      CellId lowest = kNone;
      for (LayerId layer = 0; layer < mesh.layerCount(); ++layer) {
        const std::vector<CellId> here = slowLocate(mesh, p, layer);
        if (here.empty()) continue;
        const auto height = [&](CellId c) { return mesh.info().layerHeights[mesh.layerOf(c)].base; };
        const double distance = std::abs(height(here.front()) - z);
        if (distance <= tolerance && (nearest == kNone || distance < std::abs(height(nearest) - z))) {
          nearest = here.front();
        }
        if (lowest == kNone || height(here.front()) < height(lowest)) lowest = here.front();
      }
      const Vec2 metres = mesh.lattice().toMetres(p);
      ASSERT_EQ(locator.locate(Place{metres.x, metres.y, z, tolerance}), nearest);
      ASSERT_EQ(locator.locate(Place(metres)), lowest);
    }
  }
}

TEST(Locator, HeightFollowsTheSurface) {
  // Two ramps over the same square, one rising and one falling: they are equally high in the middle.
  std::vector<LooseCell> cells{{0, {{0, 0}, {100, 0}, {100, 100}, {0, 100}}},
                               {1, {{0, 0}, {100, 0}, {100, 100}, {0, 100}}}};
  MeshArrays arrays = joinCells(cells);
  arrays.lattice.unit = 1;
  for (LayerId i = 0; i < 2; ++i) {
    HeightField& field = arrays.layerHeights[i];
    field.points = {{0, 0}, {100, 0}, {100, 100}, {0, 100}};
    field.z = i == 0 ? std::vector<double>{0, 10, 10, 0} : std::vector<double>{10, 0, 0, 10};
    field.triangles = {{0, 1, 2}, {0, 2, 3}};
  }
  const Locator locator{NavMesh(arrays)};
  EXPECT_DOUBLE_EQ(locator.height({20, 50}, 0), 2);
  EXPECT_DOUBLE_EQ(locator.height({20, 50}, 1), 8);
  EXPECT_EQ(locator.locate(Vec3{20, 50, 2.5}), 0U);
  EXPECT_EQ(locator.locate(Vec3{20, 50, 7.5}), 1U);
  EXPECT_EQ(locator.locate(Vec3{20, 50, 5}), kNone);
  EXPECT_EQ(locator.locate(Vec3{80, 50, 2.5}), 1U);
  EXPECT_EQ(locator.locate(Vec3{50, 50, 5}), 0U);
  EXPECT_EQ(locator.locate(Place{20, 50}), 0U);
  EXPECT_EQ(locator.locate(Place{80, 50}), 1U);
}

TEST(Locator, AllocatesNothing) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  Random random(5);
  const NavMesh mesh = randomMesh(random, 3);
  const Locator locator(mesh);
  EXPECT_GT(testing::takeAllocations(), 0U) << "the counter does not count";
  size_t found = 0;
  std::array<CellId, 8> out{};
  for (int i = 0; i < 1000; ++i) {
    const Vec2 p{random.real(-0.04, 0.07), random.real(-0.04, 0.07)};
    found += locator.locate(p, 1) != kNone;
    found += locator.locate(Place{p.x, p.y, 3, 5}) != kNone;
    found += locator.locate(Place(p)) != kNone;
    found += locator.locateAll({p.x * 1e4, p.y * 1e4}, 0, out);
    found += locator.height(p, 0) > 0;
  }
  EXPECT_EQ(testing::takeAllocations(), 0U);
  EXPECT_GT(found, 1000U);
}

// Work per query where uniform grids fail: candidates tested at a random place. Each place also against brute force.
double candidates(const std::vector<LooseCell>& cells, double* bytesPerCell) {
  const NavMesh mesh(joinCells(cells));
  std::vector<CellId> all(mesh.cellCount());
  for (CellId c = 0; c < mesh.cellCount(); ++c) all[c] = c;
  const CellGrid grid(mesh, all);
  const Locator locator(mesh);
  *bytesPerCell = static_cast<double>(grid.memory()) / mesh.cellCount();
  Random random(3);
  double sum = 0;
  const int queries = 2000;
  for (int i = 0; i < queries; ++i) {
    Point p{static_cast<int32_t>(random.real(grid.low().x, grid.high().x)),
            static_cast<int32_t>(random.real(grid.low().y, grid.high().y))};
    sum += static_cast<double>(grid.at(toVec2(p)).size());
    if (i % 3 == 0) {
      const Vec2 v = mesh.vertex(static_cast<VertexId>(random.below(mesh.vertexCount())));
      p = {static_cast<int32_t>(v.x), static_cast<int32_t>(v.y)};
    }
    if (i % 4 == 0) {
      const std::vector<CellId> slow = slowLocate(mesh, p, 0);
      std::vector<CellId> fast(slow.size() + 1);
      fast.resize(std::min(fast.size(), locator.locateAll(toVec2(p), 0, fast)));
      EXPECT_EQ(fast, slow) << p.x << "," << p.y;
    }
  }
  return sum / queries;
}

TEST(Locator, FewCandidatesOnBadlyShapedMeshes) {
  const int n = 1500;
  std::vector<LooseCell> fan;      // slivers around one corner
  std::vector<LooseCell> slats;    // parallel to an axis
  std::vector<LooseCell> slanted;  // parallel, oblique
  std::vector<LooseCell> dense;    // half of the cells in a millionth of the area
  for (int i = 0; i < n; ++i) {
    const double t = i;
    fan.push_back({0, {{0, 0}, {1e6, t * 600}, {1e6, (t + 1) * 600}}});
    slats.push_back({0, {{0, t}, {1e6, t}, {1e6, t + 1}, {0, t + 1}}});
    slanted.push_back({0, {{t * 10, 0}, {(t + 1) * 10, 0}, {(t + 1) * 10 + 4e4, 4e4}, {t * 10 + 4e4, 4e4}}});
    const double size = i % 2 == 0 ? 10 : 10'000;
    const double x = (i / 2 % 45) * size;
    const double y = (i / 2 / 45) * size - (i % 2 == 0 ? 1000 : 0);
    dense.push_back({0, {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}});
  }
  double bytes = 0;
  EXPECT_LT(candidates(fan, &bytes), 30);
  EXPECT_LT(bytes, 300);
  EXPECT_LT(candidates(slats, &bytes), 5);
  EXPECT_LT(bytes, 300);
  EXPECT_LT(candidates(slanted, &bytes), 20);
  EXPECT_LT(bytes, 300);
  EXPECT_LT(candidates(dense, &bytes), 6);
  EXPECT_LT(bytes, 300);
}

}  // namespace
}  // namespace wend
