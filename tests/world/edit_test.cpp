#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <wend/file.h>
#include <wend/make.h>
#include <wend/world.h>
#include <wend/world_input.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/data.h"
#include "tests/environment/edit/random_edits.h"

// World::apply(): what edits mean, whatever came before.
namespace wend {
namespace {

World baked(Environment environment, const std::string& generator = "ecm") {
  Result<World> world = bake(std::move(environment), {.generator = generator, .options = {}, .seed = 1});
  EXPECT_TRUE(world.ok()) << world.error().message;
  return world.ok() ? *world : World();
}

Environment drawn(std::vector<std::vector<Vec2>> walkable, double unit = 1e-4) {
  EnvironmentDraft draft;
  draft.lattice.unit = unit;
  LayerDraft& layer = draft.layers.emplace_back();
  for (auto& loop : walkable) layer.walkable.push_back({std::move(loop)});
  return *buildEnvironment(draft);
}

// A room of 10 x 10 m.
World room(const std::string& generator = "ecm") {
  return baked(drawn({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}), generator);
}

// A floor, a stair up from it along x = 10, and an upper floor at its head, x = 14.
Environment stair(double degrees = 0) {
  EnvironmentDraft draft;
  const auto layer = [&](int32_t id, std::vector<Vec2> loop, double height) -> LayerDraft& {
    LayerDraft& made = draft.layers.emplace_back();
    made.id = id;
    made.height = height;
    made.walkable = {{turned(std::move(loop), degrees)}};
    return made;
  };
  layer(1, {{0, 0}, {10, 0}, {10, 4}, {10, 6}, {10, 10}, {0, 10}}, 0);
  LayerDraft& flight = layer(2, {{10, 4}, {14, 4}, {14, 6}, {10, 6}}, 0);
  const auto at = [&](double x, double y, double z) {
    const Vec2 p = turned(Vec2{x, y}, degrees);
    return Vec3{p.x, p.y, z};
  };
  flight.surface = {{at(10, 4, 0), at(14, 4, 3), at(14, 6, 3)}, {at(10, 4, 0), at(14, 6, 3), at(10, 6, 0)}};
  layer(3, {{14, 0}, {24, 0}, {24, 10}, {14, 10}, {14, 6}, {14, 4}}, 3);
  draft.connections.push_back({1, 2, turned(std::vector<Vec2>{{10, 4}, {10, 6}}, degrees)});
  draft.connections.push_back({2, 3, turned(std::vector<Vec2>{{14, 4}, {14, 6}}, degrees)});
  Result<Environment> environment = buildEnvironment(draft);
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  return environment.ok() ? *environment : Environment{};
}

PolygonShape square(double side) {
  const double h = side / 2;
  return {{{-h, -h}, {h, -h}, {h, h}, {-h, h}}, {}};
}

Obstacle crate(double x, double y, double side = 1, std::vector<int32_t> layers = {}) {
  Obstacle obstacle;
  obstacle.shape = square(side);
  obstacle.place.at = {x, y, 0};
  obstacle.layers = std::move(layers);
  return obstacle;
}

void expectRight(const World& world) {
  for (const Violation& v : validate(world.environment(), 2)) ADD_FAILURE() << v.message;
  for (const MeshFault& f : checkMesh(world.mesh(), &world.environment(), 2)) ADD_FAILURE() << f.message;
}

WorldUpdate applied(const World& world, std::vector<Edit> edits) {
  Result<WorldUpdate> update = world.apply(edits);
  EXPECT_TRUE(update.ok()) << update.error().message;
  if (!update.ok()) return {world, {}};
  expectRight(update->world);
  return *std::move(update);
}

double area(const World& world) {
  double sum = 0;
  for (const Layer& layer : world.environment().layers) sum += polygonArea(layer.free, world.environment().lattice);
  return sum;
}

ErrorCode codeOf(const World& world, std::vector<Edit> edits) {
  const uint64_t before = hash(world);
  const Result<WorldUpdate> update = world.apply(edits);
  EXPECT_FALSE(update.ok());
  EXPECT_EQ(hash(world), before);
  if (update.ok()) return ErrorCode::kInternal;
  EXPECT_FALSE(update.error().message.empty());
  return update.error().code;
}

// --- Failure is a typed error and no change
// ---------------------------------------------------------------------------

TEST(WorldEdit, RefusesWhatIsWrong) {
  const World world = room();
  Obstacle bow = crate(5, 5);
  bow.shape = PolygonShape{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {}};
  EXPECT_EQ(codeOf(world, {AddObstacle{bow}}), ErrorCode::kInvalidGeometry);
  Obstacle spike = crate(5, 5);
  spike.shape = PolygonShape{{{0, 0}, {2, 0}, {1, 0}}, {}};
  EXPECT_EQ(codeOf(world, {AddObstacle{spike}}), ErrorCode::kInvalidGeometry);
  Obstacle infinite = crate(NAN, 5);
  EXPECT_EQ(codeOf(world, {AddObstacle{infinite}}), ErrorCode::kInvalidGeometry);
  EXPECT_EQ(codeOf(world, {AddObstacle{crate(50, 5)}}), ErrorCode::kNotOnMesh);
  EXPECT_EQ(codeOf(world, {AddObstacle{crate(1e9, 5)}}), ErrorCode::kOutsideLattice);
  EXPECT_EQ(codeOf(world, {AddObstacle{crate(5, 5, 30)}}), ErrorCode::kEmpty);
  EXPECT_EQ(codeOf(world, {AddObstacle{crate(5, 5, 1, {9})}}), ErrorCode::kInvalidSettings);
  EXPECT_EQ(codeOf(world, {SetDoor{"gate", true}}), ErrorCode::kInvalidSettings);
  EXPECT_EQ(codeOf(world, {RemoveObstacle{{0, 0}}}), ErrorCode::kInvalidSettings);
  EXPECT_EQ(codeOf(world, {MoveObstacle{{0, 0}, {}}}), ErrorCode::kInvalidSettings);
  EXPECT_EQ(codeOf(world, {SetCost{"", "grass", 2}}), ErrorCode::kInvalidSettings);
  Obstacle skewed = crate(5, 5);
  skewed.place.cosine = 0.5;
  EXPECT_EQ(codeOf(world, {AddObstacle{skewed}}), ErrorCode::kInvalidSettings);
  Obstacle flat = crate(5, 5);
  flat.shape = BoxShape{{1, 1, 0}};
  EXPECT_EQ(codeOf(world, {AddObstacle{flat}}), ErrorCode::kInvalidGeometry);
  flat.shape = ConvexShape{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
  EXPECT_EQ(codeOf(world, {AddObstacle{flat}}), ErrorCode::kInvalidGeometry);
  // A batch with one wrong edit changes nothing, and says which one it is.
  const Result<WorldUpdate> batch = world.apply(std::vector<Edit>{AddObstacle{crate(3, 3)}, SetDoor{"gate", true}});
  ASSERT_FALSE(batch.ok());
  EXPECT_NE(batch.error().message.find("edit 2"), std::string::npos);
}

// --- What edits mean
// ----------------------------------------------------------------------------------------------------

TEST(WorldEdit, AddMoveRemoveGivesBackTheWorld) {
  const World world = room();
  const WorldUpdate added = applied(world, {AddObstacle{crate(5, 5, 2)}});
  EXPECT_NEAR(area(added.world), 96, 1e-6);
  EXPECT_EQ(added.report.version, 1u);
  EXPECT_EQ(added.report.changed.boxes.size(), 1u);
  EXPECT_NE(added.report.mesh, MeshChange::kNone);
  const ObstacleId id = added.report.edits.at(0).id;
  ASSERT_NE(added.world.find(id), nullptr);
  const WorldUpdate moved = applied(added.world, {MoveObstacle{id, Placement::turned({2, 2, 0}, 17)}});
  EXPECT_NEAR(area(moved.world), 96, 0.01);
  const WorldUpdate removed = applied(moved.world, {RemoveObstacle{id}});
  EXPECT_EQ(removed.world.environment(), world.environment());
  // A mesh that was changed in place may number its cells otherwise; free space has no history.
  EXPECT_EQ(hash(removed.world.environment()), hash(world.environment()));
  EXPECT_EQ(removed.world.find(id), nullptr);
  EXPECT_TRUE(removed.world.obstacles().empty());
  // The slot is used again, the id is not.
  const WorldUpdate again = applied(removed.world, {AddObstacle{crate(5, 5)}});
  EXPECT_EQ(again.report.edits.at(0).id, (ObstacleId{id.slot, id.generation + 1}));
  // Older versions are as they were.
  EXPECT_NEAR(area(world), 100, 1e-6);
  EXPECT_NEAR(area(added.world), 96, 1e-6);
}

TEST(WorldEdit, OverlappingObstaclesLeaveInAnyOrder) {
  const World world = room();
  const World all =
      applied(world, {AddObstacle{crate(5, 5, 2)}, AddObstacle{crate(6, 6, 2)}, AddObstacle{crate(0, 5, 3)}}).world;
  std::vector<uint32_t> order{0, 1, 2};
  do {
    World now = all;
    for (const uint32_t slot : order) now = applied(now, {RemoveObstacle{{slot, 0}}}).world;
    EXPECT_EQ(now.environment(), world.environment());
  } while (std::next_permutation(order.begin(), order.end()));
  const WorldUpdate hidden = applied(all, {AddObstacle{crate(5, 5, 0.5)}});
  EXPECT_EQ(hidden.report.edits.at(0).outcome, EditOutcome::kHidden);
  EXPECT_EQ(hidden.report.mesh, MeshChange::kNone);
  EXPECT_TRUE(hidden.report.changed.boxes.empty());
}

TEST(WorldEdit, FencesAndPostsBlock) {
  const World world = room();
  Obstacle fence;
  fence.shape = SegmentShape{{-6, 0}, {6, 0.5}};
  fence.place.at = {5, 5, 0};
  const World halves = applied(world, {AddObstacle{fence}}).world;
  EXPECT_EQ(topology(halves.environment()).components, 2u);
  EXPECT_NEAR(area(halves), 100, 0.02);
  Obstacle post;
  post.shape = PointShape{};
  post.place.at = {3, 3, 0};
  const World posted = applied(halves, {AddObstacle{post}}).world;
  EXPECT_EQ(topology(posted.environment()).boundaries, 3u);
  // A polygon that rounding leaves without area is a fence.
  Obstacle sliver = crate(5, 2);
  sliver.shape = PolygonShape{{{-1, 0}, {1, 0}, {0, 1e-6}}, {}};
  EXPECT_EQ(topology(applied(posted, {AddObstacle{sliver}}).world.environment()).boundaries, 4u);
}

TEST(WorldEdit, DoorsOpenAndShut) {
  const World world = baked(drawn(
      {{{0, 0}, {4, 0}, {4, 10}, {0, 10}}, {{6, 0}, {10, 0}, {10, 10}, {6, 10}}, {{3, 4}, {7, 4}, {7, 6}, {3, 6}}}));
  const WorldUpdate door = applied(world, {AddDoor{{"gate", {{5, 4}, {5, 6}}}}});
  EXPECT_EQ(door.report.mesh, MeshChange::kNone);
  EXPECT_EQ(codeOf(door.world, {AddDoor{{"gate", {{5, 4}, {5, 6}}}}}), ErrorCode::kInvalidSettings);
  const WorldUpdate shut = applied(door.world, {SetDoor{"gate", false}});
  EXPECT_EQ(topology(shut.world.environment()).components, 2u);
  EXPECT_FALSE(shut.world.findDoor("gate")->open);
  const WorldUpdate same = applied(shut.world, {SetDoor{"gate", false}});
  EXPECT_EQ(same.report.edits.at(0).outcome, EditOutcome::kNoChange);
  EXPECT_EQ(same.report.mesh, MeshChange::kNone);
  EXPECT_EQ(applied(same.world, {SetDoor{"gate", true}}).world.environment(), world.environment());
}

// --- Layers
// -----------------------------------------------------------------------------------------------------------

TEST(WorldEdit, DoorAtTheHeadOfAStair) {
  for (const double degrees : {0.0, 17.0}) {
    const World world = baked(stair(degrees));
    const auto turnedLine = turned(std::vector<Vec2>{{14, 4}, {14, 6}}, degrees);
    const World door = applied(world, {AddDoor{{"head", turnedLine, 0.1, 3}}}).world;
    const WorldUpdate shut = applied(door, {SetDoor{"head", false}});
    EXPECT_EQ(shut.report.edits.at(0).layers, (std::vector<int32_t>{2, 3}));
    ASSERT_EQ(shut.report.connections.size(), 1u);
    EXPECT_EQ(shut.report.connections[0].pieces, 0u);
    EXPECT_NEAR(shut.report.connections[0].lengthBefore, 2, 1e-3);
    EXPECT_EQ(topology(shut.world.environment()).components, 2u);
    EXPECT_EQ(applied(shut.world, {SetDoor{"head", true}}).world.environment(), world.environment());
  }
}

TEST(WorldEdit, ObstacleAcrossAConnection) {
  for (const double degrees : {0.0, 17.0}) {
    for (const std::string generator : {"ecm", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
      const World world = baked(stair(degrees), generator);
      const Vec2 at = turned(Vec2{10, 5}, degrees);
      const WorldUpdate update = applied(world, {AddObstacle{crate(at.x, at.y, 0.5, {1})}});
      EXPECT_EQ(update.report.edits.at(0).layers, (std::vector<int32_t>{1, 2}));
      ASSERT_EQ(update.report.connections.size(), 1u);
      EXPECT_EQ(update.report.connections[0].pieces, 2u);
      EXPECT_EQ(update.world.environment().connections.size(), 3u);
      // On one layer only it is a wall of the other.
      Obstacle one = crate(at.x, at.y, 0.5, {1});
      one.spreads = false;
      const WorldUpdate half = applied(world, {AddObstacle{one}});
      EXPECT_EQ(half.world.environment().connections.size(), 3u);
      EXPECT_EQ(applied(half.world, {RemoveObstacle{{0, 0}}}).world.environment(), world.environment());
    }
  }
}

TEST(WorldEdit, BodiesBlockWhereSomebodyMeetsThem) {
  const World world = baked(stair());
  const auto body = [](ObstacleShape shape, double x, double y, double z) {
    Obstacle obstacle;
    obstacle.shape = std::move(shape);
    obstacle.place.at = {x, y, z};
    return AddObstacle{obstacle};
  };
  const auto layersOf = [&](const Edit& edit) { return applied(world, {edit}).report.edits.at(0).layers; };
  using Ids = std::vector<int32_t>;
  EXPECT_EQ(layersOf(body(BoxShape{{1, 1, 1}}, 5, 5, 0)), (Ids{1}));
  EXPECT_EQ(layersOf(body(BoxShape{{1, 1, 1}}, 20, 5, 3)), (Ids{3}));
  EXPECT_EQ(layersOf(body(BoxShape{{1, 1, 0.3}}, 5, 5, 0)), (Ids{}));  // stepped over
  EXPECT_EQ(layersOf(body(BoxShape{{1, 1, 1}}, 5, 5, 2.1)), (Ids{}));  // above the head
  EXPECT_EQ(layersOf(body(CylinderShape{0.4, 2}, 12, 5, 1.5)), (Ids{2}));
  // A beam over the stair 2.5 m above the lower floor: the head meets it from z = 0.5 up, the step passes it from 2.6.
  const WorldUpdate beam = applied(world, {body(BoxShape{{6, 1, 0.5}}, 12, 5, 2.5)});
  EXPECT_EQ(beam.report.edits.at(0).layers, (Ids{2}));
  const double blocked = area(world) - area(beam.world);
  EXPECT_NEAR(blocked, (2.6 - 0.5) / 3 * 4 * 1, 0.01);
  // The same as a hull, turned.
  ConvexShape hull;
  for (const double x : {-3.0, 3.0}) {
    for (const double y : {-0.5, 0.5}) {
      for (const double z : {0.0, 0.5}) hull.points.push_back({x, y, z});
    }
  }
  const WorldUpdate asHull = applied(world, {body(hull, 12, 5, 2.5)});
  EXPECT_NEAR(area(world) - area(asHull.world), blocked, 1e-3);
  // A slab through both floors blocks all three layers.
  EXPECT_EQ(layersOf(body(BoxShape{{12, 0.5, 5}}, 12, 5, 0)), (Ids{1, 2, 3}));
}

// --- Files ---

TEST(WorldEdit, EditedWorldsAreSavedWhole) {
  const World world = baked(stair());
  Obstacle body;
  body.name = "drum";
  body.shape = CylinderShape{0.5, 1};
  body.place.at = {20, 5, 3};
  Obstacle ring = crate(5, 5, 2, {1});
  std::get<PolygonShape>(ring.shape).loops = {{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
  World edited = applied(world, {AddObstacle{crate(2, 2, 1, {1})}, AddObstacle{body}, AddObstacle{ring},
                                 AddDoor{{"head", {{14, 4}, {14, 6}}, 0.1, 3, true, false}}})
                     .world;
  edited = applied(edited, {RemoveObstacle{{0, 0}}}).world;
  const Result<std::string> bytes = serialiseWorld(edited);
  ASSERT_TRUE(bytes.ok());
  const Result<World> loaded = parseWorld(asBytes(*bytes), "copy");
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(hash(*loaded), hash(edited));
  EXPECT_EQ(loaded->version(), 2U);
  EXPECT_EQ(loaded->base(), world.environment());
  EXPECT_EQ(loaded->obstacles(), edited.obstacles());
  for (const ObstacleId id : edited.obstacles()) EXPECT_EQ(*loaded->find(id), *edited.find(id));
  EXPECT_EQ(loaded->doors(), edited.doors());
  // Edits go on where they were: ids, connections, and what comes back.
  const WorldUpdate opened = applied(*loaded, {SetDoor{"head", true}});
  EXPECT_EQ(opened.report.connections.size(), 1U);
  EXPECT_EQ(applied(opened.world, {AddObstacle{crate(2, 2, 1, {1})}}).report.edits[0].id, (ObstacleId{0, 1}));
  EXPECT_EQ(applied(opened.world, {RemoveObstacle{{1, 0}}, RemoveObstacle{{2, 0}}}).world.environment(),
            world.environment());
}

// --- Random sequences
// -------------------------------------------------------------------------------------------------

Obstacle randomObstacle(Random& random, const Environment& environment, double degrees) {
  Obstacle obstacle;
  const Vec2 at = turned(Vec2{20 * random.real(), 10 * random.real()}, degrees);
  obstacle.place = Placement::turned({at.x, at.y, 0}, 360 * random.real());
  obstacle.layers = {environment.layers[random.below(environment.layers.size())].id};
  obstacle.spreads = random.chance(0.7);
  switch (random.below(4)) {
    case 0:
      obstacle.shape = SegmentShape{{-1, 0}, {1 + random.real(), 0}};
      break;
    case 1:
      obstacle.shape = PointShape{};
      break;
    default:
      obstacle.shape = PolygonShape{randomLoop(random, {}, 0.2 + 1.5 * random.real(), random.chance(0.5)), {}};
  }
  return obstacle;
}

// Any sequence of edits ends in the world that its obstacles alone would give, and its mesh is right on the way.
void checkSequence(uint64_t seed, bool layered, const std::string& generator, int edits) {
  Random random(seed);
  const double degrees = random.chance(0.5) ? 17 : 0;
  const Environment environment = randomHall(random, layered, degrees, 1e-4);
  const World start = baked(environment, generator);
  World world = start;
  std::map<ObstacleId, Obstacle> present;
  for (int i = 0; i < edits; ++i) {
    std::vector<Edit> batch;
    std::vector<ObstacleId> ids;
    for (const auto& [id, obstacle] : present) ids.push_back(id);
    const double what = random.real();
    if (!ids.empty() && what < 0.3) {
      batch.push_back(RemoveObstacle{ids[random.below(ids.size())]});
    } else if (!ids.empty() && what < 0.5) {
      batch.push_back(MoveObstacle{ids[random.below(ids.size())], randomObstacle(random, environment, degrees).place});
    } else {
      batch.push_back(AddObstacle{randomObstacle(random, environment, degrees)});
    }
    Result<WorldUpdate> update = world.apply(batch);
    if (!update.ok()) {
      const ErrorCode code = update.error().code;
      EXPECT_TRUE(code == ErrorCode::kNotOnMesh || code == ErrorCode::kEmpty) << update.error().message;
      continue;
    }
    world = update->world;
    expectRight(world);
    present.clear();
    for (const ObstacleId id : world.obstacles()) present[id] = *world.find(id);
  }
  std::vector<Edit> all;
  for (const auto& [id, obstacle] : present) all.push_back(AddObstacle{obstacle});
  random.shuffle(all);
  const World anew = all.empty() ? start : applied(start, all).world;
  EXPECT_EQ(world.environment(), anew.environment());
  EXPECT_EQ(hash(world.environment()), hash(anew.environment()));
  std::vector<Edit> none;
  for (const auto& [id, obstacle] : present) none.push_back(RemoveObstacle{id});
  random.shuffle(none);
  EXPECT_EQ(applied(world, none).world.environment(), environment);
}

TEST(WorldEdit, SequencesEndInWhatIsThere) {
  const std::vector<std::string> names{"ecm", "delaunay", "hertel-mehlhorn", "neogen", "trapezoid", "lct"};
  for (uint64_t seed = 1; seed <= 36 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    checkSequence(seed, seed % 2 == 0, names[seed % names.size()], 12);
  }
  for (uint64_t seed = 101; seed <= 112 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    for (const std::string generator : {"pasfv", "wavefront"}) checkSequence(seed, seed % 2 == 0, generator, 12);
  }
}

TEST(WorldEdit, RealFloorPlansComeBack) {
  bool any = false;
  for (const char* name : {"maps/arena.map", "floorplans/aknz_evac.wkt", "floorplans/SiB2023_entrance_jupedsim.wkt"}) {
    const std::string file = dataFile(name);
    if (file.empty()) continue;
    any = true;
    const Result<EnvironmentReading> read = readAnyEnvironment(file);
    ASSERT_TRUE(read.ok()) << read.error().message;
    const World world = baked(read->environment);
    Random random(3);
    const Box box = boundingBox(read->environment);
    World now = world;
    for (int i = 0; i < 12; ++i) {
      const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                    static_cast<int32_t>(random.between(box.min.y, box.max.y))};
      const Vec2 at = world.environment().lattice.toMetres(p);
      Obstacle obstacle = crate(at.x, at.y, 3);
      obstacle.place = Placement::turned({at.x, at.y, 0}, 17);
      const Result<WorldUpdate> update = now.apply(std::vector<Edit>{AddObstacle{obstacle}});
      if (update.ok()) now = update->world;
    }
    EXPECT_NE(now.environment(), world.environment());
    expectRight(now);
    std::vector<Edit> none;
    for (const ObstacleId id : now.obstacles()) none.push_back(RemoveObstacle{id});
    EXPECT_EQ(applied(now, none).world.environment(), world.environment());
  }
  if (!any) GTEST_SKIP() << "skipped: no data";
}

}  // namespace
}  // namespace wend
