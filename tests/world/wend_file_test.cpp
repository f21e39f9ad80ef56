#include <cstring>
#include <filesystem>
#include <fstream>

#include <wend/corridor_map.h>
#include <wend/file.h>
#include <wend/world.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "geometry/int128.h"
#include "tests/mesh/grid_mesh.h"
#include "world/environment_table.h"

namespace wend {
namespace {

// An environment with the layers of some arrays: polygons with a hole, regions, a connection, a truth.
Environment environmentOf(const MeshArrays& arrays) {
  Environment environment;
  environment.lattice = arrays.lattice;
  environment.name = "caf\xc3\xa9";
  for (size_t i = 0; i < arrays.layerIds.size(); ++i) {
    Layer& layer = environment.layers.emplace_back();
    layer.id = arrays.layerIds[i];
    layer.name = arrays.layerNames[i];
    layer.heights = arrays.layerHeights[i];
    layer.free = {{{{0, 0}, {300, 0}, {300, 300}, {0, 300}}, {{{10, 10}, {10, 20}, {20, 20}}}},
                  {{{400, 0}, {500, 0}, {500, 90}}, {}}};
    layer.regions = {{"grass", {{{{0, 0}, {100, 0}, {100, 100}}, {}}}}, {"", {}}};
  }
  if (environment.layers.size() > 1) environment.connections = {{0, 1, {{300, 0}, {300, 300}}}};
  environment.truth = Topology{toDoubledArea(Int128{7} << 65), 1, 2, 3};
  return environment;
}

// Every field away from its default.
MeshArrays richArrays() {
  std::vector<LooseCell> cells = gridCells({"..", ". "}, 0, 100);
  cells.push_back({1, {{200, 100}, {300, 100}, {300, 200}, {200, 200}}});
  MeshArrays arrays = joinCells(cells, {{0, 1}});
  arrays.lattice.unit = 1e-3;
  arrays.generator = "grid";
  arrays.settingsHash = 0x1234567890abcdefULL;
  arrays.environment = {toDoubledArea(-(Int128{5} << 70)), 2, 3, 4};
  arrays.traits = {true, false, true};
  for (size_t v = 0; v < arrays.heights.size(); ++v) arrays.heights[v] = 0.5 * static_cast<double>(v);
  arrays.vertices[1].x += 0.125;
  arrays.layerIds = {7, -3};
  arrays.layerNames = {"ground", "first \xc3\xa9tage"};
  arrays.layerHeights[0].base = 2.5;
  arrays.layerHeights[1].points = {{0, 0}, {300, 0}, {300, 300}};
  arrays.layerHeights[1].z = {1, 2, 3};
  arrays.layerHeights[1].triangles = {{0, 1, 2}};
  arrays.environmentHash = hash(environmentOf(arrays));
  return arrays;
}

NavMesh richMesh() {
  return NavMesh(richArrays());
}

World worldOf(const NavMesh& mesh) {
  const Result<World> world = World::of(environmentOf(mesh.info()), mesh);
  EXPECT_TRUE(world.ok());
  return world.ok() ? *world : World();
}

// With an environment that fits.
World worldOf(MeshArrays arrays) {
  arrays.environmentHash = hash(environmentOf(arrays));
  return worldOf(NavMesh(std::move(arrays)));
}

// A map whose shape fits the mesh: a loop and a dead end; nothing in it is true.
NavMesh withMap(const NavMesh& mesh) {
  CorridorMap map;
  map.lattice = mesh.lattice();
  map.sites = {{{0, 0}, {100, 0}, CorridorMap::SiteKind::kSegment, 0},
               {{5, 50}, {5, 50}, CorridorMap::SiteKind::kPoint, 1}};
  map.vertices = {{{1.5, 2.5}, 3, 0, 0, 3}, {{0, 0}, 0, 1, 3, 1}};
  map.edges = {{0, 0, 0, 3, 40.5, 1.25}, {0, 1, 3, 2, 7, 0}};
  for (int i = 0; i < 5; ++i) map.bendingPoints.push_back({{0.5 + i, 1}, {2, 3}, {4, 5.5}, 1.0 + i, 0, 1, 0});
  map.arcs = {{0, 1, 1.25, 20}, {1, 0, 2, 20.5}, {kNone, kNone, 0, 0}, {0, 1, 0, 7}, {kNone, kNone, 0, 0}};
  map.out = {0, 2, 1, 3};
  map.cellArc.assign(mesh.cellCount(), 1);
  map.voronoiAttempts = 1;
  map.simpleOpenings = 2;
  map.sweptOpenings = 3;
  return mesh.withCorridorMap(std::make_shared<const CorridorMap>(std::move(map)));
}

class TemporaryFile {
 public:
  TemporaryFile() {
    path_ = (std::filesystem::temp_directory_path() / ("wend_world_file_test_" + std::to_string(::getpid()))).string();
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<World> parse(const std::string& bytes) {
  return parseWorld(asBytes(bytes), "test.wend");
}

void expectEqual(const World& one, const World& other) {
  EXPECT_EQ(hash(one), hash(other));
  EXPECT_EQ(one.environment(), other.environment());
  const NavMesh& a = one.mesh();
  const NavMesh& b = other.mesh();
  EXPECT_EQ(hash(a), hash(b));
  const auto equal = [](auto x, auto y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  EXPECT_TRUE(equal(a.views().vertices, b.views().vertices));
  EXPECT_TRUE(equal(a.views().heights, b.views().heights));
  EXPECT_TRUE(equal(a.views().cellBegin, b.views().cellBegin));
  EXPECT_TRUE(equal(a.views().cellLayer, b.views().cellLayer));
  EXPECT_TRUE(equal(a.views().sideVertex, b.views().sideVertex));
  EXPECT_TRUE(equal(a.views().sideTwin, b.views().sideTwin));
  EXPECT_TRUE(equal(a.views().sideCell, b.views().sideCell));
  EXPECT_EQ(a.info().lattice, b.info().lattice);
  EXPECT_EQ(a.info().generator, b.info().generator);
  EXPECT_EQ(a.info().settingsHash, b.info().settingsHash);
  EXPECT_EQ(a.info().environmentHash, b.info().environmentHash);
  EXPECT_TRUE(a.info().environment == b.info().environment);
  EXPECT_EQ(a.info().traits, b.info().traits);
  EXPECT_EQ(a.info().layerIds, b.info().layerIds);
  EXPECT_EQ(a.info().layerNames, b.info().layerNames);
  EXPECT_EQ(a.info().layerHeights, b.info().layerHeights);
  ASSERT_EQ(a.corridorMap() == nullptr, b.corridorMap() == nullptr);
  if (a.corridorMap() != nullptr) {
    EXPECT_EQ(*a.corridorMap(), *b.corridorMap());
  }
}

TEST(WorldFile, RoundTrip) {
  for (const World& world : {World(), worldOf(gridMesh({"."}).info()), worldOf(richMesh()),
                             worldOf(withMap(richMesh())), worldOf(openGrid(20, 30))}) {
    const std::string bytes = serialiseWorld(world).value();
    EXPECT_TRUE(isWorldFile(asBytes(bytes)));
    const Result<World> back = parse(bytes);
    ASSERT_TRUE(back.ok()) << back.error().message;
    expectEqual(world, *back);
    EXPECT_EQ(serialiseWorld(*back).value(), bytes);
  }
}

// Found by the fuzzer: FlatBuffers does not align an empty array, and the reader took that for damage.
TEST(WorldFile, AnEmptyMapIsReadWhereverItLies) {
  for (size_t length = 0; length < 8; ++length) {
    MeshArrays arrays;
    arrays.generator = std::string(length, 'g');
    arrays.layerIds = {0};
    arrays.layerNames = {std::string(length, 'n')};
    arrays.layerHeights = {HeightField{}};
    arrays.environmentHash = hash(environmentOf(arrays));
    CorridorMap map;
    map.lattice = arrays.lattice;
    for (int sites = 0; sites < 2; ++sites) {
      const World world = worldOf(NavMesh(arrays).withCorridorMap(std::make_shared<const CorridorMap>(map)));
      const Result<World> back = parse(serialiseWorld(world).value());
      ASSERT_TRUE(back.ok()) << back.error().message;
      expectEqual(world, *back);
      map.sites = {{{0, 0}, {100, 0}, CorridorMap::SiteKind::kSegment, 0}};
    }
  }
}

TEST(WorldFile, MapsTheFile) {
  const TemporaryFile file;
  const World world = worldOf(withMap(richMesh()));
  ASSERT_TRUE(saveWorld(world, file.path()).ok());
  Result<World> loaded = loadWorld(file.path());
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  // The mapping outlives the file's name.
  std::filesystem::remove(file.path());
  const World copy = *loaded;
  loaded = Error{};
  expectEqual(world, copy);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.mesh().views().vertices.data()) % alignof(double), 0U);
  EXPECT_TRUE(copy.mesh().info().vertices.empty()) << "the arrays were copied out of the mapping";
}

TEST(WorldFile, UnalignedBytesAreFine) {
  const std::string bytes = serialiseWorld(worldOf(richMesh())).value();
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string padded = std::string(shift, ' ') + bytes;
    EXPECT_TRUE(parseWorld(asBytes(padded).subspan(shift), "shifted").ok());
  }
}

TEST(WorldFile, MissingFolderForeignAndEmptyFiles) {
  EXPECT_EQ(loadWorld("/nowhere/at/all.wend").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(loadWorld("/tmp").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(loadWorld("/dev/null").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(saveWorld(World(), "/nowhere/at/all.wend").error().code, ErrorCode::kFileNotWritten);
  const TemporaryFile file;
  for (const std::string& content : {std::string(), std::string("WEND"), std::string("<?xml version=\"1.0\"?><env/>"),
                                     std::string(100, '\0'), "\x10\0\0\0WEND" + std::string(5, 'x')}) {
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << content;
    const Result<World> mesh = loadWorld(file.path());
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, ErrorCode::kFormat);
    EXPECT_NE(mesh.error().message.find(file.path()), std::string::npos);
  }
}

TEST(WorldFile, OtherVersionsAreRefusedInOneSentence) {
  std::string bytes = serialiseWorld(worldOf(richMesh())).value();
  auto* root = flatbuffers::GetMutableRoot<flatbuffers::Table>(bytes.data());
  for (const uint32_t version : {1U, 9U}) {
    std::memcpy(root->GetAddressOf(file::WorldFile::VT_VERSION), &version, sizeof(version));
    const Result<World> world = parse(bytes);
    ASSERT_FALSE(world.ok());
    EXPECT_EQ(world.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(world.error().message, "'test.wend' is a .wend file of version " + std::to_string(version) +
                                         "; this wend reads version 3: " +
                                         (version == 1 ? "bake it again from its environment or scene"
                                                       : "update wend, or bake it again with this one"));
  }
}

// An error, or the same mesh (a byte of padding): never a crash, never another mesh.
void expectErrorOrSame(const std::string& bytes, uint64_t original) {
  const Result<World> mesh = parse(bytes);
  if (mesh.ok()) {
    ASSERT_EQ(hash(*mesh), original);
  } else {
    ASSERT_FALSE(mesh.error().message.empty());
  }
}

TEST(WorldFile, EveryTruncationIsAnError) {
  const std::string bytes = serialiseWorld(worldOf(withMap(richMesh()))).value();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<World> mesh = parse(bytes.substr(0, size));
    ASSERT_FALSE(mesh.ok()) << size << " of " << bytes.size();
  }
}

TEST(WorldFile, EveryFlippedByteIsAnErrorOrTheSameWorld) {
  const World original = worldOf(withMap(richMesh()));
  const std::string bytes = serialiseWorld(original).value();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      expectErrorOrSame(damaged, hash(original));
    }
  }
}

TEST(WorldFile, RandomDamageIsAnErrorOrTheSameWorld) {
  const World original = worldOf(withMap(richMesh()));
  const std::string bytes = serialiseWorld(original).value();
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = bytes;
    for (uint64_t k = 1 + random.below(6); k > 0; --k) {
      const size_t at = random.below(damaged.size());
      // Small numbers hit offsets and sizes more meaningfully than noise does.
      damaged[at] = static_cast<char>(random.chance(0.5) ? random.below(8) : random.below(256));
    }
    if (random.chance(0.2)) damaged.resize(random.below(damaged.size()));
    expectErrorOrSame(damaged, hash(original));
  }
}

// A forger computes the right hash: the arrays must still be safe to use.
TEST(WorldFile, ForgedArraysAreRefused) {
  const MeshArrays good = richArrays();
  // Saving refuses most of these itself; they are written with the generated code instead.
  const auto refused = [&](auto&& damage) {
    MeshArrays arrays = good;
    damage(arrays);
    const Environment environment = environmentOf(arrays);
    arrays.environmentHash = hash(environment);
    const NavMesh mesh(arrays);
    Hash sum;
    sum.add(hash(environment));
    sum.add(std::string_view(environment.name));
    sum.add(hash(mesh));
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(true);
    const auto environmentTable = writeEnvironmentTable(builder, environment);
    const auto meshTable =
        file::CreateMesh(builder, builder.CreateString(arrays.generator), arrays.settingsHash, arrays.environmentHash,
                         writeTopology(builder, arrays.environment), arrays.traits.convex, arrays.traits.disjoint,
                         arrays.traits.exact, structs<file::Vec2>(builder, std::span<const Vec2>(arrays.vertices)),
                         builder.CreateVector(arrays.heights), builder.CreateVector(arrays.cellBegin),
                         builder.CreateVector(arrays.cellLayer), builder.CreateVector(arrays.sideVertex),
                         builder.CreateVector(arrays.sideTwin), builder.CreateVector(arrays.sideCell));
    const auto root = file::CreateWorldFile(builder, kWorldFileVersion, sum.value(), arrays.lattice.unit,
                                            environmentTable, meshTable);
    file::FinishWorldFileBuffer(builder, root);
    const Result<World> result =
        parseWorld({reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()}, "forged");
    return !result.ok() && result.error().message.find("holds no valid") != std::string::npos;
  };
  EXPECT_FALSE(refused([](MeshArrays&) {}));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.vertices[0].x = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.vertices[0].x = 1e300; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.vertices[0].x = 1e-310; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.heights[0] = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.heights.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellBegin.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellBegin[1] = 100; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellBegin.back() += 4; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellBegin.front() = 1; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellBegin.clear(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.cellLayer[0] = 2; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideVertex[0] = static_cast<VertexId>(a.vertices.size()); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideTwin[0] = static_cast<SideId>(a.sideTwin.size()); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideTwin[0] = 0; }));
  // Twins over different vertices.
  EXPECT_TRUE(refused([](MeshArrays& a) {
    const auto portal = static_cast<size_t>(
        std::find_if(a.sideTwin.begin(), a.sideTwin.end(), [](SideId s) { return s != kNone; }) - a.sideTwin.begin());
    a.sideVertex[portal] = (a.sideVertex[portal] + 1) % static_cast<VertexId>(a.vertices.size());
  }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideTwin.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideCell[0] = 1; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.lattice.unit = 0; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].triangles[0][2] = 3; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].z.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].points[0].x = kMaxCoordinate + 1; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[0].base = std::numeric_limits<double>::quiet_NaN(); }));
}

// The same for the environment.
TEST(WorldFile, ForgedEnvironmentsAreRefused) {
  const auto read = [](auto&& damage) {
    Environment environment = environmentOf(richArrays());
    damage(environment);
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(writeEnvironmentTable(builder, environment));
    TableReading reading(builder.GetSize());
    const auto* table = flatbuffers::GetRoot<file::Environment>(builder.GetBufferPointer());
    return readEnvironmentTable(*table, environment.lattice, reading).ok() && reading.isSound();
  };
  EXPECT_TRUE(read([](Environment&) {}));
  EXPECT_FALSE(read([](Environment& e) { e.lattice.unit = std::numeric_limits<double>::quiet_NaN(); }));
  EXPECT_FALSE(read([](Environment& e) { e.connections[0].layerB = 2; }));
  EXPECT_FALSE(read([](Environment& e) { e.connections[0].line[1].y = kMaxCoordinate + 1; }));
  EXPECT_FALSE(read([](Environment& e) { e.layers[0].free[0].outer[0].x = -kMaxCoordinate - 1; }));
  EXPECT_FALSE(read([](Environment& e) { e.layers[0].free[0].holes[0].clear(); }));
  EXPECT_FALSE(read([](Environment& e) { e.layers[0].free[0].outer.clear(); }));
  EXPECT_FALSE(read([](Environment& e) { e.layers[0].regions[0].area[0].outer.clear(); }));
  EXPECT_FALSE(read([](Environment& e) { e.layers[1].heights.z[0] = std::numeric_limits<double>::infinity(); }));
}

// In FlatBuffers many tables may be one table. Read as what it says, this file of 0.1 MB would take a gigabyte.
TEST(WorldFile, TablesThatShareArraysAreRefused) {
  constexpr uint32_t kPoints = 10'000;
  constexpr size_t kLayers = 10'000;
  const auto read = [](size_t layers, size_t names) {
    flatbuffers::FlatBufferBuilder builder;
    const std::vector<Point> ring(kPoints, Point{1, 2});
    const auto area = file::CreateArea(builder, structs<file::Point>(builder, std::span<const Point>(ring)),
                                       builder.CreateVector(std::vector<uint32_t>{0, kPoints}),
                                       builder.CreateVector(std::vector<uint32_t>{0, 1}));
    const auto name = builder.CreateString(std::string(50'000, 'x'));
    const auto layer = file::CreateLayer(builder, 1, {}, {}, area);
    const auto nameless = file::CreateLayer(builder, 1, name, {}, file::CreateArea(builder));
    std::vector<flatbuffers::Offset<file::Layer>> list(layers, layer);
    list.insert(list.end(), names, nameless);
    const auto layerList = builder.CreateVector(list);
    const auto environment = file::CreateEnvironment(builder, {}, layerList);
    const auto mesh = file::CreateMesh(builder);
    const auto root = file::CreateWorldFile(builder, kWorldFileVersion, 0, 1e-4, environment, mesh);
    file::FinishWorldFileBuffer(builder, root);
    return parse({reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()}).error().message;
  };
  EXPECT_EQ(read(1, 1).find("share"), std::string::npos) << read(1, 1);
  for (const auto& [layers, names] : {std::pair{kLayers, size_t{0}}, {0, kLayers}, {2, 0}, {0, 4}}) {
    EXPECT_NE(read(layers, names).find("its tables share arrays; bake it again"), std::string::npos)
        << layers << " " << names << ": " << read(layers, names);
  }
}

TEST(World, AMeshOfAnotherEnvironmentIsRefused) {
  const MeshArrays arrays = richArrays();
  Environment other = environmentOf(arrays);
  other.layers[0].free.pop_back();
  EXPECT_EQ(World::of(other, NavMesh(arrays)).error().code, ErrorCode::kInvalidSettings);
  other = environmentOf(arrays);
  other.layers[0].name = "another";
  EXPECT_FALSE(World::of(other, NavMesh(arrays)).ok());
  EXPECT_TRUE(World::of(environmentOf(arrays), NavMesh(arrays)).ok());
}

TEST(WorldFile, TheMapChangesTheHash) {
  const NavMesh mesh = withMap(richMesh());
  EXPECT_NE(hash(mesh), hash(richMesh()));
  CorridorMap other = *mesh.corridorMap();
  other.bendingPoints[2].layerR = 1;
  EXPECT_NE(hash(mesh.withCorridorMap(std::make_shared<const CorridorMap>(other))), hash(mesh));
}

// A forger computes the right hash: the map must still be safe to use. Saving refuses it for the same reasons.
TEST(WorldFile, ForgedMapsAreRefused) {
  const NavMesh good = withMap(richMesh());
  const auto refused = [&](auto&& damage) {
    CorridorMap map = *good.corridorMap();
    damage(map);
    const NavMesh mesh = good.withCorridorMap(std::make_shared<const CorridorMap>(map));
    const Result<std::string> bytes = serialiseWorld(worldOf(mesh));
    return !bytes.ok() && bytes.error().message.find("medial axis") != std::string::npos;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(refused([](CorridorMap&) {}));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.sites[0].layer = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.sites[0].b = m.sites[0].a; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.sites[1].a.x = kMaxCoordinate + 1; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.sites[1].kind = static_cast<CorridorMap::SiteKind>(2); }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.vertices[0].p.x = kNan; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.vertices[0].clearance = -1; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.vertices[0].firstOut = 1; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.vertices[1].degree = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.vertices[1].degree = 0; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges[0].to = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges[0].count = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges[1].count = 3; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges[1].count = 0xffffffff; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges[1].length = kNan; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.edges.pop_back(); }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.bendingPoints[1].l.y = 1e300; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.bendingPoints[1].layerL = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.bendingPoints.pop_back(); }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.arcs[0].left = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.arcs[0].left = kNone; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.arcs[2].right = 0; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.arcs[0].minClearance = kNan; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.out[0] = 4; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.out[0] = 1; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { std::swap(m.out[0], m.out[3]); }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.cellArc.pop_back(); }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.cellArc[0] = 2; }));
  EXPECT_TRUE(refused([](CorridorMap& m) { m.cellArc[0] = 5; }));
}

TEST(WorldFile, AMeshThatIsNoMeshIsNotSaved) {
  MeshArrays arrays = openGrid(2, 2);
  arrays.sideVertex[3] = 1000;
  EXPECT_FALSE(serialiseWorld(worldOf(arrays)).ok());
}

TEST(WorldFile, TooLargeIsALimit) {
  // Views into a small block that claim to be large: the size must be judged before anything is read.
  const std::vector<double> block(16);
  NavMesh::Views views;
  views.heights = {block.data(), size_t{1} << 29};
  MeshArrays arrays;
  arrays.environmentHash = hash(environmentOf(arrays));
  const World world = worldOf(NavMesh(arrays, views, nullptr));
  const Result<std::string> bytes = serialiseWorld(world);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, ErrorCode::kLimit);
  EXPECT_EQ(saveWorld(world, "/tmp/wend_never_written.wend").error().code, ErrorCode::kLimit);
  EXPECT_FALSE(std::filesystem::exists("/tmp/wend_never_written.wend"));
}

}  // namespace
}  // namespace wend
