#include <algorithm>
#include <filesystem>
#include <vector>

#include <wend/world.h>

#include <gtest/gtest.h>

#include "geometry/int128.h"

// Every .wend file that the fuzzer starts from, good and bad.
namespace wend {
namespace {

TEST(WorldFileCorpus, BadFilesAreExplainedAndGoodOnesLoad) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WEND_SOURCE_DIR "/fuzz/corpus/wend_file")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 7U);
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path.string());
    const Result<World> world = loadWorld(path.string());
    const bool bad = path.filename().string().starts_with("bad_");
    EXPECT_EQ(world.ok(), !bad) << (world.ok() ? "" : world.error().message);
    if (world.ok()) {
      EXPECT_TRUE(checkMesh(world->mesh(), &world->environment()).empty());
    } else {
      EXPECT_FALSE(world.error().message.empty());
    }
  }
}

// Found by the fuzzer: the difference between the areas of mesh and environment overflowed.
TEST(WorldFileCorpus, ARecordedAreaThatNoWorldHasIsAFault) {
  for (const Int128 area : {-(Int128{1} << 126) * 2, (Int128{1} << 126) - 1}) {
    MeshArrays arrays;
    arrays.environment.doubledArea = toDoubledArea(area);
    const std::vector<MeshFault> faults = checkMesh(NavMesh(arrays));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, MeshFaultKind::kArrays);
  }
}

}  // namespace
}  // namespace wend
