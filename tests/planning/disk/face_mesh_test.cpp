#include "planning/disk/faces/face_mesh.h"

#include <gtest/gtest.h>

#include "planning/disk/crossing_search.h"
#include "planning/disk/faces/contour_intervals.h"
#include "planning/point/funnel.h"
#include "tests/planning/disk/polygon_oracle.h"
#include "tests/planning/disk/tangent_graph_check.h"
#include "tests/planning/real_worlds.h"

namespace wend {
namespace {

struct FaceCount {
  size_t cells = 0;
  size_t compared = 0;
  size_t bent = 0;
  size_t missed = 0;   // the borders have a sleeve, the triangles have none
  size_t stepped = 0;  // the sleeve between the borders leads to another length
};

// Ways through the faces of a mesh's cells, beside all lines of sight in the polygon around the area between both
// borders of a crossing.
class FaceCheck {
 public:
  FaceCheck(const NavMesh& mesh, double radius, FaceCount& count)
      : refined_(refineToConvex(mesh)),
        table_(refined_.mesh, radius / refined_.mesh.lattice().unit),
        faces_(table_),
        count_(count) {}

  void run() {
    for (CellId cell = 0; cell < refined_.mesh.cellCount(); ++cell) checkCell(cell);
  }

 private:
  void checkCell(CellId cell) {
    const ShrunkPortals::CellView view = table_.cell(cell);
    const std::vector<uint32_t> faces(view.faces.begin(), view.faces.end());
    const NavMesh& mesh = refined_.mesh;
    std::vector<Vec2> polygon;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) polygon.push_back(sideStart(mesh, s));
    std::vector<ContourInterval> intervals;
    const std::vector<Wall> shapes(view.shapes.begin(), view.shapes.end());
    if (!findContourIntervals(table_, {}, view.entries, view.faces, view.walls, intervals)) return;
    ++count_.cells;
    const ContourCell contour{polygon, intervals, shapes, table_.radius(), std::numbers::pi / 18};
    for (uint32_t i = 0; i < faces.size(); ++i) {
      for (uint32_t j = 0; j < faces.size(); ++j) {
        if (i != j && faces[i] == faces[j]) compare(cell, contour, i, j);
      }
    }
  }

  void compare(CellId cell, const ContourCell& contour, uint32_t i, uint32_t j) {
    const Vec2 from = 0.5 * (contour.intervals[i].begin + contour.intervals[i].end);
    const Vec2 to = 0.5 * (contour.intervals[j].begin + contour.intervals[j].end);
    std::vector<SleevePortal> slow;
    SleeveScratch scratch;
    if (!findSleeve(contour, {i, false}, {j, false}, scratch, slow)) return;
    std::vector<SleevePortal> fast;
    std::vector<SleevePortal> between;
    if (!faces_.appendSleeve(cell, {{}, i}, {{}, j}, fast) || !faces_.appendSleeve(cell, {from}, {to}, between)) {
      ++count_.missed;
      return;
    }
    ++count_.compared;
    // Both borders, counter-clockwise around what is free.
    std::vector<Vec2> outline;
    for (const ContourPoint& point : scratch.right) outline.push_back(point.place);
    for (size_t k = scratch.left.size(); k-- > 0;) outline.push_back(scratch.left[k].place);
    const double length = shortestInPolygon(outline, from, to, 1e-8 * table_.radius());
    ASSERT_TRUE(std::isfinite(length));
    if (length > distance(from, to) * (1 + 1e-9)) ++count_.bent;
    const double rounding = 1e-6 * table_.radius();
    EXPECT_NEAR(lengthOf(fast, from, to), length, rounding) << "cell " << cell << ", " << i << " to " << j;
    EXPECT_NEAR(lengthOf(between, from, to), length, rounding) << "cell " << cell << ", places";
    // The other method may step over a point where both borders touch.
    if (std::abs(lengthOf(slow, from, to) - length) > rounding) ++count_.stepped;
  }

  static double lengthOf(const std::vector<SleevePortal>& sleeve, Vec2 from, Vec2 to) {
    std::vector<StringPortal> portals;
    for (const SleevePortal& portal : sleeve) portals.push_back({portal.left.place, portal.right.place});
    FunnelScratch scratch;
    SearchPath path;
    pullString(portals, from, to, scratch, path);
    double length = 0;
    for (const Bend& bend : path.bends) {
      length += distance(from, bend.place);
      from = bend.place;
    }
    return length + distance(from, to);
  }

  RefinedMesh refined_;
  ShrunkPortals table_;
  FaceMeshes faces_;
  FaceCount& count_;
};

TEST(FaceMesh, RandomWorlds) {
  FaceCount count;
  for (uint64_t world = 0; world < 60; ++world) {
    Random random(3, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    const double size = boundingBox(*environment).max.x;
    for (const char* generator : {"hertel-mehlhorn", "trapezoid"}) {
      const Result<NavMesh> mesh = generate(*environment, {.generator = generator});
      if (!mesh.ok()) continue;
      SCOPED_TRACE(std::string(generator) + ", world " + std::to_string(world));
      FaceCheck(*mesh, size * std::pow(10.0, random.real(-3, -1)), count).run();
    }
  }
  EXPECT_GT(count.compared, 1'000U);
  EXPECT_GT(count.bent, 20U);
  EXPECT_LT(count.missed, count.compared / 1'000 + 1);
  EXPECT_LT(count.stepped, count.compared / 1'000 + 1);
}

TEST(FaceMesh, FloorPlans) {
  FaceCount count;
  for (const double angle : {0.0, kOddAngle}) {
    const std::optional<Environment> environment = realEnvironment("floorplans/SiB2023_entrance_jupedsim.wkt", angle);
    if (!environment) GTEST_SKIP() << "skipped: no data";
    FaceCheck(generate(*environment, {.generator = "hertel-mehlhorn"}).value(), 0.4, count).run();
  }
  EXPECT_GT(count.compared, 500U);
  EXPECT_LT(count.missed, count.compared / 1'000 + 1);
  EXPECT_LT(count.stepped, count.compared / 1'000 + 1);
}

}  // namespace
}  // namespace wend
