#include <wend/file.h>
#include <wend/volume/volume_mesh.h>

#include <gtest/gtest.h>

#include "geometry/solid/volume_sum.h"
#include "volume/volume_data.h"
#include "volume/volume_file_generated.h"

// The noun itself, on hand-made cells.
namespace wend {
namespace {

// Two rooms of 2 m and 4 m with a wedge above the second: z <= 2 + x / 2 in lattice units of 1 cm.
VolumeDraft twoRooms() {
  VolumeDraft draft;
  draft.lattice.unit = 0.01;
  draft.low = {0, 0, 0};
  draft.high = {600, 200, 400};
  draft.generator = "hand";
  draft.traits.exact = false;
  draft.cells.push_back({boxPlanes({0, 0, 0}, {200, 200, 200}), 0});
  VolumeDraft::Cell slanted{boxPlanes({200, 0, 0}, {600, 100, 400}), 0};
  slanted.planes.push_back({-1, 0, 2, 200});  // 2 z <= x + 200
  draft.cells.push_back(slanted);
  return draft;
}

TEST(VolumeMesh, EmptyMeshHasNothing) {
  const VolumeMesh mesh;
  EXPECT_TRUE(mesh.empty());
  EXPECT_EQ(VolumeLocator(mesh).locate({0, 0, 0}), kNone);
  EXPECT_TRUE(sliceVolumes(mesh, 2, 0).empty());
}

TEST(VolumeMesh, CellsFacesAndTheGatewayAreAsDrawn) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), 2U);
  EXPECT_TRUE(checkVolumes(*mesh).empty());
  EXPECT_DOUBLE_EQ(mesh->volume(0), 8.0);
  // From 2 m high at x = 2 m to 4 m high at x = 6 m, 4 m long, 1 m wide.
  EXPECT_NEAR(mesh->volume(1), 12.0, 1e-9);
  ASSERT_EQ(mesh->gatewayCount(), 1U);
  const VolumeGateway& gateway = mesh->gateway(0);
  EXPECT_DOUBLE_EQ(gateway.area, 2.0);
  EXPECT_FALSE(gateway.slanted);
  EXPECT_EQ(gateway.across(0), 1U);
  EXPECT_NEAR(gateway.centre.x, 2, 1e-12);
  EXPECT_NEAR(gateway.centre.y, 0.5, 1e-12);
  EXPECT_EQ(mesh->gatewaysOf(1).size(), 1U);
}

TEST(VolumeMesh, WallsAreFacesWithoutGateways) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  double area = 0;
  for (FaceId f = mesh->firstFace(0); f < mesh->endFace(0); ++f) {
    if (mesh->plane(f).a != 1) continue;
    for (const auto& wall : wallsOf(*mesh, f)) {
      for (const Vec3 p : wall) EXPECT_GE(p.y, 1.0);
      // A rectangle with the sides y and z.
      const auto [low, high] = std::minmax_element(wall.begin(), wall.end(), [](Vec3 p, Vec3 q) { return p.y < q.y; });
      area += 2 * (high->y - low->y);
    }
  }
  EXPECT_DOUBLE_EQ(area, 2.0);  // one rectangle of 1 m by 2 m
  const std::vector<StandingPlace> places = standingPlaces(*mesh);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_DOUBLE_EQ(places[0].area + places[1].area, 8.0);
}

TEST(VolumeMesh, LocatesAndSlices) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const VolumeLocator locator(*mesh);
  EXPECT_EQ(locator.locate({1, 1, 1}), 0U);
  EXPECT_EQ(locator.locate({5, 0.5, 3}), 1U);
  EXPECT_EQ(locator.locate({5, 0.5, 3.6}), kNone);
  EXPECT_EQ(locator.locate({5, 1.5, 1}), kNone);
  EXPECT_EQ(locator.locateAll({2, 0.5, 1}).size(), 2U);  // on the gateway
  EXPECT_EQ(locator.locate({std::nan(""), 0, 0}), kNone);
  EXPECT_EQ(locator.locate({1e300, 0, 0}), kNone);
  const auto slices = sliceVolumes(*mesh, 1, 0.5);
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0].corners.size(), 4U);
  EXPECT_EQ(sliceVolumes(*mesh, 1, 1.5).size(), 1U);
  EXPECT_TRUE(sliceVolumes(*mesh, 3, 0).empty());
}

TEST(VolumeMesh, PathsAreShortestThroughTheirGateways) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const VolumeLocator locator(*mesh);
  VolumeQuery query;
  query.from = {0.5, 1.5, 0.5};
  query.to = {5, 0.5, 3};
  const auto route = planVolumes(locator, query);
  ASSERT_TRUE(route.ok()) << route.error().message;
  ASSERT_EQ(route->points.size(), 3U);
  // The straight line crosses x = 2 at y = 1.1667: the path bends at the gateway's side y = 1.
  EXPECT_NEAR(route->points[1].y, 1.0, 1e-5);
  double shortest = 1e9;
  for (double z = 0; z <= 2; z += 0.0005) {
    shortest = std::min(shortest, std::hypot(1.5, 0.5, z - 0.5) + std::hypot(3, 0.5, 3 - z));
  }
  EXPECT_NEAR(route->length, shortest, 1e-5);
  query.to = {5, 0.5, 3.9};
  EXPECT_EQ(planVolumes(locator, query).error().code, ErrorCode::kNotOnMesh);
  query.to = {5, 0.5, 3};
  query.minArea = 3;
  EXPECT_EQ(planVolumes(locator, query).error().code, ErrorCode::kNoWay);
  query.minArea = -1;
  EXPECT_EQ(planVolumes(locator, query).error().code, ErrorCode::kInvalidSettings);
}

TEST(VolumeMesh, MetricsAreThoseOfTheDrawing) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const VolumeMetrics metrics = measureVolumes(*mesh);
  EXPECT_EQ(metrics.volumes, 2U);
  EXPECT_NEAR(metrics.meanVolume, 10, 1e-9);
  EXPECT_NEAR(metrics.volumeDeviation, 2, 1e-9);
  EXPECT_EQ(metrics.meanDegree, 1);
  EXPECT_EQ(metrics.meanOrder, 6);
  EXPECT_EQ(metrics.components, 1U);
  EXPECT_EQ(metrics.diameter, 1U);
  EXPECT_EQ(metrics.degenerate, 0U);
  // The wedge: its roof meets the far wall at 90 - 26.565 degrees.
  EXPECT_NEAR(metrics.minAngle, (90 + 63.435) / 2, 0.01);
  EXPECT_NEAR(metrics.elongation, 1.5, 1e-9);            // a cube, and 4 x 1 x 4 m
  EXPECT_NEAR(metrics.placement, (8 + 10) / 2.0, 1e-9);  // cubes of 1 m: 2 x 2 x 2, and 2 + 2 + 3 + 3 under the roof
  EXPECT_EQ(metrics.withoutPlacement, 0U);
  EXPECT_NEAR(metrics.commonVertices, 16.0 / 14, 1e-12);  // two corners coincide
  EXPECT_EQ(metrics.mostCommon, 2U);
  EXPECT_NEAR(metrics.bottleneck, 2, 1e-9);  // 1 m wide, 2 m high
  EXPECT_NEAR(metrics.widestBottleneck, 2, 1e-9);
  EXPECT_EQ(metrics.degreeGroups, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(metrics.orderGroups, (std::vector<uint32_t>{0, 0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(metricTable(metrics)[0].value, 2);
}

TEST(VolumeMesh, ObjectsThatDoNotFitAreCounted) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const VolumeMetrics metrics = measureVolumes(*mesh, 3.375);  // cubes of 1.5 m
  EXPECT_EQ(metrics.withoutPlacement, 1U);                     // the second room is 1 m wide
  EXPECT_NEAR(metrics.placement, 0.5, 1e-9);
}

TEST(VolumeMesh, FaultsAreFound) {
  VolumeDraft draft = twoRooms();
  draft.cells.push_back({boxPlanes({100, 100, 100}, {300, 200, 200}), 0});
  const auto overlapping = buildVolumes(draft);
  ASSERT_TRUE(overlapping.ok());
  const auto faults = checkVolumes(*overlapping);
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults.front().kind, VolumeFaultKind::kOverlap);

  draft = twoRooms();
  draft.traits.exact = true;
  VolumeSum sum;
  sum.add(makeBox({{0, 0, 0}, {200, 200, 200}}));
  draft.freeVolume = ExactVolume{8, sum.residues()};
  const auto less = buildVolumes(draft);
  ASSERT_TRUE(less.ok());
  const auto volume = checkVolumes(*less);
  ASSERT_EQ(volume.size(), 1U);
  EXPECT_EQ(volume.front().kind, VolumeFaultKind::kVolume);
}

TEST(VolumeMesh, DraftsThatCannotBeAreErrors) {
  VolumeDraft draft = twoRooms();
  draft.cells[0].planes.push_back({0, 0, 0, 5});
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kInvalidGeometry);
  draft = twoRooms();
  draft.cells[0].planes.push_back(boxPlanes({300, 0, 0}, {400, 1, 1})[0]);
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kInvalidGeometry);  // nothing is left
  draft = twoRooms();
  draft.high.x = kMaxVolumeCoordinate + 1;
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kOutsideLattice);
  draft = twoRooms();
  draft.lattice.unit = std::nan("");
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kInvalidSettings);
  draft = twoRooms();
  draft.cells[0].planes.push_back({int64_t{1} << 50, 0, 0, 0});
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kInvalidGeometry);
  draft = twoRooms();
  draft.cells[1].label = 7;
  EXPECT_EQ(buildVolumes(draft).error().code, ErrorCode::kInvalidGeometry);
}

TEST(VolumeMesh, TheOrderOfPlanesDoesNotMatter) {
  VolumeDraft draft = twoRooms();
  const uint64_t before = hash(*buildVolumes(draft));
  for (VolumeDraft::Cell& cell : draft.cells) std::reverse(cell.planes.begin(), cell.planes.end());
  EXPECT_EQ(hash(*buildVolumes(draft)), before);
}

TEST(VolumeFile, SavedVolumesLoadAsTheyWere) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const auto bytes = serialiseVolumes(*mesh);
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(isVolumeFile(asBytes(*bytes)));
  const auto again = parseVolumes(asBytes(*bytes), "memory");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(hash(*again), hash(*mesh));
  EXPECT_EQ(again->gatewayCount(), mesh->gatewayCount());
}

// In FlatBuffers a thousand labels may be one string.
TEST(VolumeFile, LabelsThatShareTextAreRefused) {
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);
  const auto origin = builder.CreateVector(std::vector<double>{0, 0, 0});
  const auto bounds = builder.CreateVector(std::vector<int32_t>{0, 0, 0, 1, 1, 1});
  const auto residues = builder.CreateVector(std::vector<uint64_t>{0, 0});
  const auto label = builder.CreateString(std::string(10'000, 'x'));
  const auto labels = builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>(1000, label));
  const auto begin = builder.CreateVector(std::vector<uint32_t>{0});
  const auto ids = builder.CreateVector(std::vector<uint32_t>{});
  const auto planes = builder.CreateVectorOfStructs(std::vector<volume_file::HalfSpace>{});
  volume_file::FinishVolumeFileBuffer(
      builder, volume_file::CreateVolumeFile(builder, kVolumeFileVersion, 0, 1, origin, bounds, 0, 0, false, false,
                                             false, 0, residues, labels, begin, ids, planes));
  const auto read =
      parseVolumes(asBytes({reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()}), "shared");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("its labels share text"), std::string::npos) << read.error().message;
}

TEST(VolumeFile, DamagedFilesAreErrors) {
  const auto mesh = buildVolumes(twoRooms());
  ASSERT_TRUE(mesh.ok());
  const std::string whole = *serialiseVolumes(*mesh);
  for (size_t length = 0; length < whole.size(); length += 7) {
    const auto part = parseVolumes(asBytes(std::string_view(whole).substr(0, length)), "cut");
    ASSERT_FALSE(part.ok()) << length;
    EXPECT_FALSE(part.error().message.empty());
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 0x41);
    const auto read = parseVolumes(asBytes(altered), "altered");
    if (!read.ok()) continue;
    EXPECT_EQ(hash(*read), hash(*mesh)) << at;  // padding
  }
}

}  // namespace
}  // namespace wend
