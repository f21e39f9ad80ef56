#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/apps/program.h"

// The documents say what the program does: examples are the compiled ones, help texts are the printed ones.
namespace {

std::string readText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream stream;
  stream << file.rdbuf();
  return stream.str();
}

const std::filesystem::path kRoot = WEND_SOURCE_DIR;

TEST(Docs, TheReadmeExampleIsTheCompiledOne) {
  const std::string code = readText(kRoot / "examples/quick_start.cpp");
  ASSERT_FALSE(code.empty());
  EXPECT_NE(readText(kRoot / "README.md").find(code), std::string::npos)
      << "README.md does not hold examples/quick_start.cpp as it is";
}

TEST(Docs, CommandsAreTheHelpTexts) {
  const Workshop w;
  const Outcome outcome = w.shell("'" + (kRoot / "scripts/commands_doc.sh").string() + "' '" WEND_PROGRAM "'");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(readText(kRoot / "docs/commands.md"), outcome.out) << "run `make docs`";
}

TEST(Docs, EveryLinkedFileExists) {
  std::vector<std::filesystem::path> pages = {kRoot / "README.md", kRoot / "CONTRIBUTING.md", kRoot / "CHANGELOG.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  ASSERT_GT(pages.size(), 30U);
  for (const std::filesystem::path& path : pages) {
    const std::string text = readText(path);
    ASSERT_FALSE(text.empty()) << path;
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
      target = target.substr(0, target.find('#'));
      // Not a link: a web address, or code such as `[](int x)`.
      if (target.empty() || target.find("://") != std::string::npos || target.find(' ') != std::string::npos) continue;
      EXPECT_TRUE(std::filesystem::exists(path.parent_path() / target)) << path << " links to " << target;
    }
  }
}

TEST(Docs, TheOneHeaderIncludesEveryPublicOne) {
  const std::string all = readText(kRoot / "include/wend/wend.h");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "include/wend")) {
    const std::string name = std::filesystem::relative(entry.path(), kRoot / "include/wend").string();
    if (entry.is_directory() || name == "wend.h") continue;
    EXPECT_NE(all.find("#include <wend/" + name + ">"), std::string::npos) << name;
  }
}

}  // namespace
