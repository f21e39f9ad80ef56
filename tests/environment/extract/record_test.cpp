#include "environment/extract/record.h"

#include <cmath>
#include <set>

#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/environment/extract/definition.h"
#include "tests/environment/extract/hand_made.h"

// What extraction records on its way, against the scene itself and against the environment it gives.
namespace wend {
namespace {

using extraction::Fate;
using extraction::Record;

// In top view.
double areaOf(const std::array<Vec3, 3>& t) {
  return 0.5 * ((t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x));
}

double areaOf(const Record& record, Fate fate) {
  double sum = 0;
  for (size_t i = 0; i < record.free.size(); ++i) sum += record.fate[i] == fate ? std::abs(areaOf(record.free[i])) : 0;
  return sum;
}

struct Recorded {
  Record record;
  Extraction extraction;
};

Recorded record(const Scene& scene, const ExtractSettings& settings) {
  Recorded out;
  Result<Extraction> extracted = extraction::extractWithRecord(scene, settings, {}, out.record);
  EXPECT_TRUE(extracted.ok());
  if (extracted.ok()) out.extraction = *std::move(extracted);
  const Record& r = out.record;
  EXPECT_EQ(r.facetOf.size(), scene.triangles.size());
  EXPECT_EQ(r.piece.size(), r.free.size());
  EXPECT_EQ(r.fate.size(), r.free.size());
  const Result<Extraction> plain = extract(scene, settings, {});
  EXPECT_EQ(hash(plain.value().environment), hash(out.extraction.environment)) << "looking on changes nothing";
  return out;
}

// Free places are free by the definition too, as far as that can tell: on the scene's triangles alone.
void expectFree(const Scene& scene, const ExtractSettings& settings, const Record& record) {
  const testing::StandingPlaces places(scene, settings);
  int free = 0;
  int blocked = 0;
  for (const std::array<Vec3, 3>& t : record.free) {
    const Vec3 u{t[1].x - t[0].x, t[1].y - t[0].y, t[1].z - t[0].z};
    const Vec3 v{t[2].x - t[0].x, t[2].y - t[0].y, t[2].z - t[0].z};
    const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (std::abs(n.z) < length * std::cos(settings.slope * std::numbers::pi / 180)) continue;  // a riser
    const Vec3 middle{(t[0].x + t[1].x + t[2].x) / 3, (t[0].y + t[1].y + t[2].y) / 3, (t[0].z + t[1].z + t[2].z) / 3};
    const testing::Stand stand = places.at(middle);
    free += stand == testing::Stand::kFree ? 1 : 0;
    blocked += stand == testing::Stand::kBlocked ? 1 : 0;
  }
  EXPECT_EQ(blocked, 0);
  EXPECT_GT(free, 10);
}

// A floor of 10 x 10 m with a slab of 2 x 3 m one metre above it.
Scene floorAndSlab() {
  testing::SceneMaker maker;
  maker.floor(0, 0, 10, 10, 0);
  maker.floor(4, 4, 6, 7, 1);
  return maker.scene;
}

TEST(ExtractRecord, AFloorUnderATableIsNotFree) {
  const Scene scene = floorAndSlab();
  for (const double angle : {0.0, 17.0}) {
    const auto [r, extraction] = record(testing::rotated(scene, angle), {});
    EXPECT_NEAR(areaOf(r, Fate::kKept), 100, 1e-3);  // 94 m2 of floor and the slab, which nothing covers
    EXPECT_EQ(areaOf(r, Fate::kInside), 0);
    EXPECT_EQ(std::set<uint32_t>(r.facetOf.begin(), r.facetOf.end()).size(), 2U);
    EXPECT_GE(r.borders.size(), 12U);
  }
}

TEST(ExtractRecord, DetachedComponentsAreLeftOut) {
  ExtractSettings settings;
  settings.detached = false;
  const auto [r, extraction] = record(testing::rotated(floorAndSlab(), 17), settings);
  EXPECT_NEAR(areaOf(r, Fate::kKept), 94, 1e-3);
  EXPECT_NEAR(areaOf(r, Fate::kLeftOut), 6, 1e-3);
}

TEST(ExtractRecord, InsidesOfSolidsAreMarked) {
  testing::SceneMaker maker;
  maker.floor(0, 0, 10, 10, 0);
  maker.box(4, 4, 6, 7, -0.1, 3);
  const auto [r, extraction] = record(testing::rotated(maker.scene, 17), {});
  EXPECT_NEAR(areaOf(r, Fate::kInside), 6, 0.02);  // walls have a thickness
  EXPECT_NEAR(areaOf(r, Fate::kKept), 100, 0.02);  // 94 m2 of floor, and the top of the box
}

TEST(ExtractRecord, HoldsInMadeScenes) {
  for (const char* name : {"office", "spiral"}) {
    SCOPED_TRACE(name);
    const Scene scene = testing::rotated(makeScene({name, {}, 1}).value().scene, 17);
    const auto [r, extraction] = record(scene, {});
    expectFree(scene, {}, r);
    const double area = testing::areaOf(extraction);
    EXPECT_NEAR(areaOf(r, Fate::kKept), area, 0.01 * area);
  }
}

TEST(ExtractRecord, HoldsInRealScenes) {
  for (const char* name : {"nav_test.obj", "dungeon.obj"}) {
    SCOPED_TRACE(name);
    const std::string file = dataFile(std::string("scenes/") + name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const Result<Scene> read = readScene(file);
    ASSERT_TRUE(read.ok());
    const Scene scene = testing::rotated(*read, 17);
    const auto [r, extraction] = record(scene, {});
    expectFree(scene, {}, r);
    const double area = testing::areaOf(extraction);
    EXPECT_NEAR(areaOf(r, Fate::kKept), area, 0.01 * area);
  }
}

TEST(ExtractRecord, RunsOfPixelsCoverWhatTheVoxelMethodFinds) {
  const Scene scene = testing::rotated(makeScene({"spiral", {}, 1}).value().scene, 17);
  ExtractSettings settings;
  settings.method = ExtractMethod::kVoxel;
  const auto [r, extraction] = record(scene, settings);
  const double pixel = settings.voxel.resolution * settings.voxel.resolution;
  EXPECT_NEAR(areaOf(r, Fate::kKept) + areaOf(r, Fate::kLeftOut), pixel * double(extraction.report.pixels), 1e-6);
  const double area = testing::areaOf(extraction);
  EXPECT_NEAR(areaOf(r, Fate::kKept), area, 0.05 * area);
}

TEST(ExtractRecord, SaysHowFarAFailedExtractionCame) {
  testing::SceneMaker maker;
  maker.floor(0, 0, 10, 10, 0);
  ExtractSettings settings;
  settings.seedPoints = {{50, 50, 0}};
  Record r;
  EXPECT_FALSE(extraction::extractWithRecord(maker.scene, settings, {}, r).ok());
  EXPECT_EQ(r.facetOf, (std::vector<uint32_t>{0, 0}));
}

}  // namespace
}  // namespace wend
