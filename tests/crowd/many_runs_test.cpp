#include <cmath>
#include <filesystem>
#include <fstream>

#include <wend/study/many_runs.h>

#include "tests/crowd/run_file.h"

// Many runs of one scenario, parameters and includes.
namespace wend {
namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("wend_many_{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr const char* kRoom = R"toml(format = 1
environment = "POLYGON ((0 0, 8 0, 8 ${3 - width / 2}, 10 ${3 - width / 2}, 10 ${3 + width / 2}, 8 ${3 + width / 2}, 8 6, 0 6, 0 0))"
end_time = 120
[parameters]
width = 1.2
persons = 12
who = "adult"
[profile.adult]
free_speed = { dist = "normal", mean = 1.3, sd = 0.2, min = 0.8, max = 1.8 }
[[stage]]
id = "door"
kind = "exit"
area = [[8.5, 0], [10, 0], [10, 6], [8.5, 6]]
[[journey]]
id = "out"
stages = ["door"]
[[source]]
id = "in"
area = [[1, 1], [6, 1], [6, 5], [1, 5]]
count = "${persons}"
profiles = "${who}"
journey = "out"
[[expect]]
metric = "evacuation_time"
max = 100
)toml";

TEST(ManyRuns, DoNotDependOnThreads) {
  const Folder folder;
  const Scenario scenario = parseScenario(kRoom, "room.toml").value();
  ManyRunsSettings settings;
  settings.runs = 6;
  settings.folder = folder.path();
  std::vector<uint64_t> hashes[2];
  double means[2];
  for (int i = 0; i < 2; ++i) {
    Context context;
    context.threads = i == 0 ? 1 : 3;
    const Result<ManyRuns> many = simulateMany(scenario, settings, context);
    ASSERT_TRUE(many.ok()) << many.error().message;
    ASSERT_EQ(many->runs.size(), 6U);
    for (const OneRun& run : many->runs) {
      hashes[i].push_back(run.hash);
      EXPECT_EQ(run.expectations.size(), 1U);
      EXPECT_DOUBLE_EQ(run.expectations[0], run.evacuation);
      EXPECT_EQ(run.exitTimes.size(), 12U);
    }
    means[i] = many->convergence.back().mean;
    EXPECT_EQ(many->unfinished, 0U);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0][0], hashes[0][1]) << "seeds make a difference";
  EXPECT_EQ(means[0], means[1]);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "recordings are removed";
}

TEST(ManyRuns, StopWhenTheMeanIsKnown) {
  const Folder folder;
  const Scenario scenario = parseScenario(kRoom, "room.toml").value();
  ManyRunsSettings settings;
  settings.runs = 40;
  settings.converge = 0.5;
  settings.folder = folder.path();
  const Result<ManyRuns> many = simulateMany(scenario, settings);
  ASSERT_TRUE(many.ok());
  EXPECT_TRUE(many->converged);
  EXPECT_EQ(many->runs.size(), 10U) << "half of the mean is reached at once, but ten runs are the least";
  const Convergence& last = many->convergence.back();
  double sum = 0;
  double squares = 0;
  for (const OneRun& run : many->runs) sum += run.evacuation;
  for (const OneRun& run : many->runs) squares += std::pow(run.evacuation - sum / 10, 2);
  EXPECT_NEAR(last.mean, sum / 10, 1e-9);
  EXPECT_NEAR(last.deviation, std::sqrt(squares / 9), 1e-9);
  EXPECT_NEAR(last.halfWidth, 2.262 * last.deviation / std::sqrt(10.0), 0.01 * last.halfWidth);
}

TEST(ManyRuns, BandsAndPercentiles) {
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
  EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2);
  EXPECT_NEAR(percentile({0, 10}, 0.95), 9.5, 1e-12);
  ManyRuns runs;
  runs.runs.resize(2);
  runs.runs[0].exitTimes = {1, 2, 3};
  runs.runs[1].exitTimes = {2, 4, 6};
  const std::vector<CurveBand> band = evacuationBand(runs, 6);
  ASSERT_EQ(band.size(), 7U);
  EXPECT_EQ(band[2].time, 2);
  EXPECT_NEAR(band[2].mid, 1.5, 1e-12);
  EXPECT_EQ(band[6].low, 3);
}

TEST(Parameters, AreFilledInAndChanged) {
  const Scenario plain = parseScenario(kRoom, "room.toml").value();
  EXPECT_EQ(plain.sources[0].count, 12U);
  EXPECT_NE(plain.environment.find("8 2.4,"), std::string::npos) << plain.environment;
  EXPECT_EQ(plain.text.find("${"), std::string::npos);
  // The text of a recording is the scenario as it was run.
  const Result<Scenario> again = parseScenario(plain.text, "again");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->environment, plain.environment);
  EXPECT_EQ(again->profiles[0].freeSpeed, plain.profiles[0].freeSpeed);
  const Scenario wide = parseScenario(kRoom, "room.toml", {}, {{"width", "2"}, {"persons", "30"}}).value();
  EXPECT_EQ(wide.sources[0].count, 30U);
  EXPECT_NE(wide.environment.find("8 2,"), std::string::npos) << wide.environment;
}

TEST(Parameters, MistakesAreNamedWithTheirLine) {
  const auto errorOf = [](const std::string& text, const ScenarioParameters& set = {}) {
    const Result<Scenario> scenario = parseScenario(text, "room.toml", {}, set);
    return scenario.ok() ? std::string() : scenario.error().message;
  };
  std::string text = kRoom;
  EXPECT_NE(errorOf(text, {{"height", "2"}}).find("no parameter 'height'"), std::string::npos);
  text.replace(text.find("${persons}"), 10, "${people}");
  EXPECT_NE(errorOf(text).find("line 20: '${people}': there is no parameter 'people'"), std::string::npos)
      << errorOf(text);
  for (const char* bad : {"${1 +}", "${(1}", "${1 2}", "${who * 2}", "${1 / 0}", "${", "${}"}) {
    std::string wrong = kRoom;
    wrong.replace(wrong.find("${persons}"), 10, bad);
    EXPECT_NE(errorOf(wrong), "") << bad;
  }
}

TEST(Includes, JoinListsAndLetTheFileWin) {
  const Folder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(std::filesystem::path(folder.path()) / name) << text;
  };
  write("base.toml",
        "seed = 7\nstep = 0.05\n[profile.adult]\nradius = 0.3\nfree_speed = 1.1\n[[line]]\nid = 'a'\n"
        "from = [0, 0]\nto = [1, 1]\n");
  const std::string own = R"toml(format = 1
include = "base.toml"
environment = "POLYGON ((0 0, 8 0, 8 6, 0 6, 0 0))"
seed = 9
[profile.adult]
radius = 0.2
[[line]]
id = "b"
from = [0, 0]
to = [1, 2]
)toml";
  write("own.toml", own);
  const Result<Scenario> s = readScenario(folder.path() + "/own.toml");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_EQ(s->seed, 9U);
  EXPECT_EQ(s->step, 0.05);
  EXPECT_EQ(s->profiles[0].radius.a, 0.2);
  EXPECT_EQ(s->profiles[0].freeSpeed.a, 1.1);
  ASSERT_EQ(s->lines.size(), 2U);
  EXPECT_EQ(s->lines[0].id, "a");
  write("base.toml", "include = 'own.toml'\n");
  const Result<Scenario> loop = readScenario(folder.path() + "/own.toml");
  EXPECT_FALSE(loop.ok());
  write("base.toml", "\n\nsped = 2\n[profile.adult]\nradius = -1\n");
  const Result<Scenario> wrong = readScenario(folder.path() + "/own.toml");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("base.toml', line 3"), std::string::npos) << wrong.error().message;
}

}  // namespace
}  // namespace wend
