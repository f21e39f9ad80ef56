#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fuzz/checkpoint_runs.h"

// Checkpoints with changed bytes: refused, or run on. The fuzz target of the same name looks for more.
namespace wend {
namespace {

// One change of one to eight bytes: anything, or a value on an edge.
std::vector<uint8_t> oneChange(Random& random, size_t size) {
  static constexpr int64_t kEdges[] = {0, -1, 1, 2, 255, 256, 1 << 20, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  std::vector<uint8_t> change(13);
  const auto place = static_cast<uint32_t>(8 + random.below(size - 8));
  std::memcpy(change.data(), &place, 4);
  const auto length = static_cast<uint8_t>(1U << random.below(4));
  change[4] = length;
  int64_t value = kEdges[random.below(std::size(kEdges))];
  if (random.below(2) == 0) value = static_cast<int64_t>(random.below(UINT32_MAX)) * 0x9e3779b97f4a7c15;
  std::memcpy(change.data() + 5, &value, 8);
  change.resize(5U + length);
  return change;
}

TEST(DamagedCheckpoint, WholeStatesRunOn) {
  const fuzz::CheckpointRuns runs;
  for (size_t i = 0; i < runs.count(); ++i) EXPECT_TRUE(runs.load(runs.state(i))) << i;
}

TEST(DamagedCheckpoint, CutStatesAreRefused) {
  const fuzz::CheckpointRuns runs;
  const std::vector<std::byte>& whole = runs.state(2);
  for (size_t size = 0; size < whole.size(); size += 1 + whole.size() / 60) {
    EXPECT_FALSE(runs.load(std::span(whole).first(size))) << size;
  }
}

TEST(DamagedCheckpoint, ChangedStatesAreRefusedOrRunOn) {
  const fuzz::CheckpointRuns runs;
  size_t taken = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed, 26);
    const std::vector<std::byte>& whole = runs.state(seed % runs.count());
    const std::vector<uint8_t> change = oneChange(random, whole.size());
    taken += runs.load(fuzz::changed(whole, change)) ? 1 : 0;
  }
  // Most of a state are numbers that may have many values: the test would be blind if nothing got past the checks.
  EXPECT_GT(taken, 20U);
  EXPECT_LT(taken, 300U);
}

// What the fuzz target has found, and where it begins.
TEST(DamagedCheckpoint, FilesOfTheCorpusAreRefusedOrRunOn) {
  const fuzz::CheckpointRuns runs;
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEND_SOURCE_DIR "/fuzz/corpus/checkpoint")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(text.empty()) << entry.path();
    const std::vector<uint8_t> bytes(text.begin(), text.end());
    (void)runs.load(runs.stateFor(bytes));
    ++files;
  }
  EXPECT_GE(files, 3U);
}

}  // namespace
}  // namespace wend
