#include <bit>
#include <ostream>
#include <thread>
#include <utility>

#include <wend/wend.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data.h"

// Results of standard inputs, pinned: a change of the code that changes one of them is either wrong or says so. Each is
// computed on 1, 2 and 4 threads, which must not matter. Only public headers are used.
namespace wend {
namespace {

constexpr std::array<int, 3> kThreads{1, 2, 4};

std::string hex(uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

Result<World> bakeKind(const std::string& kind, const std::string& generator, const Context& context) {
  Result<Environment> environment = makeEnvironment({.kind = kind}, context);
  if (!environment.ok()) return environment.error();
  return bake(*std::move(environment), {.generator = generator}, context);
}

Result<World> bakeScene(const Scene& scene, ExtractMethod method, const std::string& generator,
                        const Context& context) {
  ExtractSettings settings;
  settings.method = method;
  Result<Extraction> extraction = extract(scene, settings, context);
  if (!extraction.ok()) return extraction.error();
  return bake(std::move(extraction->environment), {.generator = generator}, context);
}

// --- Meshes: hash(NavMesh), as `wend bake --json` prints it
// -----------------------------------------------------------

struct MeshPin {
  const char* input;  // kind of environment or scene, or a file of the data folder
  const char* generator;
  const char* hash;
};

void PrintTo(const MeshPin& pin, std::ostream* out) {
  *out << pin.input << " by " << pin.generator;
}

void expectMesh(const Result<World>& world, const MeshPin& pin, int threads) {
  ASSERT_TRUE(world.ok()) << world.error().message;
  EXPECT_EQ(hex(hash(world->mesh())), pin.hash) << "hash of the mesh of " << testing::PrintToString(pin) << " on "
                                                << threads << " threads, " << world->mesh().cellCount() << " cells";
}

class PinnedEnvironment : public testing::TestWithParam<MeshPin> {};

TEST_P(PinnedEnvironment, GivesTheMeshOnAnyThreads) {
  for (const int threads : kThreads) {
    Context context;
    context.threads = threads;
    expectMesh(bakeKind(GetParam().input, GetParam().generator, context), GetParam(), threads);
  }
}

INSTANTIATE_TEST_SUITE_P(, PinnedEnvironment,
                         testing::Values(MeshPin{"maze", "hertel-mehlhorn", "60ed9f2a90cf7f7e"},
                                         MeshPin{"city", "neogen", "6e8c95468a07e6e1"},
                                         MeshPin{"zelda", "ecm", "758b7f60d61f2daf"},
                                         MeshPin{"parking-lot", "ecm", "1cbfa3bc4bd4e6a5"},
                                         MeshPin{"parking-lot", "lct", "ab4ef54aff3de391"},
                                         MeshPin{"university", "trapezoid", "b62190ccf3349147"}));

class PinnedScene : public testing::TestWithParam<std::pair<MeshPin, ExtractMethod>> {};

TEST_P(PinnedScene, GivesTheMeshOnAnyThreads) {
  const auto& [pin, method] = GetParam();
  const Result<MadeScene> made = makeScene({.kind = pin.input});
  ASSERT_TRUE(made.ok()) << made.error().message;
  for (const int threads : kThreads) {
    Context context;
    context.threads = threads;
    expectMesh(bakeScene(made->scene, method, pin.generator, context), pin, threads);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , PinnedScene,
    testing::Values(std::pair{MeshPin{"station", "hertel-mehlhorn", "f682e1ffc9a81659"}, ExtractMethod::kExact},
                    std::pair{MeshPin{"office", "ecm", "5d53692fd9609188"}, ExtractMethod::kVoxel}));

class PinnedFile : public testing::TestWithParam<MeshPin> {};

TEST_P(PinnedFile, GivesTheMeshOnAnyThreads) {
  const std::string path = dataFile(GetParam().input);
  if (path.empty()) GTEST_SKIP() << "skipped: no " << GetParam().input << " in the data folder";
  const Result<Scene> scene = readScene(path);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  for (const int threads : kThreads) {
    Context context;
    context.threads = threads;
    expectMesh(bakeScene(*scene, ExtractMethod::kExact, GetParam().generator, context), GetParam(), threads);
  }
}

INSTANTIATE_TEST_SUITE_P(, PinnedFile,
                         testing::Values(MeshPin{"scenes/dungeon.obj", "neogen", "26e58d0e368a062d"},
                                         MeshPin{"scenes/nav_test.obj", "ecm", "4bc24a282d0590f4"}));

// --- Environments: hash(Environment), as bench_extract prints it
// ----------------------------------------------------------------

struct ExtractPin {
  const char* file;
  ExtractMethod method;
  const char* hash;
  UpAxis up = UpAxis::kByFormat;
};

void PrintTo(const ExtractPin& pin, std::ostream* out) {
  *out << pin.file << (pin.method == ExtractMethod::kVoxel ? " by voxels" : "");
}

class PinnedExtraction : public testing::TestWithParam<ExtractPin> {};

TEST_P(PinnedExtraction, GivesTheEnvironmentOnAnyThreads) {
  const ExtractPin& pin = GetParam();
  const std::string path = dataFile(pin.file);
  if (path.empty()) GTEST_SKIP() << "skipped: no " << pin.file << " in the data folder";
  SceneReadSettings read;
  read.up = pin.up;
  const Result<Scene> scene = readScene(path, read);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  ExtractSettings settings;
  settings.method = pin.method;
  for (const int threads : kThreads) {
    Context context;
    context.threads = threads;
    const Result<Extraction> extraction = extract(*scene, settings, context);
    ASSERT_TRUE(extraction.ok()) << extraction.error().message;
    EXPECT_EQ(hex(hash(extraction->environment)), pin.hash)
        << "hash of " << testing::PrintToString(pin) << " on " << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(
    , PinnedExtraction,
    testing::Values(ExtractPin{"scenes/dungeon.obj", ExtractMethod::kExact, "6576308e49a41c9a"},
                    ExtractPin{"scenes/dungeon.obj", ExtractMethod::kVoxel, "234ead136204d41e"},
                    ExtractPin{"scenes/house.obj", ExtractMethod::kExact, "75708413f9e4fc84"},
                    ExtractPin{"scenes/house.obj", ExtractMethod::kVoxel, "41cb5f7ea2d81a1a"},
                    ExtractPin{"scenes/nav_test.obj", ExtractMethod::kExact, "7b55024a1cf3ae09"},
                    ExtractPin{"scenes/nav_test.obj", ExtractMethod::kVoxel, "6b47a568eab78307"},
                    ExtractPin{"scenes/cracks/q_16.obj", ExtractMethod::kExact, "9fb0afd0625450de", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/q_16.obj", ExtractMethod::kVoxel, "625cf438f9fb6b07", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/q_17.obj", ExtractMethod::kExact, "6f2b8fd7eb29ff19", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/q_17.obj", ExtractMethod::kVoxel, "625cf438f9fb6b07", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/slit_19.obj", ExtractMethod::kExact, "3d7fab234e24ce33", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/slit_19.obj", ExtractMethod::kVoxel, "90eaee78f4bd7e17", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/slit_5.obj", ExtractMethod::kExact, "bac4ccb0a2718987", UpAxis::kZ},
                    ExtractPin{"scenes/cracks/slit_5.obj", ExtractMethod::kVoxel, "90eaee78f4bd7e17", UpAxis::kZ}));

// --- Routes: of lengths and statuses, as `wend path --queries` prints it
// ----------------------------------------------

struct RoutesPin {
  const char* kind;
  const char* generator;
  double radius;
  const char* hash;
};

void PrintTo(const RoutesPin& pin, std::ostream* out) {
  *out << pin.kind << " by " << pin.generator << ", radius " << pin.radius;
}

// Places 25 cm apart over the bounding box, in an order without a pattern.
std::vector<PathQuery> queriesFor(const World& world, double radius) {
  const Lattice& lattice = world.environment().lattice;
  const Box box = boundingBox(world.environment());
  const Vec2 low = lattice.toMetres(box.min);
  const Vec2 high = lattice.toMetres(box.max);
  const auto columns = static_cast<uint32_t>((high.x - low.x) / 0.25);
  const auto rows = static_cast<uint32_t>((high.y - low.y) / 0.25);
  const auto at = [&](uint32_t column, uint32_t row) {
    return Place(low.x + 0.125 + 0.25 * (column % columns), low.y + 0.125 + 0.25 * (row % rows));
  };
  std::vector<PathQuery> queries;
  for (uint32_t i = 0; i < 300; ++i) {
    queries.push_back({.from = at(37 * i, 59 * i + 7), .to = at(101 * i + 13, 83 * i + 5), .radius = radius});
  }
  return queries;
}

struct RoutesResult {
  uint64_t hash = 0;
  size_t found = 0;
};

// Each thread answers every k-th query with its own scratch.
RoutesResult answer(const Navigator& navigator, const std::vector<PathQuery>& queries, int threads) {
  std::vector<std::pair<PathStatus, double>> answers(queries.size());
  const auto work = [&](size_t first) {
    PlanScratch scratch;
    Route route;
    for (size_t i = first; i < queries.size(); i += static_cast<size_t>(threads)) {
      const PathStatus status = navigator.plan(queries[i], scratch, route);
      answers[i] = {status, status == PathStatus::kFound ? route.length : 0};
    }
  };
  {
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work, static_cast<size_t>(t));
    work(0);
  }
  RoutesResult result;
  for (const auto& [status, length] : answers) {
    result.hash = std::rotl(result.hash, 5) * 0x9e3779b97f4a7c15ULL + std::bit_cast<uint64_t>(length) +
                  static_cast<uint64_t>(status);
    result.found += status == PathStatus::kFound ? 1 : 0;
  }
  return result;
}

class PinnedRoutes : public testing::TestWithParam<RoutesPin> {};

TEST_P(PinnedRoutes, HaveTheLengthsOnAnyThreads) {
  const RoutesPin& pin = GetParam();
  const Result<World> world = bakeKind(pin.kind, pin.generator, {});
  ASSERT_TRUE(world.ok()) << world.error().message;
  const Navigator navigator = makeNavigator(*world);
  const std::vector<PathQuery> queries = queriesFor(*world, pin.radius);
  for (const int threads : kThreads) {
    const RoutesResult result = answer(navigator, queries, threads);
    EXPECT_GT(result.found, 30U);
    EXPECT_EQ(hex(result.hash), pin.hash) << "hash of the routes in " << testing::PrintToString(pin) << " on "
                                          << threads << " threads, " << result.found << " found";
  }
}

INSTANTIATE_TEST_SUITE_P(, PinnedRoutes,
                         testing::Values(RoutesPin{"city", "hertel-mehlhorn", 0, "f5a251b858f58c33"},
                                         RoutesPin{"city", "hertel-mehlhorn", 0.3, "6a5bfed21ee5f801"},
                                         RoutesPin{"university", "neogen", 0.3, "f785f13e2162945f"},
                                         RoutesPin{"university", "ecm", 0, "38020e4f8d745ab1"},
                                         RoutesPin{"university", "ecm", 0.3, "9ebd09dc36e98573"}));

// --- Crowds: Crowd::hash() after 100 steps
// ----------------------------------------------------------------------------

struct CrowdPin {
  const char* kind;
  const char* generator;
  const char* hash;
};

void PrintTo(const CrowdPin& pin, std::ostream* out) {
  *out << pin.kind << " by " << pin.generator;
}

class PinnedCrowd : public testing::TestWithParam<CrowdPin> {};

TEST_P(PinnedCrowd, EndsInTheStateOnAnyThreads) {
  const CrowdPin& pin = GetParam();
  const Result<World> world = bakeKind(pin.kind, pin.generator, {});
  ASSERT_TRUE(world.ok()) << world.error().message;
  const Navigator navigator = makeNavigator(*world);
  for (const int threads : kThreads) {
    Result<Crowd> crowd = Crowd::make(navigator, {CrowdProfile{}}, {});
    ASSERT_TRUE(crowd.ok()) << crowd.error().message;
    // Places in an obstacle or too near to one are refused.
    for (const PathQuery& query : queriesFor(*world, 0)) (void)crowd->add({.at = query.from, .goal = query.to});
    ASSERT_GT(crowd->size(), 100U);
    Context context;
    context.threads = threads;
    for (int step = 0; step < 100; ++step) crowd->step(context);
    EXPECT_EQ(hex(crowd->hash()), pin.hash) << "hash of the crowd in " << testing::PrintToString(pin) << " on "
                                            << threads << " threads, " << crowd->size() << " agents";
  }
}

INSTANTIATE_TEST_SUITE_P(, PinnedCrowd,
                         testing::Values(CrowdPin{"university", "ecm", "2ea13fa0af63457a"},
                                         CrowdPin{"blocks", "neogen", "ce49ef0f2cd18b11"}));

}  // namespace
}  // namespace wend
