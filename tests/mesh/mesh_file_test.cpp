#include <cstring>
#include <filesystem>
#include <fstream>

#include <wend/corridor_map.h>
#include <wend/file.h>
#include <wend/mesh_file.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/random.h"
#include "geometry/int128.h"
#include "tests/mesh/grid_mesh.h"
#include "world/world_file_generated.h"

namespace wend {
namespace {

// Every field away from its default.
NavMesh richMesh() {
  std::vector<LooseCell> cells = gridCells({"..", ". "}, 0, 100);
  cells.push_back({1, {{200, 100}, {300, 100}, {300, 200}, {200, 200}}});
  MeshArrays arrays = joinCells(cells, {{0, 1}});
  arrays.lattice.unit = 1e-3;
  arrays.generator = "grid";
  arrays.settingsHash = 0x1234567890abcdefULL;
  arrays.environmentHash = 0xfedcba0987654321ULL;
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
  return NavMesh(std::move(arrays));
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
    path_ = (std::filesystem::temp_directory_path() / ("wend_mesh_file_test_" + std::to_string(::getpid()))).string();
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Result<NavMesh> parse(const std::string& bytes) {
  return parseMesh(asBytes(bytes), "test.wend");
}

void expectEqual(const NavMesh& a, const NavMesh& b) {
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

TEST(MeshFile, RoundTrip) {
  for (const NavMesh& mesh : {NavMesh(), gridMesh({"."}), richMesh(), withMap(richMesh()), NavMesh(openGrid(20, 30))}) {
    const std::string bytes = serialiseMesh(mesh).value();
    EXPECT_TRUE(isMeshFile(asBytes(bytes)));
    const Result<NavMesh> back = parse(bytes);
    ASSERT_TRUE(back.ok()) << back.error().message;
    expectEqual(mesh, *back);
    EXPECT_EQ(serialiseMesh(*back).value(), bytes);
  }
}

// Found by the fuzzer: FlatBuffers does not align an empty array, and the reader took that for damage.
TEST(MeshFile, AnEmptyMapIsReadWhereverItLies) {
  for (size_t length = 0; length < 8; ++length) {
    MeshArrays arrays;
    arrays.generator = std::string(length, 'g');
    arrays.layerIds = {0};
    arrays.layerNames = {std::string(length, 'n')};
    arrays.layerHeights = {HeightField{}};
    CorridorMap map;
    map.lattice = arrays.lattice;
    for (int sites = 0; sites < 2; ++sites) {
      const NavMesh mesh = NavMesh(arrays).withCorridorMap(std::make_shared<const CorridorMap>(map));
      const Result<NavMesh> back = parse(serialiseMesh(mesh).value());
      ASSERT_TRUE(back.ok()) << back.error().message;
      expectEqual(mesh, *back);
      map.sites = {{{0, 0}, {100, 0}, CorridorMap::SiteKind::kSegment, 0}};
    }
  }
}

TEST(MeshFile, MapsTheFile) {
  const TemporaryFile file;
  const NavMesh mesh = withMap(richMesh());
  ASSERT_TRUE(saveMesh(mesh, file.path()).ok());
  Result<NavMesh> loaded = loadMesh(file.path());
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  // The mapping outlives the file's name.
  std::filesystem::remove(file.path());
  const NavMesh copy = *loaded;
  loaded = Error{};
  expectEqual(mesh, copy);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.views().vertices.data()) % alignof(double), 0U);
  EXPECT_TRUE(copy.info().vertices.empty()) << "the arrays were copied out of the mapping";
}

TEST(MeshFile, UnalignedBytesAreFine) {
  const std::string bytes = serialiseMesh(richMesh()).value();
  for (size_t shift = 0; shift < 8; ++shift) {
    const std::string padded = std::string(shift, ' ') + bytes;
    EXPECT_TRUE(parseMesh(asBytes(padded).subspan(shift), "shifted").ok());
  }
}

TEST(MeshFile, MissingFolderForeignAndEmptyFiles) {
  EXPECT_EQ(loadMesh("/nowhere/at/all.wend").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(loadMesh("/tmp").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(loadMesh("/dev/null").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(saveMesh(NavMesh(), "/nowhere/at/all.wend").error().code, ErrorCode::kFileNotWritten);
  const TemporaryFile file;
  for (const std::string& content : {std::string(), std::string("WEND"), std::string("<?xml version=\"1.0\"?><env/>"),
                                     std::string(100, '\0'), "\x10\0\0\0WEND" + std::string(5, 'x')}) {
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << content;
    const Result<NavMesh> mesh = loadMesh(file.path());
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, ErrorCode::kFormat);
    EXPECT_NE(mesh.error().message.find(file.path()), std::string::npos);
  }
}

TEST(MeshFile, NewerVersionIsNamed) {
  std::string bytes = serialiseMesh(richMesh()).value();
  auto* root = flatbuffers::GetMutableRoot<flatbuffers::Table>(bytes.data());
  const uint32_t newer = 9;
  std::memcpy(root->GetAddressOf(file::MeshFile::VT_VERSION), &newer, sizeof(newer));
  const Result<NavMesh> mesh = parse(bytes);
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(mesh.error().message.find("newer wend, version 9; this one reads up to 1"), std::string::npos)
      << mesh.error().message;
}

// An error, or the same mesh (a byte of padding): never a crash, never another mesh.
void expectErrorOrSame(const std::string& bytes, uint64_t original) {
  const Result<NavMesh> mesh = parse(bytes);
  if (mesh.ok()) {
    ASSERT_EQ(hash(*mesh), original);
  } else {
    ASSERT_FALSE(mesh.error().message.empty());
  }
}

TEST(MeshFile, EveryTruncationIsAnError) {
  const std::string bytes = serialiseMesh(withMap(richMesh())).value();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<NavMesh> mesh = parse(bytes.substr(0, size));
    ASSERT_FALSE(mesh.ok()) << size << " of " << bytes.size();
  }
}

TEST(MeshFile, EveryFlippedByteIsAnErrorOrTheSameMesh) {
  const NavMesh original = withMap(richMesh());
  const std::string bytes = serialiseMesh(original).value();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      expectErrorOrSame(damaged, hash(original));
    }
  }
}

TEST(MeshFile, RandomDamageIsAnErrorOrTheSameMesh) {
  const NavMesh original = withMap(richMesh());
  const std::string bytes = serialiseMesh(original).value();
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
TEST(MeshFile, ForgedArraysAreRefused) {
  const MeshArrays good = richMesh().info();
  const auto refused = [&](auto&& damage) {
    MeshArrays arrays = good;
    damage(arrays);
    const NavMesh mesh(arrays);
    // serialiseMesh refuses most of these itself; write them with the generated code instead.
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(true);
    std::vector<flatbuffers::Offset<file::Layer>> layers;
    for (size_t i = 0; i < arrays.layerIds.size(); ++i) {
      const HeightField& field = arrays.layerHeights[i];
      layers.push_back(file::CreateLayer(
          builder, arrays.layerIds[i], builder.CreateString(arrays.layerNames[i]),
          file::CreateHeightField(
              builder, field.base,
              builder.CreateVectorOfStructs(reinterpret_cast<const file::Point*>(field.points.data()),
                                            field.points.size()),
              builder.CreateVector(field.z),
              builder.CreateVectorOfStructs(reinterpret_cast<const file::Triangle*>(field.triangles.data()),
                                            field.triangles.size()))));
    }
    const auto root = file::CreateMeshFile(
        builder, 1, hash(mesh), arrays.lattice.unit, builder.CreateString(arrays.generator), arrays.settingsHash,
        arrays.environmentHash,
        file::CreateTopology(builder, arrays.environment.doubledArea.low,
                             static_cast<uint64_t>(arrays.environment.doubledArea.high), 2, 3, 4),
        arrays.traits.convex, arrays.traits.disjoint, arrays.traits.exact,
        builder.CreateVectorOfStructs(reinterpret_cast<const file::Vec2*>(arrays.vertices.data()),
                                      arrays.vertices.size()),
        builder.CreateVector(arrays.heights), builder.CreateVector(arrays.cellBegin),
        builder.CreateVector(arrays.cellLayer), builder.CreateVector(arrays.sideVertex),
        builder.CreateVector(arrays.sideTwin), builder.CreateVector(arrays.sideCell), builder.CreateVector(layers));
    file::FinishMeshFileBuffer(builder, root);
    const Result<NavMesh> result =
        parseMesh({reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()}, "forged");
    return !result.ok() && result.error().message.find("no valid mesh") != std::string::npos;
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
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideTwin.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.sideCell[0] = 1; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.lattice.unit = 0; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].triangles[0][2] = 3; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].z.pop_back(); }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[1].points[0].x = kMaxCoordinate + 1; }));
  EXPECT_TRUE(refused([](MeshArrays& a) { a.layerHeights[0].base = std::numeric_limits<double>::quiet_NaN(); }));
}

TEST(MeshFile, TheMapChangesTheHash) {
  const NavMesh mesh = withMap(richMesh());
  EXPECT_NE(hash(mesh), hash(richMesh()));
  CorridorMap other = *mesh.corridorMap();
  other.bendingPoints[2].layerR = 1;
  EXPECT_NE(hash(mesh.withCorridorMap(std::make_shared<const CorridorMap>(other))), hash(mesh));
}

// A forger computes the right hash: the map must still be safe to use. Saving refuses it for the same reasons.
TEST(MeshFile, ForgedMapsAreRefused) {
  const NavMesh good = withMap(richMesh());
  const auto refused = [&](auto&& damage) {
    CorridorMap map = *good.corridorMap();
    damage(map);
    const NavMesh mesh = good.withCorridorMap(std::make_shared<const CorridorMap>(map));
    const Result<std::string> bytes = serialiseMesh(mesh);
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

TEST(MeshFile, AMeshThatIsNoMeshIsNotSaved) {
  MeshArrays arrays = openGrid(2, 2);
  arrays.sideVertex[3] = 1000;
  EXPECT_FALSE(serialiseMesh(NavMesh(arrays)).ok());
}

TEST(MeshFile, TooLargeIsALimit) {
  // Views into a small block that claim to be large: the size must be judged before anything is read.
  const std::vector<double> block(16);
  NavMesh::Views views;
  views.heights = {block.data(), size_t{1} << 29};
  const NavMesh mesh(MeshArrays{}, views, nullptr);
  const Result<std::string> bytes = serialiseMesh(mesh);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, ErrorCode::kLimit);
  EXPECT_EQ(saveMesh(mesh, "/tmp/wend_never_written.wend").error().code, ErrorCode::kLimit);
  EXPECT_FALSE(std::filesystem::exists("/tmp/wend_never_written.wend"));
}

}  // namespace
}  // namespace wend
