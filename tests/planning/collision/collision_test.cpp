#include <wend/game/collision.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

NavMesh meshOf(const std::string& kind, const std::string& generator = "hertel-mehlhorn") {
  const auto environment = makeEnvironment({.kind = kind});
  EXPECT_TRUE(environment.ok());
  const auto mesh = generate(*environment, {.generator = generator});
  EXPECT_TRUE(mesh.ok());
  return *mesh;
}

// Random disks that touch no wall.
struct Disk {
  Vec2 position;
  double radius;
};
std::vector<Disk> freeDisks(const CollisionService& service, const NavMesh& mesh, size_t count, uint64_t seed) {
  Random random(seed);
  Vec2 low{1e9, 1e9};
  Vec2 high{-1e9, -1e9};
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  std::vector<Disk> disks;
  while (disks.size() < count) {
    const Disk disk{{random.real(low.x, high.x), random.real(low.y, high.y)}, random.real(0.2, 1.5)};
    if (!service.touchesWall(disk.position, disk.radius)) disks.push_back(disk);
  }
  return disks;
}

std::vector<std::pair<ObjectId, ObjectId>> allPairs(const std::vector<Disk>& disks) {
  std::vector<std::pair<ObjectId, ObjectId>> pairs;
  for (ObjectId i = 0; i < disks.size(); ++i) {
    for (ObjectId j = i + 1; j < disks.size(); ++j) {
      const double distance =
          std::hypot(disks[i].position.x - disks[j].position.x, disks[i].position.y - disks[j].position.y);
      if (distance < disks[i].radius + disks[j].radius) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

TEST(Collision, PairsAreThoseOfATestOfAllPairs) {
  for (const char* generator : {"hertel-mehlhorn", "delaunay", "trapezoid", "ecm"}) {
    const NavMesh mesh = meshOf("city", generator);
    CollisionService service(mesh);
    std::vector<Disk> disks = freeDisks(service, mesh, 2500, 4);
    for (const Disk& disk : disks) ASSERT_TRUE(service.insert(disk.position, disk.radius).ok());
    const auto expected = allPairs(disks);
    EXPECT_GT(expected.size(), 20U);
    EXPECT_EQ(service.collidingPairs(), expected) << generator;
    // After motion, too.
    Random random(9);
    for (ObjectId i = 0; i < disks.size(); ++i) {
      const Vec2 moved{disks[i].position.x + random.real(-2, 2), disks[i].position.y + random.real(-2, 2)};
      if (service.touchesWall(moved, disks[i].radius)) continue;
      ASSERT_TRUE(service.update(i, moved).ok());
      disks[i].position = moved;
    }
    const auto after = allPairs(disks);
    EXPECT_EQ(service.collidingPairs(), after) << generator;
    std::vector<ObjectId> touching;
    for (ObjectId i = 0; i < 200; ++i) {
      service.findColliding(i, touching);
      std::vector<ObjectId> slow;
      for (const auto& [a, b] : after) {
        if (a == i) slow.push_back(b);
        if (b == i) slow.push_back(a);
      }
      std::sort(slow.begin(), slow.end());
      EXPECT_EQ(touching, slow);
    }
  }
}

// One large cell, as in a hall: the work still does not grow with the square of the objects.
TEST(Collision, LargeCellsAreSwept) {
  const auto hall = buildEnvironment({.layers = {{.walkable = {{{{0, 0}, {200, 0}, {200, 120}, {0, 120}}}}}}});
  ASSERT_TRUE(hall.ok());
  const auto mesh = generate(*hall, {.generator = "pasfv"});
  ASSERT_TRUE(mesh.ok());
  ASSERT_EQ(mesh->cellCount(), 1U);
  for (const uint32_t count : {200U, 1000U, 5000U}) {
    CollisionService service(*mesh);
    Random random(count);
    std::vector<Disk> disks;
    for (uint32_t i = 0; i < count; ++i) {
      disks.push_back({{random.real(1, 199), random.real(1, 119)}, random.real(0.2, 0.5)});
      ASSERT_TRUE(service.insert(disks.back().position, disks.back().radius).ok());
    }
    EXPECT_EQ(service.collidingPairs(), allPairs(disks));
    EXPECT_LT(service.tests(), uint64_t{count} * count / 2 / 50);
  }
}

TEST(Collision, TheStaticTestIsTheDistanceToTheNearestWall) {
  const NavMesh mesh = meshOf("maze");
  const CollisionService service(mesh);
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Vec2 p{random.real(-1, 21), random.real(-1, 21)};
    const double radius = random.real(0, 0.8);
    const CellId cell = Locator(mesh).locate(Place(p));
    double nearest = cell == kNone ? -1 : 1e9;
    for (SideId s = 0; s < mesh.sideCount() && cell != kNone; ++s) {
      if (!mesh.isWall(s)) continue;
      const Vec3 a = mesh.position(mesh.startVertex(s));
      const Vec3 b = mesh.position(mesh.endVertex(s));
      const double length = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
      const double t = std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length, 0.0, 1.0);
      nearest = std::min(nearest, std::hypot(a.x + t * (b.x - a.x) - p.x, a.y + t * (b.y - a.y) - p.y));
    }
    if (std::abs(nearest - radius) < 1e-9) continue;
    EXPECT_EQ(service.touchesWall(p, radius), nearest < radius);
  }
}

TEST(Collision, ObjectsComeMoveAndGo) {
  const NavMesh mesh = meshOf("maze");
  CollisionService service(mesh);
  const auto a = service.insert(Vec2{0.5, 0.5}, 0.1);
  ASSERT_TRUE(a.ok());
  EXPECT_EQ(service.insert(Vec2{-5, -5}, 0.1).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(service.insert(Vec2{std::nan(""), 0}, 0.1).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(service.insert(Vec2{0.5, 0.5}, -1).error().code, ErrorCode::kInvalidSettings);
  const auto b = service.insert(Vec2{0.55, 0.5}, 0.1, service.cellOf(*a));
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(service.collidingPairs().size(), 1U);
  EXPECT_FALSE(service.update(*b, Vec2{-9, 0}).ok());  // stays
  EXPECT_EQ(service.collidingPairs().size(), 1U);
  // A jump across the mesh is found, too.
  const Vec3 far = mesh.position(mesh.startVertex(mesh.firstSide(mesh.cellCount() - 1)));
  EXPECT_TRUE(service.update(*b, Vec2{far.x, far.y}).ok());
  EXPECT_TRUE(service.collidingPairs().empty());
  service.remove(*a);
  service.remove(*a);
  service.remove(99);
  EXPECT_EQ(service.size(), 1U);
  EXPECT_EQ(service.cellOf(*a), kNone);
  EXPECT_FALSE(service.update(*a, Vec2{0.5, 0.5}).ok());
  // The id is used again.
  EXPECT_EQ(*service.insert(Vec2{0.5, 0.5}, 0.2), *a);
}

TEST(Collision, StoreysDoNotTouchEachOther) {
  const auto environment = makeEnvironment({.kind = "station"});
  ASSERT_TRUE(environment.ok());
  const auto mesh = generate(*environment);
  ASSERT_TRUE(mesh.ok());
  CollisionService service(*mesh);
  const Locator locator(*mesh);
  // Two places above each other.
  for (double x = 2; x < 120; x += 1) {
    for (double y = 2; y < 80; y += 1) {
      std::vector<double> heights;
      for (LayerId layer = 0; layer < mesh->layerCount(); ++layer) {
        if (locator.locate(Vec2{x, y}, layer) != kNone) heights.push_back(locator.height({x, y}, layer));
      }
      std::sort(heights.begin(), heights.end());
      if (heights.size() < 2 || heights.back() - heights.front() < 2.5) continue;
      ASSERT_TRUE(service.insert(Vec3{x, y, heights.front()}, 0.3).ok());
      ASSERT_TRUE(service.insert(Vec3{x, y, heights.back()}, 0.3).ok());
      EXPECT_TRUE(service.collidingPairs().empty());
      return;
    }
  }
  FAIL() << "no two floors above each other";
}

}  // namespace
}  // namespace wend
