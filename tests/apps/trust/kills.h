#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/roaming_crowd.h"

// Kills in the middle of work.
namespace kills {

inline const std::string kCrowd = roamingCrowd(120, 60);

// Runs a command and kills it and its children after so many milliseconds. False if it had ended before.
inline bool killAfter(const Workshop& w, const std::string& arguments, int milliseconds, int signal = SIGKILL) {
  const std::string folder = w.shell("pwd").out;
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
    const std::string line = "cd '" + folder.substr(0, folder.size() - 1) + "' && exec '" WEND_PROGRAM "' " + arguments;
    ::execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  const bool alive = ::kill(child, signal) == 0;
  int status = 0;
  ::waitpid(child, &status, 0);
  return alive && WIFSIGNALED(status);
}

// Kills a simulation again and again; each time --resume goes on, and the end is the one of a run without kills.
inline void expectSimulationSurvives(int times) {
  const Workshop w;
  w.write("run.toml", kCrowd);
  const auto hashOf = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out, nullptr, false).value("hash", "none");
  };
  const std::string wanted = hashOf(w.wend("simulate run.toml -o whole.sqlite --json --quiet"));
  ASSERT_NE(wanted, "none");
  uint32_t random = 12345;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    const bool resumes = w.exists("run.sqlite");
    killAfter(w, std::string("simulate run.toml -o run.sqlite --quiet") + (resumes ? " --resume" : ""),
              static_cast<int>(20 + random % 700));
    if (!w.exists("run.sqlite")) continue;
    // Whatever is there is a recording.
    const Outcome text =
        w.shell("sqlite3 -version >/dev/null 2>&1 && sqlite3 run.sqlite 'PRAGMA quick_check' || echo ok");
    EXPECT_EQ(text.out, "ok\n") << text.err;
  }
  const Outcome last = w.wend(std::string("simulate run.toml -o run.sqlite --json --quiet") +
                              (w.exists("run.sqlite") ? " --resume" : ""));
  if (last.err.find("is complete") == std::string::npos) {
    EXPECT_EQ(last.exit, 0) << last.err;
    EXPECT_EQ(hashOf(last), wanted);
  }
}

// Kills a command that writes whole files: its output is the old one, the new one, or none, and the folder has nothing
// else in it.
inline void expectOutputIsWhole(const std::string& arguments, const std::string& output, int times) {
  const Workshop w;
  w.write("run.toml", kCrowd);
  ASSERT_EQ(w.wend("make city -o city.env").exit, 0);
  ASSERT_EQ(w.wend(arguments).exit, 0);
  const std::string whole = w.text(output);
  const size_t files = w.files();
  uint32_t random = 99;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    killAfter(w, arguments, static_cast<int>(random % 200));
    EXPECT_EQ(w.text(output), whole) << "kill " << i;
    EXPECT_EQ(w.files(), files) << w.shell("ls -A").out;
  }
}

// Kills a comparison; the same command goes on, and leaves nothing of the killed ones.
inline void expectComparisonSurvives(int times) {
  const Workshop w;
  ASSERT_EQ(w.wend("make maze --size 8 -o maze.env").exit, 0);
  const std::string command =
      "compare maze.env -g delaunay,trapezoid,ecm --repeat 1 --queries 5 --pixels 8 -o out --quiet";
  uint32_t random = 7;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    killAfter(w, command, static_cast<int>(20 + random % 500));
  }
  const Outcome last = w.wend(command);
  EXPECT_EQ(last.exit, 0) << last.err;
  const Outcome rest = w.shell("ls -A out; grep -L '\"status\": \"ok\"' out/rows/*.json");
  EXPECT_EQ(rest.out, "index.html\nmeshes\npictures\nresults.csv\nresults.json\nrows\n") << rest.err;
}

}  // namespace kills
