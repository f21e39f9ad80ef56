#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/room.h"

// `wend edit`: what it says and writes, and that nothing is written where an edit is refused.
namespace {

using Json = nlohmann::json;

// A room of 10 x 6 m with a pillar, as a world.
void bakeRoom(const Workshop& w) {
  w.write("room.wkt", kRoom);
  ASSERT_EQ(w.wend("bake room.wkt -o room.wend").exit, 0);
}

double areaAfter(const Workshop& w, const std::string& arguments) {
  const Outcome outcome = w.wend("edit " + arguments + " --check --json");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  return outcome.exit == 0 ? Json::parse(outcome.out)["area"].get<double>() : 0;
}

TEST(EditProgram, ObstaclesComeMoveAndGo) {
  const Workshop w;
  bakeRoom(w);
  EXPECT_NEAR(areaAfter(w, "room.wend --add crate=square:1@2,2~17 -o a.wend"), 55, 0.01);
  EXPECT_NEAR(
      areaAfter(w, "a.wend --move crate@2,2.5 --add 'fence=segment:0,0;1,0@7,1' --add post=point@8,3 -o a.wend"), 55,
      0.01);
  EXPECT_EQ(w.wend("check a.wend").exit, 0);
  EXPECT_TRUE(contains(w.wend("info a.wend").out, "crate"));
  // Bodies block where one meets them: not below a step, not above the head.
  EXPECT_NEAR(
      areaAfter(w, "a.wend --add box:1,1,2@2,4.5,0 --add cylinder:0.5,0.3@8,5 --add box:1,1,1@8,5,2.5 -o b.wend"), 54,
      0.01);
  EXPECT_NEAR(areaAfter(w, "a.wend --remove crate --remove fence --remove post -o c.wend"), 56, 1e-9);
  // What goes leaves what was there.
  EXPECT_EQ(w.wend("check c.wend --against room.wkt").exit, 0);
}

TEST(EditProgram, DoorsOpenAndShut) {
  const Workshop w;
  bakeRoom(w);
  EXPECT_NEAR(areaAfter(w, "room.wend --add-door 'gate=4.5,0;4.5,2' -o a.wend"), 56, 1e-9);
  EXPECT_NEAR(areaAfter(w, "a.wend --shut gate -o b.wend"), 56 - 0.1 * 2, 0.02);
  EXPECT_NEAR(areaAfter(w, "b.wend --open gate -o c.wend"), 56, 1e-9);
  EXPECT_NEAR(areaAfter(w, "b.wend --remove-door gate -o c.wend"), 56, 1e-9);
}

TEST(EditProgram, WhatIsWrongIsOneSentenceAndWritesNothing) {
  const Workshop w;
  bakeRoom(w);
  ASSERT_EQ(w.wend("edit room.wend --add crate=square:1@2,2 -o a.wend").exit, 0);
  struct Case {
    const char* edits;
    int exit;
    const char* says;
  };
  for (const Case& one : {
           Case{"--remove nobody", 2, "names no obstacle"},
           Case{"--add square:1@99,99", 1, "outside of the walkable world"},
           Case{"--add 'polygon:0,0;2,2;2,0;0,2@2,2'", 1, "crosses or touches itself"},
           Case{"--add crate=square:1@1,1", 2, "the name 'crate' is taken"},
           Case{"--add square:-1@1,1", 2, "sizes above 0"},
           Case{"--add square:0@1,1", 2, "sizes above 0"},
           Case{"--add box:1,1,-1@1,1", 1, "every length must be above 0"},
           Case{"--add point@nan,1", 1, "not finite"},
           Case{"--add 'point@1,1#7'", 2, "on layer 7"},
           Case{"--add circle:1@1,1", 2, "is not an obstacle"},
           Case{"--add square:99@5,3", 1, "leave some of it free"},
           Case{"--open gate", 2, "there is no door 'gate'"},
           Case{"--add-door 'gate=1,1;1,1'", 1, "has no length"},
           Case{"--cost grass=2", 2, "no region has the label 'grass'"},
           Case{"", 2, "nothing to do"},
           // All or nothing: the first one alone would do.
           Case{"--add square:1@8,1 --open gate", 2, "edit 2: there is no door 'gate'"},
       }) {
    SCOPED_TRACE(one.edits);
    const Outcome outcome = w.wend(std::string("edit a.wend ") + one.edits + " -o b.wend");
    EXPECT_EQ(outcome.exit, one.exit);
    EXPECT_TRUE(contains(outcome.err, one.says)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(w.exists("b.wend"));
  }
}

}  // namespace
