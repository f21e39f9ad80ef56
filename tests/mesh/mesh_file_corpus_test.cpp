#include <algorithm>
#include <filesystem>
#include <vector>

#include <wend/mesh_file.h>

#include <gtest/gtest.h>

#include "geometry/int128.h"

// Every .wend file that the fuzzer starts from, good and bad.
namespace wend {
namespace {

TEST(MeshFileCorpus, BadFilesAreExplainedAndGoodOnesLoad) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WEND_SOURCE_DIR "/fuzz/corpus/wend_file")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 9U);
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path.string());
    const Result<NavMesh> mesh = loadMesh(path.string());
    const bool bad = path.filename().string().starts_with("bad_");
    EXPECT_EQ(mesh.ok(), !bad) << (mesh.ok() ? "" : mesh.error().message);
    if (mesh.ok()) {
      EXPECT_TRUE(checkMesh(*mesh).empty());
    } else {
      EXPECT_FALSE(mesh.error().message.empty());
    }
  }
}

// Found by the fuzzer: the difference between the areas of mesh and environment overflowed.
TEST(MeshFileCorpus, ARecordedAreaThatNoWorldHasIsAFault) {
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
