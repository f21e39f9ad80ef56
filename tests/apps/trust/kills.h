#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <wend/recording.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/roaming_crowd.h"

// Kills in the middle of work.
namespace kills {

inline const std::string kCrowd = roamingCrowd(120, 60);

// Runs a command and kills it and its children after so many milliseconds, and calls `before` right before that. False
// if it had ended before.
inline bool killAfter(
    const Workshop& w, const std::string& arguments, int milliseconds, const std::function<void()>& before = [] {}) {
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
  before();
  const bool alive = ::kill(child, SIGKILL) == 0;
  int status = 0;
  ::waitpid(child, &status, 0);
  return alive && WIFSIGNALED(status);
}

// Frames of a recording that may be written at the moment; 0 if it is not there yet.
inline int64_t framesIn(const std::string& recording) {
  const wend::Result<wend::Recording> opened = wend::Recording::open(recording);
  return opened.ok() ? opened->frames() : 0;
}

// Kills a simulation again and again; each time --resume goes on, nothing is lost that somebody could read before, and
// the end is the one of a run without kills.
inline void expectSimulationSurvives(int times) {
  const Workshop w;
  w.write("run.toml", kCrowd);
  const auto hashOf = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out, nullptr, false).value("hash", "none");
  };
  const std::string wanted = hashOf(w.wend("simulate run.toml -o whole.sqlite --json --quiet"));
  ASSERT_NE(wanted, "none");
  uint32_t random = 12345;
  int killed = 0;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    const bool resumes = w.exists("run.sqlite");
    int64_t seen = 0;
    const bool hit = killAfter(w, std::string("simulate run.toml -o run.sqlite --quiet") + (resumes ? " --resume" : ""),
                               static_cast<int>(20 + random % 700), [&] { seen = framesIn(w.path("run.sqlite")); });
    killed += hit ? 1 : 0;
    if (!w.exists("run.sqlite")) continue;
    // Whatever is there is a recording.
    const wend::Result<wend::Recording> rest = wend::Recording::open(w.path("run.sqlite"));
    ASSERT_TRUE(rest.ok()) << rest.error().message;
    EXPECT_GE(rest->frames(), seen) << "kill " << i;
    // A run that has ended is begun anew, so that every kill counts.
    if (!hit) w.shell("rm run.sqlite*");
  }
  std::printf("%d of %d runs killed before their end\n", killed, times);
  const Outcome last = w.wend(std::string("simulate run.toml -o run.sqlite --json --quiet") +
                              (w.exists("run.sqlite") ? " --resume" : ""));
  if (last.err.find("is complete") == std::string::npos) {
    EXPECT_EQ(last.exit, 0) << last.err;
    EXPECT_EQ(hashOf(last), wanted);
  }
}

// Kills a command that writes whole files: each is the old one or the new one, which are the same here, and nothing
// else is there.
inline void expectOutputIsWhole(const std::string& arguments, int times) {
  const Workshop w;
  w.write("run.toml", roamingCrowd(40, 10));
  ASSERT_EQ(w.wend("simulate run.toml -o run.sqlite --quiet").exit, 0);
  ASSERT_EQ(w.wend("make city -o city.env").exit, 0);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(w.wend(arguments).exit, 0);
  const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  const auto contents = [&] { return w.shell("find . -type f ! -name 'std*.txt' | sort | xargs sha256sum").out; };
  const std::string whole = contents();
  uint32_t random = 99;
  int killed = 0;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    killed += killAfter(w, arguments, static_cast<int>(random % std::max(1U, static_cast<uint32_t>(took)))) ? 1 : 0;
    EXPECT_EQ(contents(), whole) << "kill " << i;
  }
  std::printf("%d of %d runs killed before their end\n", killed, times);
}

// Kills a comparison; the same command goes on, and leaves nothing of the killed ones.
inline void expectComparisonSurvives(int times) {
  const Workshop w;
  ASSERT_EQ(w.wend("make maze --size 8 -o maze.env").exit, 0);
  const std::string command =
      "compare maze.env -g delaunay,trapezoid,ecm --repeat 1 --queries 5 --pixels 8 -o out --quiet";
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(w.wend(command).exit, 0);
  const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  w.shell("rm -r out");
  uint32_t random = 7;
  int killed = 0;
  for (int i = 0; i < times; ++i) {
    random = random * 1664525U + 1013904223U;
    const bool hit = killAfter(w, command, static_cast<int>(random % std::max(1U, static_cast<uint32_t>(took))));
    killed += hit ? 1 : 0;
    if (!hit) w.shell("rm -rf out");
  }
  std::printf("%d of %d runs killed before their end\n", killed, times);
  const Outcome last = w.wend(command);
  EXPECT_EQ(last.exit, 0) << last.err;
  const Outcome rest = w.shell("ls -A out; grep -L '\"status\": \"ok\"' out/rows/*.json");
  EXPECT_EQ(rest.out, "index.html\nmeshes\npictures\nresults.csv\nresults.json\nrows\n") << rest.err;
}

}  // namespace kills
