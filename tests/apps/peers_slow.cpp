#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// PedPy's own loaders and analyses on a recording of wend. Skipped where `make peers` has not installed PedPy.
namespace {

TEST(Peers, PedPyReadsAndMeasuresRecordings) {
  const std::string python = WEND_SOURCE_DIR "/build/peers/venv/bin/python";
  if (!std::filesystem::exists(python)) GTEST_SKIP() << "skipped: no PedPy; run `make peers` once";
  const Workshop w;
  ASSERT_EQ(w.wend("simulate '" WEND_SOURCE_DIR "/bench/peers/bottleneck.toml' -o run.sqlite").exit, 0);
  const Outcome checked = w.shell("'" + python + "' '" WEND_SOURCE_DIR "/bench/peers/peers.py' --check run.sqlite");
  ASSERT_EQ(checked.exit, 0) << checked.err;
  const nlohmann::json values = nlohmann::json::parse(checked.out, nullptr, false);
  ASSERT_TRUE(values.is_object()) << checked.out;
  ASSERT_EQ(w.wend("report run.sqlite -o out").exit, 0);
  const nlohmann::json own = nlohmann::json::parse(w.text("out/summary.json"), nullptr, false);
  EXPECT_NEAR(values["flow"].get<double>(), own["lines"][0]["flow"].get<double>(), 0.05);
  EXPECT_NEAR(values["evacuation"].get<double>(), own["evacuation_time"].get<double>(), 0.2);
}

}  // namespace
