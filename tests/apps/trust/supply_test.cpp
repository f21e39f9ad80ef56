#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// How the program is built and what it is built from.
namespace {

bool has(const Outcome& outcome, const std::string& words) {
  return outcome.out.find(words) != std::string::npos;
}

TEST(Supply, TheProgramIsHardened) {
#ifndef WEND_HARDENED
  GTEST_SKIP() << "skipped: built without hardening (WEND_HARDENING, or sanitizers)";
#else
  const Workshop w;
  if (w.shell("command -v readelf").exit != 0) GTEST_SKIP() << "skipped: no readelf";
  const Outcome header = w.shell("readelf -W -h '" WEND_PROGRAM "'");
  EXPECT_TRUE(has(header, "DYN")) << "the program loads at one address only\n" << header.out;
  EXPECT_TRUE(has(w.shell("readelf -W -d '" WEND_PROGRAM "'"), "BIND_NOW"));
  const Outcome segments = w.shell("readelf -W -l '" WEND_PROGRAM "' | grep -E 'GNU_RELRO|GNU_STACK|LOAD'");
  EXPECT_TRUE(has(segments, "GNU_RELRO"));
  EXPECT_TRUE(has(segments, "GNU_STACK"));
  EXPECT_FALSE(has(segments, "RWE")) << "memory that can be written and run\n" << segments.out;
  const Outcome symbols = w.shell("readelf -W --dyn-syms '" WEND_PROGRAM "'");
  EXPECT_TRUE(has(symbols, "__stack_chk_fail"));
  EXPECT_TRUE(has(symbols, "printf_chk"));
#endif
}

TEST(Supply, BothLibrariesAreHardened) {
#ifndef WEND_HARDENED
  GTEST_SKIP() << "skipped: built without hardening (WEND_HARDENING, or sanitizers)";
#else
  const Workshop w;
  if (w.shell("command -v nm").exit != 0) GTEST_SKIP() << "skipped: no nm";
  for (const char* library : {WEND_CORE_LIBRARY, WEND_TOOLS_LIBRARY}) {
    EXPECT_TRUE(has(w.shell("nm '" + std::string(library) + "' | grep -m 1 __stack_chk_fail"), "__stack_chk_fail"))
        << library;
  }
#endif
}

TEST(Supply, PartsAreListed) {
  const Workshop w;
  const Outcome sbom = w.shell("'" WEND_SOURCE_DIR "/scripts/sbom.sh'");
  const auto json = nlohmann::json::parse(sbom.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << sbom.err;
  EXPECT_EQ(json["bomFormat"], "CycloneDX");
  EXPECT_FALSE(json["components"].empty());
  // The program names all of them too.
  const auto named = nlohmann::json::parse(w.wend("--version --json").out, nullptr, false);
  std::set<std::string> kinds;
  for (const auto& part : json["components"]) {
    EXPECT_TRUE(named["parts"].contains(part["name"])) << part;
    EXPECT_FALSE(part["version"].get<std::string>().empty()) << part;
    kinds.insert(part["purl"].get<std::string>().substr(0, 7));
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"pkg:deb", "pkg:npm"}));
  const Outcome notices = w.shell("'" WEND_SOURCE_DIR "/scripts/notices.sh'");
  EXPECT_EQ(notices.exit, 0) << notices.err;
  EXPECT_TRUE(has(notices, "==== sqlite ")) << notices.out;
  EXPECT_TRUE(has(notices, "==== three ")) << notices.out;
}

// A package manager that is locked twice, then works, or not. Nothing of it sleeps or installs.
TEST(Supply, SetUpWaitsForALockedPackageManager) {
  const Workshop w;
  w.shell("mkdir bin");
  w.write("bin/dpkg-query", "#!/bin/sh\nexit 1\n");
  w.write("bin/sudo", "#!/bin/sh\nexec \"$@\"\n");
  w.write("bin/sleep", "#!/bin/sh\necho \"$@\" >>slept\n");
  w.write(
      "bin/apt-get",
      "#!/bin/sh\n"
      "echo \"$@\" >>asked\n"
      "case \"$*\" in *\"$LOCKED\"*) if [ $(grep -c \"$LOCKED\" asked) -le 2 ]; then\n"
      "  echo \"E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7\" >&2; exit 100; fi ;; esac\n"
      "case \"$*\" in *install*) exit ${INSTALL:-0} ;; esac\n");
  w.shell("chmod +x bin/*");
  const std::string setup = " PATH=\"$PWD/bin:$PATH\" '" WEND_SOURCE_DIR "/scripts/setup.sh' build";
  for (const std::string step : {"update", "install"}) {
    w.shell("rm -f asked slept");
    const Outcome waited = w.shell("LOCKED=" + step + setup);
    EXPECT_EQ(waited.exit, 0) << step << waited.err;
    EXPECT_TRUE(waited.err.find("another program uses the package manager") != std::string::npos) << waited.err;
    EXPECT_EQ(w.text("slept"), "10\n10\n") << step;
    EXPECT_NE(w.text("asked").find("install -y --no-install-recommends g++ cmake"), std::string::npos);
  }
  const Outcome refused = w.shell("LOCKED=never INSTALL=100" + setup);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("install them by hand: apt-get install g++ cmake"), std::string::npos) << refused.err;
}

TEST(Supply, AMachineWithoutNetworkGetsTheListOfPackages) {
  const Workshop w;
  const Outcome list = w.shell("'" WEND_SOURCE_DIR "/scripts/setup.sh' list");
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_TRUE(has(list, "libboost-dev\n")) << list.out;
}

}  // namespace
