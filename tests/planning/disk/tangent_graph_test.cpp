#include "tests/planning/disk/tangent_graph_check.h"

namespace wend {
namespace {

// By rounding, an arc of no length may turn a little back.
TEST(ArcClearance, OfAnArcOfNoLength) {
  const DiskContact corner{{0, 0}, 3, -1, 0, 0};
  for (const double sweep : {0.0, -1e-16, 1e-16}) {
    const DiskBend bend{corner, {3, 0}, {3, 0}, sweep, 0};
    EXPECT_EQ(arcClearance(bend, {{0, 0}, {-10, 0}}), 3);
    EXPECT_EQ(arcClearance(bend, {{-3, -10}, {-3, 10}}), 6);
  }
  EXPECT_EQ(arcClearance({corner, {3, 0}, {-3, 0}, -3.14159265358979, 0}, {{-10, -7}, {10, -7}}), 4);
}

NavMesh maze(const char* generator) {
  MakeSettings make;
  make.kind = "maze";
  make.parameters = {{"size", 32}};
  return generate(makeEnvironment(make).value(), {.generator = generator}).value();
}

// Found by timing: the corners of the maze are turned around by exactly 90 degrees, a whole number of the pieces in
// which arcs are measured.
TEST(DiskTangents, ComeToTheEndOfAQuarterTurn) {
  const TangentWorld tangents(maze("neogen"));
  TangentCount count;
  PathQuery query;
  query.radius = 0.3;
  query.from = {4.1835789813653577, 26.429625193382595, 0};
  query.to = {20.370714180969529, 26.576869569717918, 0};
  tangents.compare(query, count);
  query.from = {2.677324224850393, 28.930233690872935, 0};
  query.to = {25.432910458745358, 16.696679494952377, 0};
  tangents.compare(query, count);
  EXPECT_EQ(count.compared, 2U);
}

// The funnel's order of contacts is that of the path: at a portal seen aslant the path turns at the near end first, and
// corners on a straight wall before a portal's end still count for a goal between them.
TEST(DiskStrings, AreClearInAMaze) {
  for (const char* generator : {"delaunay", "neogen"}) {
    const TangentWorld world(maze(generator));
    Random random(7);
    DiskStringScratch scratch;
    DiskString string, shortest;
    size_t found = 0;
    for (int i = 0; i < 20000; ++i) {
      PathQuery query;
      query.radius = 0.3;
      query.from = {random.real(0, 31), random.real(0, 31), 0};
      query.to = {random.real(0, 31), random.real(0, 31), 0};
      const auto c = world.find(query, EndTest::kLook);
      if (c == nullptr) continue;
      const DiskEnds ends = c->ends();
      pullDiskString(c->table, c->scratch.pieces, ends, c->path, c->tolerance, scratch, string);
      EXPECT_TRUE(string.clear) << generator << " " << i;
      if (found % 8 == 0) {
        ASSERT_TRUE(findDiskTangents(c->table, ends, c->path, c->tolerance, shortest));
        EXPECT_NEAR(string.length, shortest.length, 1e-7 * shortest.length);
      }
      ++found;
    }
    EXPECT_GT(found, 900U);
  }
}

TEST(DiskTangents, EqualAllTangents) {
  TangentCount count;
  for (uint64_t world = 0; world < 400 && !HasFailure(); ++world) compareTangents(505, world, 6, count);
  EXPECT_GT(count.compared, 2000U);
  EXPECT_LT(count.shorter, count.compared / 50);
}

TEST(DiskTangents, EqualAllTangentsInLayers) {
  TangentCount count;
  for (const LayerWorld& world :
       {LayerWorld{"spiral", {}}, {"two-floor-ramp", {}}, {"overlap-side", {}}, {"ramps", {}}, {"sliced-ramp", {}}}) {
    for (const char* generator : {"delaunay", "neogen"}) compareTangents(world, generator, 40, count);
  }
  EXPECT_GT(count.compared, 200U);
}

}  // namespace
}  // namespace wend
