#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "tests/apps/program.h"
#include "tests/apps/trust/kills.h"

// What is written, locked and kept; streams that cannot be written; signals.
namespace {

constexpr const char* kWkt = "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))";

std::string scenario(int count) {
  return "format = 1\nenvironment = \"POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))\"\nend_time = 4\n[[source]]\nid = \"in\"\n"
         "area = [[1, 1], [4, 1], [4, 4], [1, 4]]\ncount = " +
         std::to_string(count) +
         "\njourney = \"out\"\n[[stage]]\nid = \"door\"\nkind = \"exit\"\n"
         "area = [[9, 3], [11, 3], [11, 5], [9, 5]]\n[[journey]]\nid = \"out\"\nstages = [\"door\"]\n";
}

TEST(Files, AnInputIsNotOverwritten) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  w.write("run.toml", scenario(3));
  for (const char* arguments : {"bake a.wkt -o a.wkt", "draw a.wkt -o ./a.wkt", "simulate run.toml -o run.toml"}) {
    const Outcome outcome = w.wend(arguments);
    EXPECT_EQ(outcome.exit, 1) << arguments;
  }
  EXPECT_EQ(w.text("a.wkt"), kWkt);
  EXPECT_EQ(w.text("run.toml"), scenario(3));
  EXPECT_EQ(w.wend("bake a.wkt -o a.wkt --force").exit, 0);
  EXPECT_NE(w.text("a.wkt"), kWkt);
}

TEST(Files, OnlyARecordingOfTheScenarioIsReplaced) {
  const Workshop w;
  w.write("run.toml", scenario(3));
  w.write("other.toml", scenario(4));
  w.write("text.sqlite", "letters to keep");
  ASSERT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  const std::string first = w.text("run.sqlite");
  EXPECT_EQ(w.wend("simulate other.toml -o run.sqlite").exit, 1);
  EXPECT_EQ(w.text("run.sqlite"), first);
  EXPECT_EQ(w.wend("simulate run.toml -o text.sqlite").exit, 1);
  EXPECT_EQ(w.text("text.sqlite"), "letters to keep");
  // The same scenario again, also after a change of it.
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  w.write("run.toml", scenario(5));
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  EXPECT_EQ(w.wend("simulate other.toml -o run.sqlite --force").exit, 0);
  EXPECT_EQ(w.wend("simulate other.toml -o text.sqlite --force").exit, 0);
  EXPECT_EQ(w.files(), 4U) << w.shell("ls -A").out;
}

TEST(Files, AnOlderRecordingSurvivesARunThatFailsAtItsStart) {
  const Workshop w;
  w.write("run.toml", scenario(3));
  ASSERT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  const std::string first = w.text("run.sqlite");
  std::string broken = scenario(3);
  broken.replace(broken.find("[[1, 1], [4, 1], [4, 4], [1, 4]]"), 32, "[[91, 1],[94, 1],[94, 4],[91, 4]]");
  w.write("run.toml", broken);
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 1);
  EXPECT_EQ(w.text("run.sqlite"), first);
  EXPECT_EQ(w.files(), 2U) << w.shell("ls -A").out;
}

TEST(Files, ModesAndLinksAreKept) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  w.write("run.toml", scenario(3));
  w.shell(
      "mkdir real; touch real/a.wend real/run.sqlite; chmod 640 real/a.wend real/run.sqlite; "
      "ln -s real/a.wend a.wend; ln -s real/run.sqlite run.sqlite");
  EXPECT_EQ(w.wend("bake a.wkt -o a.wend").exit, 0);
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  EXPECT_EQ(w.shell("stat -c '%a %F' a.wend run.sqlite real/a.wend real/run.sqlite").out,
            "777 symbolic link\n777 symbolic link\n640 regular file\n640 regular file\n");
  EXPECT_EQ(w.wend("info a.wend").exit, 0);
}

// The world is open, and mapped, when the questions come.
TEST(Files, AWorldThatIsCutOffWhileItIsReadIsASentence) {
  const Workshop w;
  ASSERT_EQ(w.wend("make city -o city.env").exit, 0);
  ASSERT_EQ(w.wend("bake city.env -o city.wend").exit, 0);
  const Outcome outcome =
      w.shell("mkfifo questions; '" WEND_PROGRAM
              "' path city.wend --queries questions --radius 0.3 & first=$!; "
              "exec 3>questions; sleep 0.5; : >city.wend; printf 'from_x,from_y,to_x,to_y\\n5,5,495,495\\n' >&3; "
              "exec 3>&-; wait $first; echo $?");
  EXPECT_EQ(outcome.out, "1\n") << outcome.err;
  EXPECT_NE(outcome.err.find("cut off by another program"), std::string::npos) << outcome.err;
}

TEST(Files, ALinkToAFileThatIsNotThereStaysALink) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  w.write("run.toml", scenario(3));
  w.shell(
      "mkdir real; ln -s real/a.wend a.wend; ln -s \"$PWD/real/run.sqlite\" run.sqlite; ln -s b.wend a2.wend; "
      "ln -s a2.wend b.wend");
  EXPECT_EQ(w.wend("bake a.wkt -o a.wend").exit, 0);
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite").exit, 0);
  EXPECT_EQ(w.shell("stat -c '%F' a.wend run.sqlite real/a.wend real/run.sqlite").out,
            "symbolic link\nsymbolic link\nregular file\nregular file\n");
  EXPECT_EQ(w.shell("ls -A real").out, "a.wend\nrun.sqlite\n");
}

// Other contents are another program: they do not run as the owner of the older file.
TEST(Files, SetUserIdIsDroppedAndTheOwnerStays) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  w.shell("touch a.wend; chmod 6755 a.wend");
  if (::geteuid() == 0) w.shell("chown 1234:1234 a.wend; chmod 6755 a.wend");
  const std::string owner = w.shell("stat -c '%u %g' a.wend").out;
  EXPECT_EQ(w.wend("bake a.wkt -o a.wend").exit, 0);
  EXPECT_EQ(w.shell("stat -c '%u %g' a.wend").out, owner);
  EXPECT_EQ(w.shell("stat -c '%a' a.wend").out, "755\n");
}

TEST(Files, ASecondRunOnOneRecordingIsRefused) {
  const Workshop w;
  w.write("run.toml", kills::kCrowd);
  const std::string program = "'" WEND_PROGRAM "' ";
  // The first runs until it is stopped, however slow the others are; readers and a second writer come meanwhile.
  const Outcome outcome = w.shell(
      program + "simulate run.toml -o run.sqlite --quiet --end 100000 & first=$!; " + "for i in $(seq 200); do " +
      program + "report run.sqlite -o early --quiet 2>early.txt && break; sleep 0.05; done; " + program +
      "simulate run.toml -o run.sqlite --quiet 2>second.txt; echo second $?; " + program +
      "simulate run.toml -o run.sqlite --resume --quiet 2>third.txt; echo third $?; " + program +
      "report run.sqlite -o page --quiet; echo report $?; kill -TERM $first; wait $first; "
      "echo first $?");
  EXPECT_NE(outcome.out.find("second 1\nthird 1\nreport 0\n"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(w.text("second.txt").find("another run"), std::string::npos) << w.text("second.txt");
  EXPECT_NE(w.text("third.txt").find("another run"), std::string::npos) << w.text("third.txt");
  EXPECT_FALSE(w.exists("run.sqlite-wal"));
}

// The test holds the lock that a comparison holds while it works.
TEST(Files, ASecondComparisonInOneFolderIsRefused) {
  const Workshop w;
  w.write("world.wkt", "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))");
  w.shell("mkdir -p study/.compare-first");
  const int first = ::open(w.path("study").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(first, LOCK_EX | LOCK_NB), 0);
  const std::string plain = "compare world.wkt -g delaunay --repeat 1 --queries 2 --pixels 4 -o study --quiet";
  for (const std::string& line :
       {plain, std::string("compare --suite grids --cities 1 --pixels 16 -o study --quiet")}) {
    const Outcome refused = w.wend(line);
    EXPECT_EQ(refused.exit, 1) << line;
    EXPECT_NE(refused.err.find("another wend compare works in 'study'"), std::string::npos) << line << refused.err;
    EXPECT_EQ(w.shell("ls -A study").out, ".compare-first\n") << line;
  }
  ::close(first);
  EXPECT_EQ(w.wend(plain).exit, 0);
  EXPECT_FALSE(w.exists("study/.compare-first"));
}

TEST(Signals, TermAndHupLeaveACheckpoint) {
  // A shell without job control lets its background jobs ignore SIGINT; simulate_test.cpp has Ctrl-C.
  for (const char* signal : {"TERM", "HUP"}) {
    const Workshop w;
    w.write("run.toml", kills::kCrowd);
    const Outcome stopped =
        w.shell("'" WEND_PROGRAM
                "' simulate run.toml -o run.sqlite --quiet --end 100000 & first=$!; for i in $(seq 200); do [ -s "
                "run.sqlite ] && break; sleep 0.05; done; sleep 0.1; kill -" +
                std::string(signal) + " $first; wait $first; echo $?");
    EXPECT_EQ(stopped.out, "1\n") << signal << stopped.err;
    EXPECT_NE(stopped.err.find("continue with --resume"), std::string::npos) << signal << stopped.err;
    EXPECT_EQ(w.files(), 2U) << w.shell("ls -A").out;
    EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite --quiet --resume --end 50").exit, 0) << signal;
  }
}

// `timeout` sends its signal to the program and again to its group.
TEST(Signals, OneThatIsSentTwiceIsOne) {
  const Workshop w;
  w.write("run.toml", kills::kCrowd);
  const Outcome stopped =
      w.shell("'" WEND_PROGRAM
              "' simulate run.toml -o run.sqlite --quiet --end 100000 & first=$!; for i in $(seq 200); do [ -s "
              "run.sqlite ] && break; sleep 0.05; done; sleep 0.1; for i in $(seq 9); do kill -TERM $first; done; "
              "wait $first; echo $?");
  EXPECT_EQ(stopped.out, "1\n") << stopped.err;
  EXPECT_EQ(w.wend("simulate run.toml -o run.sqlite --quiet --resume --end 50").exit, 0);
}

// Preparing this run takes a minute; the bound leaves room for a machine that is busy.
TEST(Signals, ControlCIsHeardWhilePreparing) {
  const Workshop w;
  std::string crowd = kills::kCrowd;
  const size_t from = crowd.find("\"POLYGON");
  crowd.replace(from, crowd.find('\n', from) - from, "\"make:random-boxes boxes=300000\"");
  w.write("run.toml", crowd);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome stopped =
      w.shell("timeout --preserve-status -s INT 0.5 '" WEND_PROGRAM "' simulate run.toml -o run.sqlite --quiet");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(stopped.exit, 1) << stopped.err;
  EXPECT_FALSE(stopped.err.empty());
  EXPECT_LT(seconds, 5);
  EXPECT_EQ(w.files(), 1U) << w.shell("ls -A").out;
}

TEST(Streams, WhatCannotBeWrittenIsNoInternalError) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  const std::string program = "'" WEND_PROGRAM "' ";
  const auto run = [&](const std::string& line) {
    const Outcome outcome = w.shell(line);
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << line << outcome.err;
    EXPECT_LT(outcome.exit, 3) << line;
    return outcome;
  };
  EXPECT_EQ(run(program + "generators >/dev/full").exit, 1);
  EXPECT_EQ(run(program + "--help >/dev/full").exit, 1);
  EXPECT_EQ(run(program + "generators >&-").exit, 1);
  EXPECT_EQ(run(program + "info none 2>/dev/full").exit, 1);
  EXPECT_EQ(run(program + "info none 2>&-").exit, 1);
  EXPECT_EQ(run(program + "bake a.wkt -o a.wend >&- 2>&- <&-").exit, 1);
  // The world is whole all the same, and nothing that was printed got into it.
  EXPECT_EQ(run(program + "check a.wend").exit, 0);
  const Outcome head =
      run(program + "generators --json | head -1; " + program + "commands_that_are_none 2>&1 | head -c 1");
  EXPECT_EQ(head.err, "");
}

TEST(Version, NamesItsParts) {
  const Workshop w;
  EXPECT_EQ(w.wend("--version").out.substr(0, 5), "wend ");
  const auto json = nlohmann::json::parse(w.wend("--version --json").out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_TRUE(json["parts"].contains("sqlite"));
  EXPECT_TRUE(json["parts"].contains("libpng"));
}

// Each comma of a line took sixteen bytes.
TEST(Limits, QueriesHaveFewColumns) {
  const Workshop w;
  w.write("a.wkt", kWkt);
  ASSERT_EQ(w.wend("bake a.wkt -o a.wend").exit, 0);
  w.write("questions.csv", "from_x,from_y,to_x,to_y\n1,1,2,2\n");
  EXPECT_EQ(w.wend("path a.wend --queries questions.csv").exit, 0);
  w.write("questions.csv", "from_x,from_y,to_x,to_y\n1,1,2,2" + std::string(1000, ',') + "\n");
  const Outcome outcome = w.wend("path a.wend --queries questions.csv");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("line 2: more than 1000 columns"), std::string::npos) << outcome.err;
}

TEST(Limits, APipeIsASentence) {
  const Workshop w;
  const Outcome outcome = w.shell("mkfifo pipe; timeout 20 '" WEND_PROGRAM "' info pipe");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("is a pipe or a device"), std::string::npos) << outcome.err;
}

// 5 kB of picture with millions of corners.
TEST(Limits, ASmallPictureTakesLittle) {
  const Workshop w;
  w.write("draw.py", R"py(import zlib, struct
w, h = 4096, 2900
rows = b''.join(b'\0' + (b'\xaa' if y % 2 else b'\x55') * (w // 8) for y in range(h))
def chunk(t, d): return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))
head = chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, 1, 0, 0, 0, 0))
data = chunk(b'IDAT', zlib.compress(rows, 9))
open('dots.png', 'wb').write(b'\x89PNG\r\n\x1a\n' + head + data + chunk(b'IEND', b''))
)py");
  const Outcome made = w.shell("python3 draw.py");
  if (made.exit != 0) GTEST_SKIP() << "skipped: no python3 to draw the picture";
  const Outcome outcome = w.shell("ulimit -v 1000000; timeout 20 '" WEND_PROGRAM "' info dots.png");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("--max-vertices"), std::string::npos) << outcome.err;
}

}  // namespace
