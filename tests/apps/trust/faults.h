#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/apps/program.h"

// Runs of the program in which one call of the system fails (tests/programs/faults.cpp).
namespace faults {

// Small, so that every point of it can be tried.
inline constexpr const char* kScenario = R"toml(format = 1
environment = "world.wend"
end_time = 1
end_when = "time"
[[source]]
id = "in"
area = [[1, 1], [4, 1], [4, 4], [1, 4]]
count = 5
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 3], [14, 3], [14, 5], [12.5, 5]]
[[journey]]
id = "out"
stages = ["door"]
)toml";

struct Command {
  std::string name;
  std::string arguments;
  std::string output;  // what it writes
};

inline std::vector<Command> commands(int threads) {
  const std::string more = " --quiet --threads " + std::to_string(threads);
  return {{"bake", "bake world.wkt -o out.wend" + more, "out.wend"},
          {"path", "path world.wend --from 1,1 --to 13,4 --radius 0.2" + more, ""},
          {"simulate", "simulate run.toml -o out.sqlite" + more, "out.sqlite"},
          {"report", "report run.sqlite -o page" + more, "page"},
          {"compare", "compare world.wkt -g delaunay,ecm --repeat 1 --queries 2 --pixels 4 -o study" + more, "study"}};
}

class Machine {
 public:
  Machine() {
    workshop_.write("world.wkt", "POLYGON ((0 0, 12 0, 12 3.4, 14 3.4, 14 4.6, 12 4.6, 12 8, 0 8, 0 0))");
    workshop_.write("run.toml", kScenario);
    EXPECT_EQ(workshop_.wend("bake world.wkt -o world.wend").exit, 0);
    EXPECT_EQ(workshop_.wend("simulate run.toml -o run.sqlite").exit, 0);
    known_ = names();
  }

  // How often each kind of call is made.
  std::map<std::string, long> count(const Command& command) const {
    const Outcome outcome = workshop_.shell("WEND_FAULT_COUNT=counts.txt " + line(command));
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    std::istringstream text(workshop_.text("counts.txt"));
    std::map<std::string, long> counts;
    std::string kind;
    long number = 0;
    while (text >> kind >> number) counts[kind] = number;
    clean();
    return counts;
  }

  // The program ends by itself, with a sentence unless it succeeds, and leaves nothing but its output.
  void expectOrderlyEnd(const Command& command, const std::string& kind, long at) const {
    const std::string fault = kind + ":" + std::to_string(at);
    const Outcome outcome = workshop_.shell("WEND_FAULT=" + fault + " timeout 60 " + line(command));
    EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1)
        << command.name << " with " << fault << " ends with " << outcome.exit << ": " << outcome.err;
    if (outcome.exit == 1) {
      EXPECT_FALSE(outcome.err.empty()) << command.name << " with " << fault << " says nothing";
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos)
          << command.name << " with " << fault << ": " << outcome.err;
    }
    for (const std::string& name : names()) {
      // The journal of a recording belongs to it where the disk failed.
      const bool isOutput = !command.output.empty() && (name == command.output || name == command.output + "-wal" ||
                                                        name == command.output + "-shm");
      EXPECT_TRUE(known_.contains(name) || isOutput) << command.name << " with " << fault << " leaves " << name;
    }
    // What a comparison works on has a folder of its own, which goes with it.
    if (workshop_.exists("study")) {
      for (const auto& entry : std::filesystem::directory_iterator(workshop_.path("study"))) {
        EXPECT_NE(entry.path().filename().string()[0], '.') << command.name << " with " << fault << " leaves " << entry;
      }
    }
    clean();
  }

 private:
  static std::string line(const Command& command) {
#ifdef WEND_FAULTS
    return "env LD_PRELOAD='" WEND_FAULTS "' '" WEND_PROGRAM "' " + command.arguments;
#else
    return command.arguments;
#endif
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(workshop_.path("."))) {
      found.insert(entry.path().filename().string());
    }
    return found;
  }
  void clean() const {
    for (const std::string& name : names()) {
      if (!known_.contains(name)) std::filesystem::remove_all(workshop_.path(name));
    }
  }

  Workshop workshop_;
  std::set<std::string> known_;
};

// `points` points of every command, or of `only` one, spread over all of them from the first on, and the last one,
// where things are destroyed; 0: every one.
inline void tryPoints(int threads, const std::string& kind, long points, const std::string& only = "") {
#ifndef WEND_FAULTS
  GTEST_SKIP() << "skipped: no fault injection under sanitizers";
#else
  const Machine machine;
  for (const Command& command : commands(threads)) {
    if (!only.empty() && command.name != only) continue;
    const long count = machine.count(command)[kind];
    const long stride = points == 0 ? 1 : std::max(1L, count / points);
    long tried = 0;
    for (long at = 1; at < count; at += stride, ++tried) machine.expectOrderlyEnd(command, kind, at);
    if (count > 0) machine.expectOrderlyEnd(command, kind, count);
    tried += count > 0 ? 1 : 0;
    std::printf("%s %s: %ld of %ld points tried\n", command.name.c_str(), kind.c_str(), tried, count);
    std::fflush(stdout);
  }
#endif
}

}  // namespace faults
