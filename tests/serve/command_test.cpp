#include "serve/command.h"

#include <random>

#include <gtest/gtest.h>

namespace wend::serve {
namespace {

template <typename T>
T parsed(const std::string& text) {
  const Result<Command> command = parseCommand(text);
  EXPECT_TRUE(command.ok()) << text << ": " << (command.ok() ? "" : command.error().message);
  return command.ok() && std::holds_alternative<T>(*command) ? std::get<T>(*command) : T{};
}

TEST(Command, RubbishIsAnErrorWithASentence) {
  for (const char* text : {"",
                           "{",
                           "null",
                           "[]",
                           "7",
                           "\"open\"",
                           "{}",
                           "{\"kind\":3}",
                           "{\"kind\":\"nothing\"}",
                           "\xff\xfe",
                           "{\"kind\":\"plan\"}",
                           "{\"kind\":\"plan\",\"from\":[1],\"to\":[1,2]}",
                           "{\"kind\":\"plan\",\"from\":[1,2],\"to\":[1,1e999]}",
                           "{\"kind\":\"plan\",\"from\":[1,2],\"to\":[3,4],\"radius\":-1}",
                           "{\"kind\":\"plan\",\"from\":[1,2],\"to\":[3,4],\"methods\":[{\"name\":\"magic\"}]}",
                           "{\"kind\":\"open\",\"document\":-1}",
                           "{\"kind\":\"open\",\"demo\":\"../../etc/passwd\"}",
                           "{\"kind\":\"save\",\"as\":\"exe\"}",
                           "{\"kind\":\"speed\",\"factor\":0}",
                           "{\"kind\":\"run\",\"action\":\"fly\"}",
                           "{\"kind\":\"edit\",\"edit\":\"obstacle\",\"points\":[[0,0],[1]]}",
                           "{\"kind\":\"crowd\",\"sources\":[1]}",
                           "{\"kind\":\"crowd\",\"sources\":[{\"count\":1e9}]}"}) {
    const Result<Command> command = parseCommand(text);
    ASSERT_FALSE(command.ok()) << text;
    EXPECT_GT(command.error().message.size(), 20U) << text;
  }
}

TEST(Command, LimitsSizeDepthAndCounts) {
  EXPECT_FALSE(parseCommand(std::string(CommandLimits::kBytes + 1, ' ')).ok());
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_FALSE(parseCommand("{\"kind\":\"edit\",\"points\":" + deep).ok());
  std::string points = "[0,0]";
  for (size_t i = 1; i < CommandLimits::kPoints; ++i) points += ",[0,0]";
  const std::string head = "{\"kind\":\"edit\",\"edit\":\"obstacle\",\"points\":[";
  EXPECT_TRUE(parseCommand(head + points + "]}").ok());
  EXPECT_FALSE(parseCommand(head + points + ",[0,0]]}").ok());
  EXPECT_FALSE(
      parseCommand("{\"kind\":\"open\",\"demo\":\"" + std::string(CommandLimits::kName + 1, 'a') + "\"}").ok());
}

TEST(Command, ReadsEveryField) {
  const auto plan = parsed<PlanCommand>(
      R"({"kind":"plan","from":[1,2],"to":[3,4,5],"radius":0.3,"clearance":1,"side":-0.5,"methods":[{"name":"disk"},{"name":"astar"}]})");
  EXPECT_EQ(plan.from, Place(1, 2));
  EXPECT_EQ(plan.to, Place(3, 4, 5));
  EXPECT_EQ(plan.radius, 0.3);
  EXPECT_EQ(plan.clearance, 1);
  EXPECT_EQ(plan.side, -0.5);
  EXPECT_EQ(plan.methods, (std::vector{PathMethod::kDisk, PathMethod::kAStar}));
  EXPECT_EQ(parsed<PlanCommand>(R"({"kind":"plan","from":[1,2],"to":[3,4]})").methods, std::vector{PathMethod::kBest});

  const auto bake = parsed<BakeCommand>(
      R"({"kind":"bake","generator":"neogen","options":{"order":"shortest","tau":0.5},"extract":{"slope":30},"extractMethod":"voxel"})");
  EXPECT_EQ(bake.generator, "neogen");
  EXPECT_EQ(bake.options, (std::vector<std::pair<std::string, std::string>>{{"order", "shortest"}, {"tau", "0.5"}}));
  EXPECT_EQ(bake.extract, (std::vector<std::pair<std::string, double>>{{"slope", 30.0}}));

  const auto crowd = parsed<CrowdCommand>(
      R"({"kind":"crowd","sources":[{"id":"a","layer":2,"area":[[0,0],[1,0],[1,1]],"count":9,"rate":1.5}],)"
      R"("exits":[{"id":"b","area":[[2,0],[3,0],[3,1]]}],"lines":[{"id":"c","from":[0,0],"to":[1,1]}],"speed":2,"roam":true})");
  ASSERT_EQ(crowd.sources.size(), 1U);
  EXPECT_EQ(crowd.sources[0].layer, 2);
  EXPECT_EQ(crowd.sources[0].count, 9U);
  EXPECT_EQ(crowd.sources[0].area.size(), 3U);
  EXPECT_EQ(crowd.exits.size(), 1U);
  EXPECT_EQ(crowd.lines[0].to, (Vec2{1, 1}));
  EXPECT_TRUE(crowd.roam);

  EXPECT_EQ(parsed<RunCommand>(R"({"kind":"run","action":"start","record":true})").record, true);
  EXPECT_EQ(parsed<SaveCommand>(R"({"kind":"save","as":"svg"})").kind, SaveKind::kPicture);
  EXPECT_EQ(parsed<EditCommand>(R"({"kind":"edit","edit":"move","id":"obstacle 1","by":[1,2],"turn":30})").turn, 30);
  EXPECT_FALSE(parsed<PersonCommand>(R"({"kind":"person"})").slot.has_value());
  EXPECT_EQ(parsed<PersonCommand>(R"({"kind":"person","slot":7})").slot, 7U);
}

// Whatever bytes come, there is an answer.
TEST(Command, RandomDamageNeverCrashes) {
  const std::string good =
      R"({"kind":"crowd","sources":[{"id":"a","area":[[0,0],[1,0],[1,1]],"count":9}],"exits":[],"speed":1.5})";
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (int k = 0; k < 3; ++k) text[random() % text.size()] = static_cast<char>(random() % 256);
    const Result<Command> command = parseCommand(text);
    if (!command.ok()) {
      EXPECT_FALSE(command.error().message.empty());
    }
  }
}

}  // namespace
}  // namespace wend::serve
