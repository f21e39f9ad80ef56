#include "crowd/neighbours/neighbours.h"

#include "tests/crowd/crowd_world.h"
#include "tests/generators/layered_worlds.h"

namespace wend {
namespace {

// A crowd that only stands and looks, sorted by the grid as the step does it.
struct Standing {
  Ground ground;
  Locator locator;
  Agents agents;
  NeighbourGrid grid;

  explicit Standing(const NavMesh& mesh) : ground(mesh), locator(mesh) {}

  void add(Point at, CellId cell, float radius, Vec2f preferred) {
    WallFloodScratch scratch;
    Motion motion;
    motion.preferred = preferred;
    motion.walls = gatherWalls(ground, cell, at, 4, scratch);
    const auto id = static_cast<AgentId>(agents.size());
    const auto free =
        static_cast<float>(std::min<double>(motion.walls.known, clearanceAt(ground, motion.walls, toVec2(at))));
    agents.x.push_back(at.x);
    agents.y.push_back(at.y);
    agents.cell.push_back(cell);
    agents.vx.push_back(0);
    agents.vy.push_back(0);
    agents.radius.push_back(radius);
    agents.id.push_back(id);
    agents.group.push_back(kNone);
    agents.motion.push_back(motion);
    agents.glance.push_back({at, cell, id, {}, radius, free});
    agents.open.emplace_back();
  }

  void sort() {
    grid.build(agents.x, agents.y, ground.unit());
    const Agents old = agents;
    for (size_t i = 0; i < agents.size(); ++i) {
      const uint32_t from = grid.order()[i];
      agents.x[i] = old.x[from];
      agents.y[i] = old.y[from];
      agents.cell[i] = old.cell[from];
      agents.radius[i] = old.radius[from];
      agents.id[i] = old.id[from];
      agents.motion[i] = old.motion[from];
      agents.glance[i] = old.glance[from];
      agents.open[i] = old.open[from];
    }
    start();
  }

  void start() {
    agents.resizeStart();
    for (uint32_t i = 0; i < agents.size(); ++i) {
      agents.startX[i] = agents.x[i];
      agents.startY[i] = agents.y[i];
      agents.startRadius[i] = agents.radius[i];
    }
  }

  Neighbours neighbours(PeriodicStrip strip = {}) const {
    float largest = 0;
    for (const float r : agents.radius) largest = std::max(largest, r);
    return {ground, agents, grid, strip, largest, 0.5F};
  }
};

// Everyone, one by one, sorted by distance and id.
void findSlowly(const Standing& s, const Neighbours& near, uint32_t i, std::vector<uint32_t>& view,
                std::vector<uint32_t>& contacts) {
  struct Other {
    float square;
    AgentId id;
    uint32_t slot;
    auto operator<=>(const Other&) const = default;
  };
  std::vector<Other> ahead;
  std::vector<Other> close;
  const Vec2f facing = direction(s.agents.motion[i].preferred, {});
  for (uint32_t j = 0; j < s.agents.size(); ++j) {
    if (j == i) continue;
    const Vec2f w = near.between(i, j);
    const float square = dot(w, w);
    if (square > 100 || !near.see(i, j, square)) continue;
    const float sum = s.agents.radius[i] + s.agents.radius[j];
    if (square < (sum + 0.5F) * (sum + 0.5F)) close.push_back({square, s.agents.id[j], j});
    if (dot(w, facing) > -0.25F || square < sum * sum) ahead.push_back({square, s.agents.id[j], j});
  }
  const auto take = [](std::vector<Other>& from, size_t most, std::vector<uint32_t>& to) {
    std::sort(from.begin(), from.end());
    to.clear();
    for (size_t n = 0; n < std::min(most, from.size()); ++n) to.push_back(from[n].slot);
  };
  take(ahead, kAvoidNeighbours, view);
  take(close, kMaxContacts, contacts);
}

void compare(const Standing& s, PeriodicStrip strip = {}) {
  const Neighbours near = s.neighbours(strip);
  NeighbourList view;
  ContactList contacts;
  std::vector<uint32_t> slowView;
  std::vector<uint32_t> slowContacts;
  for (uint32_t i = 0; i < s.agents.size(); ++i) {
    findSlowly(s, near, i, slowView, slowContacts);
    // However far is looked at first; the last time as far as the time before says.
    float delivered = 0;
    for (const float first : {0.0F, 0.3F, 10.0F, -1.0F}) {
      float reach = first < 0 ? delivered : first;
      near.find(i, reach, view, contacts);
      delivered = reach;
      ASSERT_EQ(std::vector<uint32_t>(view.all().begin(), view.all().end()), slowView) << s.agents.id[i];
      ASSERT_EQ(std::vector<uint32_t>(contacts.all().begin(), contacts.all().end()), slowContacts) << s.agents.id[i];
    }
  }
}

Vec2f anyDirection(Random& random) {
  const std::array<Vec2f, 6> plain{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.6F, -0.8F}}};
  if (random.chance(0.5)) return plain[random.below(plain.size())];
  return {static_cast<float>(random.real(-1, 1)), static_cast<float>(random.real(-1, 1))};
}

// Of any density, in rooms with walls between, some on one place.
TEST(Neighbours, AreThoseThatLookingAtEveryoneFinds) {
  Random random(3);
  EnvironmentDraft draft = doorRooms(1.5);
  draft.layers[0].obstacles.push_back({rectangle(-6, -1, -4, 1)});
  for (const char* generator : {"ecm", "neogen"}) {
    Standing s(meshOf(built(draft), generator));
    for (const int count : {1, 2, 15, 150, 600}) {
      s.agents = {};
      while (static_cast<int>(s.agents.size()) < count) {
        Point at{static_cast<int32_t>(random.between(-100'000, 100'000)),
                 static_cast<int32_t>(random.between(-50'000, 50'000))};
        if (random.chance(0.1) && s.agents.size() > 0) at = s.agents.at(0);
        const CellId cell = s.locator.locate(s.ground.mesh().lattice().toMetres(at), 0);
        if (cell != kNone) s.add(at, cell, static_cast<float>(random.real(0.1, 0.5)), anyDirection(random));
      }
      for (const double side : {0.5, 2.0, 8.0}) {
        Standing sorted = s;
        sorted.grid.setSide(side);
        sorted.sort();
        compare(sorted);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// People behind a thin wall are nearer than those in sight, more of them than a list holds.
TEST(Neighbours, BehindAWallTakeNobodysPlace) {
  EnvironmentDraft draft = room(0, 0, 20, 20);
  draft.layers[0].obstacles.push_back({rectangle(-1, 9.95, 19, 10.05)});
  Standing s(meshOf(built(draft), "ecm"));
  const auto put = [&](Vec2 metres) {
    const Point at{static_cast<int32_t>(metres.x * 1e4), static_cast<int32_t>(metres.y * 1e4)};
    s.add(at, s.locator.locate(metres, 0), 0.24F, {});
  };
  put({5, 9.5});
  for (int i = 0; i < 40; ++i) put({4.8 + 0.01 * i, 10.3 + 0.005 * i});
  for (int i = 0; i < 15; ++i) put({3 + 0.3 * i, 3});
  for (const double side : {0.5, 2.0, 8.0}) {
    Standing sorted = s;
    sorted.grid.setSide(side);
    sorted.sort();
    compare(sorted);
  }
}

TEST(Neighbours, AreSeenByThoseWhomTheySee) {
  Random random(4);
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const auto environment = overlappingWorld(seed);
    if (!environment) continue;
    Standing s(meshOf(*environment, seed % 2 == 0 ? "ecm" : "neogen"));
    const NavMesh& mesh = s.ground.mesh();
    for (int i = 0; i < 2000 && s.agents.size() < 60; ++i) {
      const auto layer = static_cast<LayerId>(random.below(mesh.layerCount()));
      const Box box = boundingBox(environment->layers[layer].free);
      if (box.empty()) continue;
      const Point at{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                     static_cast<int32_t>(random.between(box.min.y, box.max.y))};
      const CellId cell = s.locator.locate(mesh.lattice().toMetres(at), layer);
      if (cell != kNone) s.add(at, cell, 0.2F, {});
    }
    s.sort();
    const Neighbours near = s.neighbours();
    for (uint32_t i = 0; i < s.agents.size(); ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        const Vec2f w = near.between(i, j);
        ASSERT_EQ(near.see(i, j, dot(w, w)), near.see(j, i, dot(w, w)));
      }
    }
    compare(s);
    if (HasFatalFailure()) return;
  }
}

TEST(Neighbours, AreSeenAcrossAConnectionButNotThroughAFloor) {
  Standing s(meshOf(built(floorAndGallery()), "ecm"));
  const auto put = [&](Vec2 metres, LayerId layer) {
    const Point at{static_cast<int32_t>(metres.x * 1e4), static_cast<int32_t>(metres.y * 1e4)};
    s.add(at, s.locator.locate(metres, layer), 0.24F, {});
  };
  put({19.5, 1}, 0);
  put({20.5, 1}, 1);    // across the connection
  put({19.5, 1.2}, 2);  // straight above
  put({20.5, 4}, 1);    // the other half of the ramp, behind a wall
  put({19.5, 4}, 2);
  s.grid.build(s.agents.x, s.agents.y, s.ground.unit());
  const Neighbours near = s.neighbours();
  const auto see = [&](uint32_t i, uint32_t j) {
    const Vec2f w = near.between(i, j);
    return near.see(i, j, dot(w, w));
  };
  EXPECT_TRUE(see(0, 1));
  EXPECT_FALSE(see(0, 2));
  EXPECT_FALSE(see(0, 3));
  EXPECT_FALSE(see(0, 4));
  EXPECT_FALSE(see(1, 3));
  EXPECT_TRUE(see(3, 4));
  EXPECT_FALSE(see(2, 1));
}

// A few people far apart in a huge world: cells are hashed.
TEST(Neighbours, AreFoundInAHugeWorld) {
  Random random(5);
  Standing s(meshOf(built(room(-40'000, -40'000, 40'000, 40'000)), "ecm"));
  for (int cluster = 0; cluster < 20; ++cluster) {
    const int64_t x = random.between(-390'000'000, 390'000'000);
    const int64_t y = random.between(-390'000'000, 390'000'000);
    for (int i = 0; i < 30; ++i) {
      const Point at{static_cast<int32_t>(x + random.between(-50'000, 50'000)),
                     static_cast<int32_t>(y + random.between(-50'000, 50'000))};
      const CellId cell = s.locator.locate(s.ground.mesh().lattice().toMetres(at), 0);
      if (cell != kNone) s.add(at, cell, 0.24F, anyDirection(random));
    }
  }
  s.sort();
  compare(s);
}

TEST(Neighbours, AreSeenAcrossThePeriodicBorder) {
  Random random(6);
  Standing s(meshOf(built(room(-15, 0, 35, 3)), "ecm"));
  for (int i = 0; i < 120; ++i) {
    const Point at{static_cast<int32_t>(random.between(0, 199'999)),
                   static_cast<int32_t>(random.between(3000, 27'000))};
    s.add(at, s.locator.locate(s.ground.mesh().lattice().toMetres(at), 0), 0.24F, anyDirection(random));
  }
  s.sort();
  compare(s, {0, 200'000});
}

}  // namespace
}  // namespace wend
