#include "base/scratch_folder.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wend {
namespace {

namespace fs = std::filesystem;

void fill(const std::string& path) {
  std::ofstream(path) << "content";
}

ScratchFolder scratch() {
  Result<ScratchFolder> made = ScratchFolder::make("", "wend-scratch-test-");
  EXPECT_TRUE(made.ok());
  return std::move(made).value();
}

TEST(ScratchFolder, GoesWithAllThatIsInIt) {
  std::string path;
  const ScratchFolder other = scratch();
  fill(other / "kept");
  {
    const ScratchFolder folder = scratch();
    path = folder.path();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directories(folder / "a/b/c");
    fill(folder / "a/b/c/.hidden");
    // More names than one look into a folder gives.
    for (int i = 0; i < 500; ++i) fill(folder / ("a/file with a long name " + std::to_string(i)).c_str());
    // What a link leads to belongs to somebody else.
    fs::create_directory_symlink(other.path(), folder / "a/link");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(other / "kept"));
}

TEST(ScratchFolder, AMissingParentIsAnError) {
  const Result<ScratchFolder> none = ScratchFolder::make("/nowhere/at/all", "x");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kFileNotWritten);
}

TEST(ScratchFolder, GoesWithoutItsDestructorToo) {
  const ScratchFolder around = scratch();
  const pid_t child = ::fork();
  if (child == 0) {
    // _exit() runs no destructor.
    Result<ScratchFolder> folder = ScratchFolder::make(around.path(), "inner-");
    fill(*folder / "file");
    fill(around / "forgotten");
    fill(around / "remembered");
    rememberScratch(around / "forgotten");
    rememberScratch(around / "remembered");
    forgetScratch(around / "forgotten");
    removeScratchFolders();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  // The folder around belongs to the parent: the child knows it and leaves it.
  ASSERT_TRUE(fs::exists(around.path()));
  EXPECT_TRUE(fs::exists(around / "forgotten"));
  EXPECT_EQ(std::distance(fs::directory_iterator(around.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace wend
