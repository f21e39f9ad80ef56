#include <cmath>
#include <set>

#include <wend/metrics.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

// The table of the source: SFV, PASFV and Hertel-Mehlhorn on one map.
std::vector<Candidate> twinLakes() {
  const auto candidate = [](std::string name, std::vector<double> v) {
    const char* names[] = {"regions",       "coverage",        "area_mean",     "degree_mean",
                           "inhomogeneity", "common_vertices", "minimum_angle", "placement",
                           "efficiency",    "diameter",        "bottleneck",    "greedy_flow"};
    Candidate c{std::move(name), {{"component_error", 0}}};
    for (size_t i = 0; i < v.size(); ++i) c.values.push_back({names[i], v[i]});
    return c;
  };
  // Homogeneity is only told in words: best for PASFV, extreme for HM.
  return {candidate("sfv", {31, 0.75, 11.489, 2.96, 1.5, 1.338, 90, 13.68, 0.40, 11, 1.4, 3.3}),
          candidate("pasfv", {35, 1, 10.6, 3.43, 1, 1.64, 86.47, 10.06, 0.373, 9, 0.7, 6.7}),
          candidate("hm", {41, 1, 8.848, 2.488, 3, 3.05, 34.864, 8.79, 0.378, 13, 1.6, 25.5})};
}

TEST(Select, ReproducesTheSourcesScore) {
  const auto selection = selectMesh(twinLakes());
  ASSERT_TRUE(selection.ok());
  ASSERT_EQ(selection->scores.size(), 3U);
  EXPECT_EQ(selection->scores[0].name, "pasfv");
  EXPECT_DOUBLE_EQ(selection->scores[0].points, 8.5);
  EXPECT_EQ(selection->scores[1].name, "hm");
  EXPECT_DOUBLE_EQ(selection->scores[1].points, 3.5);
  EXPECT_TRUE(selection->decided);
  EXPECT_EQ(selection->scores[2].name, "sfv") << "dropped: covers 75 %";
  ASSERT_EQ(selection->scores[2].failed.size(), 1U);
  EXPECT_EQ(selection->scores[2].failed[0], "coverage is 0.75; at least 0.95 is asked for");
}

TEST(Select, WeightsChangeTheWinner) {
  SelectSettings flow;
  flow.weights = {{"greedy_flow", 3}, {"bottleneck", 2}, {"regions", 1}};
  const auto selection = selectMesh(twinLakes(), flow);
  ASSERT_TRUE(selection.ok());
  EXPECT_EQ(selection->scores[0].name, "hm");
  EXPECT_DOUBLE_EQ(selection->scores[0].points, 5);
  flow.thresholds.clear();
  EXPECT_TRUE(selectMesh(twinLakes(), flow)->scores[2].failed.empty());
}

TEST(Select, TiesNearTiesAndCloseRaces) {
  const std::vector<Candidate> three{{"a", {{"regions", 100}, {"coverage", 1}}},
                                     {"b", {{"regions", 101}, {"coverage", 1}}},
                                     {"c", {{"regions", 120}, {"coverage", 1}}}};
  SelectSettings settings;
  settings.thresholds.clear();
  settings.weights = {{"regions", 1}};
  auto selection = selectMesh(three, settings);
  EXPECT_DOUBLE_EQ(selection->scores[0].points, 0.5) << "one percent apart";
  EXPECT_DOUBLE_EQ(selection->scores[1].points, 0.5);
  EXPECT_FALSE(selection->decided);
  settings.nearTie = 0;
  selection = selectMesh(three, settings);
  EXPECT_DOUBLE_EQ(selection->scores[0].points, 1);
  EXPECT_TRUE(selection->decided);
}

TEST(Select, MissingAndInfiniteValues) {
  const std::vector<Candidate> two{{"a", {{"diameter", HUGE_VAL}}}, {"b", {}}};
  SelectSettings settings;
  settings.thresholds.clear();
  settings.weights = {{"diameter", 1}};
  const auto selection = selectMesh(two, settings);
  EXPECT_EQ(selection->scores[0].name, "a");
  EXPECT_DOUBLE_EQ(selection->scores[0].points, 1);
  settings.thresholds = {{"diameter", false, 1e300}};
  const auto failed = selectMesh(two, settings);
  for (const Score& score : failed->scores) EXPECT_EQ(score.failed.size(), 1U);
  EXPECT_TRUE(selectMesh({}, settings)->scores.empty());
}

TEST(Select, RefusesNonsense) {
  SelectSettings settings;
  settings.weights = {{"beauty", 1}};
  EXPECT_EQ(selectMesh({}, settings).error().code, ErrorCode::kInvalidSettings);
  settings.weights = {{"free_area", 1}};
  EXPECT_EQ(selectMesh({}, settings).error().code, ErrorCode::kInvalidSettings);
  settings.weights = {{"regions", -1}};
  EXPECT_EQ(selectMesh({}, settings).error().code, ErrorCode::kInvalidSettings);
  settings = {};
  settings.thresholds = {{"coverage", true, std::nan("")}};
  EXPECT_EQ(selectMesh({}, settings).error().code, ErrorCode::kInvalidSettings);
  settings = {};
  settings.close = 0.5;
  EXPECT_EQ(selectMesh({}, settings).error().code, ErrorCode::kInvalidSettings);
}

TEST(MetricTable, EveryValueHasAnEntryInOrder) {
  std::set<std::string> names;
  for (const MetricInfo& info : metricInfos()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
  PathMetrics paths;
  paths.asked = paths.possible = 1;
  paths.shortest.count = paths.searched.count = 1;
  paths.radii = {{1, 1, 1, 0, 0, 1, 1}};
  std::vector<MetricValue> values = metricValues(MeshMetrics{});
  for (const MetricValue& v : metricValues(paths)) values.push_back(v);
  for (const MetricValue& v : metricValues(DistanceMapMetrics{})) values.push_back(v);
  ASSERT_LE(values.size(), metricInfos().size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i].name, metricInfos()[i].name);
}

}  // namespace
}  // namespace wend
