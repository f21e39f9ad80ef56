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
  const Outcome notices = w.shell("'" WEND_SOURCE_DIR "/scripts/notices.sh'");
  EXPECT_EQ(notices.exit, 0) << notices.err;
  EXPECT_FALSE(notices.out.empty());
}

TEST(Supply, AMachineWithoutNetworkGetsTheListOfPackages) {
  const Workshop w;
  const Outcome list = w.shell("'" WEND_SOURCE_DIR "/scripts/setup.sh' list");
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_TRUE(has(list, "libboost-dev\n")) << list.out;
}

}  // namespace
