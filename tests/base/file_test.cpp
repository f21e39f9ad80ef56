#include <filesystem>

#include <wend/file.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace wend {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("wend_file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  size_t filesInFolder() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(FileTest, MissingFileAndFolderAreClearErrors) {
  const auto missing = readFile(path("none"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kFileNotFound);
  EXPECT_NE(missing.error().message.find("none"), std::string::npos);
  const auto folder = readFile(folder_.string());
  ASSERT_FALSE(folder.ok());
  EXPECT_NE(folder.error().message.find("folder"), std::string::npos);
}

TEST_F(FileTest, RoundTripIncludingEmptyAndZeroBytes) {
  for (const std::string& text : {std::string(), std::string("a\0b", 3), std::string(3'000'000, 'x')}) {
    ASSERT_TRUE(writeFile(path("f"), text).ok());
    const auto bytes = readFile(path("f"));
    ASSERT_TRUE(bytes.ok());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()), text);
  }
  EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(FileTest, TooLargeIsALimit) {
  ASSERT_TRUE(writeFile(path("f"), "12345").ok());
  EXPECT_TRUE(readFile(path("f"), 5).ok());
  const auto result = readFile(path("f"), 4);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
}

TEST_F(FileTest, AFailedWriteLeavesTheOldFileAndNothingElse) {
  EXPECT_FALSE(writeFile(path("no/such/folder/f"), "x").ok());
  EXPECT_FALSE(writeFile(folder_.string(), "x").ok());
  ASSERT_TRUE(writeFile(path("f"), "old").ok());
  EXPECT_EQ(filesInFolder(), 1U);
}

TEST_F(FileTest, FullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "skipped: no /dev/full";
  const Status status = writeFile("/dev/full", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kFileNotWritten);
}

}  // namespace
}  // namespace wend
