#include <algorithm>
#include <filesystem>
#include <vector>

#include <wend/environment_file.h>
#include <wend/file.h>

#include <gtest/gtest.h>

// Every file under fuzz/corpus/, good and bad, goes through the front door. Whatever a fuzzer found is kept there.
namespace wend {
namespace {

// A file may claim a wrong truth; everything else has been checked or repaired.
bool isValid(const Environment& environment) {
  const std::vector<Violation> violations = validate(environment);
  return std::all_of(violations.begin(), violations.end(),
                     [](const Violation& violation) { return violation.kind == ViolationKind::kTruth; });
}

// The files of the readers of environments; all others have tests of their own.
std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const std::string reader : {"env", "geojson", "moving_ai", "png", "polyanya", "wkt"}) {
    for (const auto& entry : std::filesystem::directory_iterator(WEND_SOURCE_DIR "/fuzz/corpus/" + reader)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(IoCorpus, BadFilesAreExplainedAndGoodOnesAreValid) {
  const std::vector<std::filesystem::path> files = corpus();
  ASSERT_GT(files.size(), 100U);
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path.string());
    const std::string name = path.filename().string();
    const Result<Environment> environment = readEnvironment(path.string());
    if (environment.ok()) {
      EXPECT_FALSE(name.starts_with("bad_"));
      EXPECT_TRUE(isValid(*environment));
      continue;
    }
    EXPECT_TRUE(name.starts_with("bad_")) << environment.error().message;
    EXPECT_NE(environment.error().code, ErrorCode::kInternal) << environment.error().message;
    EXPECT_NE(environment.error().message.find(name), std::string::npos) << "the message names the file";
    EXPECT_GT(environment.error().message.size(), name.size() + 10) << environment.error().message;
  }
}

// What is cut off anywhere is read or refused, never worse.
TEST(IoCorpus, CutOffFilesDoNoHarm) {
  for (const std::filesystem::path& path : corpus()) {
    SCOPED_TRACE(path.string());
    const auto bytes = readFile(path.string());
    ASSERT_TRUE(bytes.ok());
    const size_t step = std::max<size_t>(1, bytes->size() / 50);
    for (size_t length = 0; length < bytes->size(); length += step) {
      const auto environment = parseEnvironment(std::span(*bytes).subspan(0, length), "cut");
      if (!environment.ok()) {
        EXPECT_FALSE(environment.error().message.empty());
      } else {
        EXPECT_TRUE(isValid(*environment));
      }
    }
  }
}

}  // namespace
}  // namespace wend
