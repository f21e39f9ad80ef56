#include "serve/session.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <wend/file.h>
#include <wend/make.h>
#include <wend/make_scene.h>
#include <wend/simulate.h>
#include <wend/world_input.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/wall_clock.h"

namespace wend::serve {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Keeps what a session says.
class Mailbox : public Outbox {
 public:
  void send(ClientId, Packet packet) override { keep(packet); }
  void broadcast(Packet packet) override { keep(packet); }
  void publish(const std::string& name, Content content) override { contents[name] = std::move(content); }
  void withdraw(const std::string& name) override { contents.erase(name); }

  Json last(const std::string& kind) const {
    for (size_t i = messages.size(); i-- > 0;) {
      if (messages[i]["kind"] == kind) return messages[i];
    }
    return nullptr;
  }
  size_t count(const std::string& kind) const {
    size_t n = 0;
    for (const Json& message : messages) n += message["kind"] == kind ? 1 : 0;
    return n;
  }

  std::vector<Json> messages;
  std::vector<std::string> frames;
  std::vector<std::string> maps;
  std::vector<std::string> reaches;
  std::map<std::string, Content> contents;

 private:
  void keep(const Packet& packet) {
    if (!packet.binary) return messages.push_back(Json::parse(*packet.bytes));
    const char kind = (*packet.bytes)[0];
    if (kind == 1) frames.push_back(*packet.bytes);
    if (kind == 3) maps.push_back(*packet.bytes);
    if (kind == 4) reaches.push_back(*packet.bytes);
  }
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    folder_ = fs::temp_directory_path() / ("wend_session_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~SessionTest() override { fs::remove_all(folder_); }

  void begin(const std::vector<std::string>& files) {
    std::vector<Document> documents;
    for (const std::string& file : files) {
      const Result<Document> document = recogniseDocument(file);
      ASSERT_TRUE(document.ok()) << document.error().message;
      documents.push_back(*document);
    }
    session_ = std::make_unique<Session>(documents, folder_.string(), 2, box_);
    session_->begin();
  }
  void say(const std::string& text) {
    const Result<Command> command = parseCommand(text);
    ASSERT_TRUE(command.ok()) << command.error().message;
    session_->handle(1, *command);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Mailbox box_;
  fs::path folder_;
  std::unique_ptr<Session> session_;
};

constexpr const char* kTwoRooms =
    "POLYGON ((0 0, 10 0, 10 4.5, 12 4.5, 12 0, 22 0, 22 10, 12 10, 12 5.5, 10 5.5, 10 10, 0 10, 0 0))";

TEST_F(SessionTest, WithoutFilesOffersDemosAndRefusesWork) {
  begin({});
  session_->opened(1);
  EXPECT_GE(box_.last("catalogue")["demos"].size(), 4U);
  EXPECT_FALSE(box_.last("state").contains("world"));
  say(R"({"kind":"plan","from":[1,1],"to":[2,2]})");
  EXPECT_EQ(box_.last("error")["code"], "invalid-settings");
  say(R"({"kind":"open","document":0})");
  EXPECT_EQ(box_.count("error"), 2U);
}

TEST_F(SessionTest, EveryDemoOpens) {
  begin({});
  for (const Demo& demo : demos()) {
    say("{\"kind\":\"open\",\"demo\":\"" + demo.name + "\"}");
    EXPECT_TRUE(box_.last("state").contains("world")) << demo.name;
    EXPECT_EQ(box_.last("state")["error"], "") << demo.name;
    const std::string version = std::to_string(box_.last("state")["version"].get<int>());
    EXPECT_TRUE(box_.contents.contains("mesh." + version));
    EXPECT_EQ(box_.contents.contains("scene." + version), demo.document.kind == DocumentKind::kMadeScene);
  }
  EXPECT_EQ(box_.count("error"), 0U);
  // Shapes of worlds that are long gone are not kept.
  EXPECT_LE(box_.contents.size(), 12U);
}

TEST_F(SessionTest, BakesWithEveryGeneratorAndKeepsTheWorldOnError) {
  begin({"make:maze"});
  for (const GeneratorInfo& info : generators()) {
    if (!info.missing.empty()) continue;
    say("{\"kind\":\"bake\",\"generator\":\"" + info.name + "\"}");
    EXPECT_EQ(box_.last("state")["world"]["generator"], info.name);
    EXPECT_GT(box_.last("state")["stages"].size(), 1U);
  }
  EXPECT_EQ(box_.count("error"), 0U);
  say(R"({"kind":"bake","generator":"magic"})");
  EXPECT_EQ(box_.count("error"), 1U);
  say(R"({"kind":"bake","generator":"neogen","options":{"nonsense":"1"}})");
  EXPECT_EQ(box_.count("error"), 2U);
  EXPECT_NE(box_.last("state")["world"]["generator"], "magic");
}

// Names and states that are no texts are empty ones.
TEST_F(SessionTest, AComparisonOfSomebodyElseIsReadWithCare) {
  fs::create_directories(folder_ / "study");
  write("study/results.json",
        R"({"worlds":[{"name":"a"}],"rows":[{"world":5},{"world":"a","generator":[],"status":1,"message":{}},7,)"
        R"({"world":"a","generator":"../../x","metrics":{"cells":"many"}}]})");
  begin({path("study")});
  EXPECT_EQ(box_.last("state")["error"], "");
  EXPECT_EQ(box_.count("error"), 0U);
}

TEST_F(SessionTest, PlansAndNamesTheNarrowestPlace) {
  write("rooms.wkt", kTwoRooms);
  begin({path("rooms.wkt")});
  for (const char* generator : {"ecm", "hertel-mehlhorn"}) {
    say(std::string("{\"kind\":\"bake\",\"generator\":\"") + generator + "\"}");
    say(R"({"kind":"plan","from":[2,5],"to":[20,5],"radius":0.3,"methods":[{"name":"best"},{"name":"disk"}]})");
    Json plan = box_.last("plan");
    ASSERT_EQ(plan["routes"].size(), 2U);
    for (const Json& route : plan["routes"]) {
      EXPECT_EQ(route["status"], "found");
      EXPECT_NEAR(route["length"].get<double>(), 18, 1e-6);
    }
    // The passage is 1 m wide: a disk of radius 0.6 m does not fit, and the place is in it.
    say(R"({"kind":"plan","from":[2,5],"to":[20,5],"radius":0.6})");
    plan = box_.last("plan");
    EXPECT_NE(plan["routes"][0]["status"], "found");
    ASSERT_TRUE(plan["narrowest"].is_object()) << generator;
    EXPECT_NEAR(plan["narrowest"]["radius"].get<double>(), 0.5, 1e-6);
    EXPECT_GE(plan["narrowest"]["place"][0].get<double>(), 9.9);
    EXPECT_LE(plan["narrowest"]["place"][0].get<double>(), 12.1);
    // What it can reach ends at the passage.
    say(R"({"kind":"reach","from":[2,5],"radius":0.6})");
    const std::string reached = box_.reaches.back().substr(16);
    EXPECT_EQ(reached.size(), session_->world().mesh().cellCount());
    EXPECT_NE(reached.find('\1'), std::string::npos);
    EXPECT_NE(reached.find('\0'), std::string::npos);
    say(R"({"kind":"reach","from":[2,5],"radius":0.2})");
    EXPECT_EQ(box_.reaches.back().substr(16).find('\0'), std::string::npos);
  }
  say(R"({"kind":"probe","at":[2,5],"sight":true,"range":0})");
  const Json probe = box_.last("probe");
  EXPECT_TRUE(probe["on"].get<bool>());
  EXPECT_NEAR(probe["clearance"].get<double>(), 2, 1e-6);
  EXPECT_GE(probe["sight"].size(), 9U);
  say(R"({"kind":"probe","at":[200,5]})");
  EXPECT_FALSE(box_.last("probe")["on"].get<bool>());
}

TEST_F(SessionTest, EditsUndoAndSave) {
  write("rooms.wkt", kTwoRooms);
  begin({path("rooms.wkt")});
  const double area = box_.last("state")["world"]["area"];
  say(R"({"kind":"edit","edit":"obstacle","layer":0,"points":[[2,2],[4,2],[4,4],[2,4]]})");
  EXPECT_NEAR(box_.last("state")["world"]["area"].get<double>(), area - 4, 1e-9);
  ASSERT_EQ(box_.last("state")["items"].size(), 1U);
  // Across the wall it covers less.
  say(R"({"kind":"edit","edit":"move","id":"obstacle 1","by":[-3,0]})");
  EXPECT_NEAR(box_.last("state")["world"]["area"].get<double>(), area - 2, 1e-9);
  say(R"({"kind":"edit","edit":"door","layer":0,"points":[[11,4.5],[11,5.5]],"open":false})");
  EXPECT_EQ(box_.last("state")["world"]["components"], 2);
  say(R"({"kind":"edit","edit":"set-door","id":"door 1","open":true})");
  EXPECT_EQ(box_.last("state")["world"]["components"], 1);
  for (int i = 0; i < 4; ++i) say(R"({"kind":"edit","edit":"undo"})");
  EXPECT_EQ(box_.last("state")["world"]["area"].get<double>(), area);
  EXPECT_EQ(box_.last("state")["items"].size(), 0U);
  say(R"({"kind":"edit","edit":"undo"})");
  EXPECT_EQ(box_.count("error"), 1U);
  say(R"({"kind":"edit","edit":"redo"})");
  EXPECT_EQ(box_.last("state")["items"].size(), 1U);
  // Everything covered: the edit is taken back and the world stays.
  say(R"({"kind":"edit","edit":"obstacle","layer":0,"points":[[-9,-9],[99,-9],[99,99],[-9,99]]})");
  EXPECT_EQ(box_.count("error"), 2U);
  EXPECT_EQ(box_.last("state")["items"].size(), 1U);
  EXPECT_NEAR(box_.last("state")["world"]["area"].get<double>(), area - 4, 1e-9);

  say(R"({"kind":"save","as":"wend"})");
  const Content saved = box_.contents.at(box_.last("download")["address"].get<std::string>().substr(5));
  const Result<World> world = parseWorld(asBytes(*saved.bytes), "saved");
  ASSERT_TRUE(world.ok());
  EXPECT_EQ(hash(*world), hash(session_->world()));
  say(R"({"kind":"save","as":"env"})");
  say(R"({"kind":"save","as":"svg"})");
  EXPECT_NE(box_.contents.at("download.3").bytes->find("<svg"), std::string::npos);
  say(R"({"kind":"edit","edit":"plan","rooms":[[[0,0],[8,0],[8,5],[0,5]]],"walls":[[[4,0],[4.2,0],[4.2,3],[4,3]]]})");
  EXPECT_NEAR(box_.last("state")["world"]["area"].get<double>(), 40 - 0.6, 1e-9);
}

TEST_F(SessionTest, RunsACrowdThatReactsToEdits) {
  write("rooms.wkt", kTwoRooms);
  begin({path("rooms.wkt")});
  say(R"({"kind":"crowd","sources":[{"id":"a","area":[[1,1],[9,1],[9,9],[1,9]],"count":30}],"exits":[{"id":"out","area":[[20,0],[22,0],[22,10],[20,10]]}],"lines":[{"id":"gate","from":[11,4.5],"to":[11,5.5]}]})");
  say(R"({"kind":"map","on":true})");
  say(R"({"kind":"run","action":"start"})");
  ASSERT_EQ(box_.count("error"), 0U) << box_.last("error");
  ASSERT_NE(session_->show(), nullptr);
  // The clock is ours: 40 ticks are 4 s.
  double now = wallSeconds();
  say(R"({"kind":"speed","factor":2})");
  for (int i = 0; i < 40; ++i) session_->tick(now += 0.05);
  EXPECT_GT(session_->show()->time(), 2);
  EXPECT_GT(box_.frames.size(), 5U);
  EXPECT_GE(box_.maps.size(), 1U);
  say(R"({"kind":"person","slot":0})");
  EXPECT_EQ(box_.last("person")["slot"], 0);
  EXPECT_FALSE(box_.last("person")["doing"].get<std::string>().empty());
  EXPECT_GE(box_.last("person")["route"].size(), 6U);
  // The only way is shut: from now on nobody leaves.
  say(R"({"kind":"edit","edit":"door","layer":0,"points":[[11,4.5],[11,5.5]],"open":false})");
  ASSERT_EQ(box_.count("error"), 0U) << box_.last("error");
  const auto left = [&] { return session_->show()->chart().left; };
  for (int i = 0; i < 100; ++i) session_->tick(now += 0.05);
  const uint64_t stuck = left();
  EXPECT_LT(stuck, 30U);
  for (int i = 0; i < 20; ++i) session_->tick(now += 0.05);
  EXPECT_EQ(left(), stuck);
  say(R"({"kind":"edit","edit":"set-door","id":"door 1","open":true})");
  say(R"({"kind":"speed","factor":20})");
  for (int i = 0; i < 1500 && !session_->show()->isOver(); ++i) {
    if (session_->nextTick() > 1e300) say(R"({"kind":"run","action":"start"})");
    session_->tick(now += 0.05);
  }
  EXPECT_EQ(left(), 30U);
  EXPECT_GE(session_->show()->chart().crossed.at(0), 25U);
}

TEST_F(SessionTest, RecordsAndPlays) {
  write("rooms.wkt", kTwoRooms);
  begin({path("rooms.wkt")});
  say(R"({"kind":"crowd","sources":[{"id":"a","area":[[13,1],[21,1],[21,9],[13,9]],"count":20}],"exits":[{"id":"out","area":[[20,0],[22,0],[22,10],[20,10]]}]})");
  say(R"({"kind":"run","action":"start","record":true})");
  say(R"({"kind":"speed","factor":500})");
  double now = wallSeconds();
  for (int i = 0; i < 400 && !session_->show()->isOver(); ++i) session_->tick(now += 0.05);
  ASSERT_TRUE(session_->show()->isOver());
  ASSERT_EQ(box_.last("state")["documents"].size(), 2U);
  say(R"({"kind":"save","as":"toml"})");
  const std::string toml = *box_.contents.at("download.1").bytes;
  EXPECT_TRUE(parseScenario(toml, "saved").ok());
  say(R"({"kind":"open","document":1})");
  ASSERT_EQ(box_.count("error"), 0U) << box_.last("error");
  EXPECT_TRUE(box_.last("state")["recording"].get<bool>());
  const double duration = box_.last("state")["show"]["duration"];
  EXPECT_GT(duration, 1);
  EXPECT_EQ(session_->show()->persons().size(), 20U);
  say("{\"kind\":\"seek\",\"time\":" + std::to_string(duration) + "}");
  EXPECT_LT(session_->show()->persons().size(), 20U);
  say(R"({"kind":"seek","time":0})");
  EXPECT_EQ(session_->show()->persons().size(), 20U);
  say(R"({"kind":"edit","edit":"undo"})");
  EXPECT_EQ(box_.count("error"), 1U);
}

// Watching changes nothing: the crowd walks as without frames, recorded or not.
TEST_F(SessionTest, WatchedAndRecordedRunsAreEqual) {
  const Result<Scenario> scenario = readScenario(WEND_SOURCE_DIR "/examples/crowd/bottleneck.toml");
  ASSERT_TRUE(scenario.ok());
  const Result<Environment> environment = [&] {
    const auto read = readAnyEnvironment(scenario->environment);
    return read.ok() ? Result<Environment>(read->environment) : Result<Environment>(read.error());
  }();
  ASSERT_TRUE(environment.ok());
  const Result<World> world = bake(*environment);
  const Context context;
  auto plain = LiveCrowd::make(*scenario, *world, "", context);
  auto recorded = LiveCrowd::make(*scenario, *world, path("run.sqlite"), context);
  ASSERT_TRUE(plain.ok() && recorded.ok());
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE((*plain)->advance().ok());
    ASSERT_TRUE((*recorded)->advance().ok());
    (void)encodeFrame(1, 1, 0, {}, (*recorded)->persons(), (*recorded)->slots());
  }
  EXPECT_EQ((*plain)->hash(), (*recorded)->hash());
  ASSERT_TRUE((*recorded)->finish().ok());
  const Result<Recording> recording = Recording::open(path("run.sqlite"));
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->persons().size(), (*plain)->persons().size());
}

TEST_F(SessionTest, ShowsAScenarioFile) {
  begin({WEND_SOURCE_DIR "/examples/crowd/bottleneck.toml"});
  ASSERT_EQ(box_.count("error"), 0U) << box_.last("error");
  EXPECT_GE(box_.last("state")["scenario"]["sources"].size(), 1U);
  say(R"({"kind":"run","action":"step"})");
  EXPECT_EQ(session_->show()->persons().size(), 150U);
}

TEST_F(SessionTest, AnEmptySceneShowsItsTrianglesAndSaysWhy) {
  write("wall.obj", "v 0 0 0\nv 1 0 0\nv 1 5 0\nf 1 2 3\n");
  begin({path("wall.obj")});
  EXPECT_EQ(box_.last("error")["code"], "empty");
  const Json state = box_.last("state");
  EXPECT_FALSE(state.contains("world"));
  EXPECT_EQ(state["scene"]["triangles"], 1);
  EXPECT_TRUE(box_.contents.contains("scene." + std::to_string(state["version"].get<int>())));
}

TEST(Documents, UnknownFilesAreErrorsThatSayWhatCanBeViewed) {
  for (const char* path : {"/nonexistent.env", "/", WEND_SOURCE_DIR "/README.md"}) {
    const Result<Document> document = recogniseDocument(path);
    ASSERT_FALSE(document.ok()) << path;
    EXPECT_GT(document.error().message.size(), 20U);
  }
}

}  // namespace
}  // namespace wend::serve
