#include "tests/planning/disk/tangent_graph_check.h"

namespace wend {
namespace {

TEST(ClearanceTangentsSlow, EqualAllTangents) {
  TangentCount count;
  for (uint64_t world = 0; world < 4000 && !HasFailure(); ++world) compareTangents(506, world, 6, count);
  EXPECT_GT(count.compared, 20000U);
  printf("compared %zu, shorter than the slow version %zu\n", count.compared, count.shorter);
}

TEST(ClearanceTangentsSlow, EqualAllTangentsInLayers) {
  TangentCount count;
  for (const LayerWorld& world : {LayerWorld{"station", {}}, {"parking-lot", {}}}) {
    for (const char* generator : {"delaunay", "neogen"}) compareTangents(world, generator, 20, count);
  }
  EXPECT_GT(count.compared, 50U);
  printf("compared %zu, shorter than the slow version %zu\n", count.compared, count.shorter);
}

}  // namespace
}  // namespace wend
