#include <chrono>

#include <wend/scenario.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "crowd/scenario/distribution.h"

namespace wend {
namespace {

const std::string kSmall = R"toml(format = 1
environment = "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))"
[[source]]
id = "in"
area = [[0, 0], [5, 0], [5, 5], [0, 5]]
count = 3
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[9, 0], [10, 0], [10, 5], [9, 5]]
[[journey]]
id = "out"
stages = ["door"]
)toml";

std::string errorOf(const std::string& text) {
  const Result<Scenario> scenario = parseScenario(text, "s.toml");
  return scenario.ok() ? std::string() : scenario.error().message;
}

void expectError(const std::string& text, const std::string& part) {
  const std::string message = errorOf(text);
  EXPECT_NE(message.find(part), std::string::npos) << "got: " << message << "\nfor:\n" << text;
}

TEST(Scenario, EmptyAndHopelessFiles) {
  expectError("", "format = 1");
  expectError("format = 2\nenvironment = 'x'", "line 1");
  expectError("format = 1", "environment");
  expectError("format = 1\nenvironment = ", "line 2");
  expectError("format = 1\nenvironment = \"\"\"a\nb\"\"\"", "one line");
  std::string deep = "a";
  for (int i = 0; i < 200'000; ++i) deep += ".a";
  expectError("format = 1\n" + deep + " = 1", "line 2");
  expectError("x = " + std::string(100'000, '['), "not TOML");
  expectError("\xc3\xbd", "outside of quotes");
  expectError("[{", "not TOML");
  expectError("x = 1\n[[ \n", "not TOML");
  expectError("x = [1 = ]", "not TOML");
  expectError("x = [\n[1.0, 2.0], [3.0, 4.0]]\n[", "s.toml");
  expectError(std::string("[\0\0\0", 4), "control character");
  expectError(std::string("x = '\0'", 7), "control character");
  expectError(std::string(kMaxScenarioBytes + 1, ' '), "16 MB");
}

TEST(Scenario, LettersOutsideAscii) {
  const Result<Scenario> s = parseScenario("name = \"T\xc3\xbcr \xf0\x9f\x9a\xaa\" # \xc3\xa4\n" + kSmall, "s.toml");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_EQ(s->name, "T\xc3\xbcr \xf0\x9f\x9a\xaa");
  expectError("name = \"\xff\"\n" + kSmall, "UTF-8");
  expectError("name = \"\xed\xa0\x80\"\n" + kSmall, "UTF-8");
  expectError("name = '\xc3\xbc'\n" + kSmall, "double quotes");
  expectError(
      "o=+ahset\"set\xef\xba\xbf"
      "ah\"",
      "not TOML");
}

TEST(Scenario, SmallestOne) {
  const Result<Scenario> s = parseScenario(kSmall, "s.toml");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_EQ(s->sources.size(), 1U);
  EXPECT_EQ(s->sources[0].count, 3U);
  EXPECT_EQ(s->profiles.size(), 1U);
  EXPECT_EQ(s->profiles[0].radius, constant(0.24));
  EXPECT_EQ(s->stages[0].kind, StageKind::kExit);
  EXPECT_EQ(s->step, 0.1);
  EXPECT_TRUE(s->untilEmpty);
}

// A file of a megabyte asked for gigabytes or hours, or ended the program.
TEST(Scenario, SmallFilesTakeLittle) {
  // A long parameter that is named often.
  std::string often = "name = \"";
  for (int i = 0; i < 100; ++i) often += "${a}";
  expectError(often + "\"\n" + kSmall + "[parameters]\na = '" + std::string(1'000'000, 'x') + "'\n",
              "the parameters add more than 16 MB");
  // Each exit of a pool leads to each other one.
  std::string pool = kSmall;
  for (int i = 0; i < 1100; ++i) pool += fmt::format("[[stage]]\nid='s{}'\nkind='exit'\narea=[[0,0],[1,0],[1,1]]\n", i);
  expectError(pool + "[pool]\nmax=5\nrate=1\n", "it may have 1000");
  std::string lift = kSmall + "[[lift]]\nid='l'\nlobby=[1,1]\narea=[[0,0],[1,0],[1,1]]\nfloors=[0";
  for (int i = 1; i < 1100; ++i) lift += fmt::format(",{}", i);
  expectError(lift + "]\n", "at most 1000 layers");
  // Lines are numbered with the file that they are of.
  expectError(kSmall + std::string(10'000'000, '\n') + "[parameters]\na=1\n[[line]]\nid='${b}'\n",
              "at most 10,000,000 lines");
}

// Thousands of unknown names: only the first is compared with all that there are.
TEST(Scenario, UnknownNamesAreToldOnce) {
  std::string text = kSmall;
  for (int i = 0; i < 8000; ++i) {
    text += fmt::format("[[stage]]\nid='stage{}'\nkind='exit'\narea=[[0,0],[1,0],[1,1]]\n", i);
    text += fmt::format("[[journey]]\nid='journey{}'\nstages=['nowhere{}']\n", i, i);
  }
  const auto begin = std::chrono::steady_clock::now();
  expectError(text, "there is no stage 'nowhere0'");
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 20);
}

TEST(Scenario, WritesBesideItsRecordingOnly) {
  for (const char* path : {"/tmp/x.txt", "../x.txt", "a/../../x.txt", ".."}) {
    expectError(kSmall + "[output]\ntext = '" + path + "'\n", "must lie beside the recording");
    expectError(kSmall + "[output]\ndir = '" + path + "'\n", "must lie beside the recording");
  }
  EXPECT_TRUE(parseScenario(kSmall + "[output]\ntext = 'a/x.txt'\ndir = 'out..'\n", "s.toml").ok());
}

TEST(Scenario, EveryWrongKeyAndValueNamesItsLine) {
  expectError(kSmall + "[output]\nevry = 2\n", "line 16: output has no key 'evry'; did you mean every");
  expectError(kSmall + "[[sorce]]\nid='x'\n", "no key 'sorce'");
  expectError(kSmall + "[profile.a]\nradius = 3\n", "line 16: 'radius' of profile 'a' is 3; it must be 0.05 to 2");
  expectError(kSmall + "[profile.a]\nradius = nan\n", "must be 0.05 to 2");
  expectError(kSmall + "[profile.a]\nradius = '1'\n", "must be a number or a table");
  expectError(kSmall + "[profile.a]\nradius = {dist='normal', mean=1}\n", "needs the key 'sd'");
  expectError(kSmall + "[profile.a]\nradius = {dist='uniform', min=1, max=0.5}\n", "above 'max'");
  expectError(kSmall + "[profile.a]\nradius = {dist='uniform', min=0.01, max=0.5}\n", "0.05 to 2");
  expectError(kSmall + "[profile.a]\nradius = {dist='cauchy'}\n", "'uniform', 'normal'");
  expectError(kSmall + "[profile.a]\nradius = {dist='table', values=[1.0], weights=[1.0, 2.0]}\n", "as many");
  expectError(kSmall + "[profile.a]\navoid = 'magic'\n", "'orca'");
  expectError(kSmall + "[profile.a]\nstream = 1\n", "true or false");
  expectError(kSmall + "[[source]]\nid='b'\npoints=[[1,1]]\n", "journey");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\n", "'points'");
  expectError(kSmall + "[[source]]\nid='b'\njourney='aut'\narea='all'\n", "did you mean out");
  expectError(kSmall + "[[source]]\nid='in'\njourney='out'\narea='all'\n", "two sources 'in'");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea=[[0,0],[1,1]]\n", "three");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea=[[0,0],[1,inf],[3,4]]\n", "1e9");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea='POLYGON ((0 0, 1 0'\n", "WKT");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea='all'\ncount=-1\n", "0 to 1000000");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea='all'\ncount=1.5\n", "whole");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea='all'\nschedule=[[5,1],[4,1]]\n", "ascending");
  expectError(kSmall + "[[source]]\nid='b'\njourney='out'\narea='all'\ngroup_size=[]\n", "1 to 100 weights");
  const std::string groups = kSmall + "[[source]]\nid='b'\njourney='out'\narea='all'\n";
  expectError(groups + "members=['persn']\n", "there is no profile 'persn'; did you mean person");
  expectError(groups + "members=[]\n", "1 to 32 names of profiles");
  expectError(groups + "members=[1]\n", "strings");
  expectError(groups + "members=['person', 'person']\ncount=5\n", "is 5 persons, which are not whole groups of 2");
  expectError(groups + "members=['person']\ngroup_size=[1]\n", "cannot stand beside 'members'");
  expectError(groups + "members=['person']\nprofiles='person'\n", "cannot stand beside 'members'");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='swing'\n", "'waypoint'");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='waypoint'\n", "'at'");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='exit'\n", "'area'");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='exit'\narea='all'\n", "cannot be 'all'");
  expectError("step = 1e-9\n" + kSmall, "0.001 to 0.5");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='queue'\n", "slots");
  expectError(kSmall + "[[stage]]\nid='b'\nkind='waypoint'\nat=[1,2]\nservers=2\n", "no key 'servers'");
  expectError(kSmall + "[[journey]]\nid='b'\nstages=['nowhere']\n", "no stage 'nowhere'");
  expectError(kSmall + "[[journey]]\nid='b'\nstages=['door']\nnext=[{from='start',to=['x']}]\n", "'x'");
  expectError(kSmall + "[[region]]\nid='b'\narea=[[0,0],[1,0],[1,1]]\nstart=5\nend=4\n", "is after 'end'");
  const std::string zones =
      "[[zone]]\nid='a'\nlabel='s'\narea=[[0,0],[1,0],[1,1]]\n"
      "[[zone]]\nid='b'\nlabel='s'\nspeed_factor=0.5\narea=[[0,0],[1,0],[1,1]]\n";
  EXPECT_TRUE(parseScenario(kSmall + zones, "s.toml").ok());
  expectError(kSmall + zones + "[profile.a]\nroute='fastest'\n", "share the label 's' but not the 'speed_factor'");
  expectError(kSmall + "[[door]]\nid='b'\nline=[[1,1],[1,1]]\n", "different");
  expectError(kSmall + "[[event]]\ntime=1\naction='close'\ntarget='gate'\n", "not a door or exit");
  expectError(kSmall + "[[event]]\ntime=1\naction='insert'\ntarget='gate'\n", "area");
  expectError(kSmall + "[[event]]\ntime=1\naction='alarm'\ntarget='all'\nrate=2\n", "set_rate");
  expectError(kSmall + "[[event]]\ntime=-1\naction='alarm'\ntarget='all'\n", "time");
  expectError(kSmall + "[[expect]]\nmetric='hapiness'\nmin=1\n", "no metric");
  expectError(kSmall + "[[expect]]\nmetric='left'\n", "'min' or 'max'");
  expectError("source = 3\n" + kSmall, "");
}

TEST(Scenario, ReadsTheExamplesOfTheDocumentation) {
  const Result<Scenario> s = parseScenario(R"toml(
format = 1 # station hall: arrivals, ticket queue, alarm, a door shuts
environment = "hall.env"
end_time = 1200
[profile.commuter]
free_speed = { dist = "normal", mean = 1.34, sd = 0.26, min = 0.5, max = 2.2 }
premovement = { dist = "lognormal", mu = 3.4, sigma = 0.6, max = 180 }
[profile.slow]
radius = 0.3
free_speed = { dist = "uniform", min = 0.4, max = 0.8 }
region_speed = { stairs = 0.4 }
[[source]]
id = "platform"
area = "POLYGON ((0 0, 60 0, 60 4, 0 4, 0 0))"
layer = 1
schedule = [[0, 0.5], [60, 4.0], [90, 0.5]]
arrivals = "poisson"
end = 600
profiles = { commuter = 0.9, slow = 0.1 }
group_size = [0.7, 0.2, 0.1]
journey = { leave = 0.8, ticket = 0.2 }
[[stage]]
id = "desk"
kind = "queue"
slots = [[30, 20], [30, 20.8], [30, 21.6], [30, 22.4]]
service = { dist = "exponential", mean = 20 }
servers = 2
[[stage]]
id = "west"
kind = "exit"
area = [[-1, 28], [0, 28], [0, 32], [-1, 32]]
[[stage]]
id = "east"
kind = "exit"
area = [[60, 28], [61, 28], [61, 32], [60, 32]]
[[journey]]
id = "leave"
stages = ["west", "east"]
next = [{ from = "start", to = ["west", "east"], rule = "nearest" }]
[[journey]]
id = "ticket"
stages = ["desk", "east"]
[[door]]
id = "gate"
line = [[0, 28], [0, 32]]
[[event]]
time = 300
action = "alarm"
target = "all"
[[event]]
time = 330
action = "close"
target = "gate"
[[event]]
time = 400
action = "insert"
target = "debris"
area = [[20, 29], [22, 29], [22, 31], [20, 31]]
[[line]]
id = "stair"
from = [28, 10]
to = [32, 10]
[output]
dir = "hall"
per_layer = true
)toml",
                                           "hall.toml");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_EQ(s->sources[0].area.layer, 1);
  EXPECT_EQ(s->sources[0].schedule.size(), 3U);
  EXPECT_EQ(s->sources[0].profiles[0], Weighted("commuter", 0.9));
  EXPECT_EQ(s->journeys[0].next[0].rule, NextRule::kNearest);
  EXPECT_EQ(s->events[2].action, EventAction::kInsert);
  EXPECT_EQ(s->profiles[1].crowd.regionSpeed.at("stairs"), 0.4);
  EXPECT_TRUE(s->output.perLayer);
}

// The largest distance between what is drawn and what should be, against its 5 % limit.
void expectDrawn(const Distribution& d) {
  constexpr int kDraws = 4000;
  Random random(7);
  std::vector<double> values;
  for (int i = 0; i < kDraws; ++i) values.push_back(draw(d, random).value());
  std::sort(values.begin(), values.end());
  double worst = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double f = cumulative(d, values[static_cast<size_t>(i)]);
    worst = std::max({worst, std::abs(f - (i + 0.0) / kDraws), std::abs(f - (i + 1.0) / kDraws)});
  }
  EXPECT_LT(worst, 1.36 / std::sqrt(kDraws)) << static_cast<int>(d.kind);
}

TEST(Distribution, DrawsWhatItSays) {
  using Kind = Distribution::Kind;
  expectDrawn({Kind::kUniform, 0, 0, 10, 100});
  expectDrawn({Kind::kNormal, 1.34, 0.26});
  expectDrawn({Kind::kLognormal, 4.586, 0.967});
  expectDrawn({Kind::kGamma, 1.291, 103.901});
  expectDrawn({Kind::kGamma, 0.5, 2});
  expectDrawn({Kind::kWeibull, 1.195, 139.285});
  expectDrawn({Kind::kExponential, 20});
}

TEST(Distribution, RedrawsWithinItsLimitsAndGivesUp) {
  Random random(3);
  const Distribution cut{Distribution::Kind::kNormal, 1.34, 0.26, 1.3, 1.4};
  for (int i = 0; i < 1000; ++i) {
    const double value = draw(cut, random).value();
    EXPECT_GE(value, 1.3);
    EXPECT_LE(value, 1.4);
  }
  EXPECT_FALSE(draw({Distribution::Kind::kNormal, 0, 1, 50, 60}, random).has_value());
  const Distribution table{Distribution::Kind::kTable, 0, 0, -kForever, kForever, {1, 2}, {1, 3}};
  int twos = 0;
  for (int i = 0; i < 4000; ++i) twos += draw(table, random) == 2.0 ? 1 : 0;
  EXPECT_NEAR(twos, 3000, 120);
}

}  // namespace
}  // namespace wend
