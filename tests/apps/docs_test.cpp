#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/apps/docs_blocks.h"
#include "tests/apps/program.h"

// The documents say what the program does: examples are the compiled ones, help texts are the printed ones.
namespace {

using docs::kRoot;
using docs::readText;

TEST(Docs, TheReadmeExampleIsTheCompiledOne) {
  const std::string code = readText(kRoot / "examples/quick_start.cpp");
  ASSERT_FALSE(code.empty());
  EXPECT_NE(readText(kRoot / "README.md").find(code), std::string::npos)
      << "README.md does not hold examples/quick_start.cpp as it is";
}

// The tests docs.PAGE_N compile and run them; here, that none is forgotten.
TEST(Docs, EveryCppBlockIsAProgramOfTheTests) {
  const auto folder = std::filesystem::path(WEND_PROGRAM).parent_path() / "../../tests/docs_blocks";
  std::map<std::string, int> count;
  for (const docs::Block& block : docs::blocksOf("cpp")) {
    const std::string page = std::filesystem::path(block.page).stem().string();
    const std::string name = page + "_" + std::to_string(++count[page]) + ".cpp";
    EXPECT_NE(readText(folder / name).find(block.text), std::string::npos) << name;
  }
  EXPECT_GT(count.size(), 15U);
}

TEST(Docs, CommandsAreTheHelpTexts) {
  const Workshop w;
  const Outcome outcome =
      w.shell("'" + (kRoot / "scripts/commands_doc.sh").string() + "' '" WEND_PROGRAM "' '" + w.path("docs") + "'");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::filesystem::path written = w.path("docs");
  EXPECT_EQ(readText(kRoot / "docs/commands.md"), readText(written / "commands.md")) << "run `make docs`";
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(written / "commands")) {
    const std::string name = entry.path().filename().string();
    names.insert(name);
    EXPECT_EQ(readText(kRoot / "docs/commands" / name), readText(entry.path())) << name << ": run `make docs`";
  }
  EXPECT_GT(names.size(), 15U);
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs/commands")) {
    EXPECT_TRUE(names.contains(entry.path().filename().string())) << entry.path() << " belongs to no command";
  }
}

// DocsSlow runs them; this is what every build can check.
TEST(Docs, ShellBlocksNameCommandsAndOptionsThatExist) {
  const Workshop w;
  std::map<std::string, std::string> helps;
  size_t options = 0;
  for (const docs::Block& block : docs::blocksOf("sh")) {
    for (const std::string& line : docs::commandsIn(block)) {
      std::stringstream words(line);
      std::string word;
      std::string command;
      words >> word >> command;
      std::string& help = helps[command];
      if (help.empty()) {
        const Outcome outcome = w.wend(command + " --help");
        ASSERT_EQ(outcome.exit, 0) << block.page << ": " << line;
        help = outcome.out;
        for (char& c : help) {
          if (c == ',' || c == '=' || c == '\n') c = ' ';
        }
      }
      while (words >> word) {
        if (word.size() < 2 || word[0] != '-' || (word[1] >= '0' && word[1] <= '9')) continue;
        ++options;
        EXPECT_NE(help.find(" " + word + " "), std::string::npos) << block.page << ": " << line << ": " << word;
      }
    }
  }
  EXPECT_GT(helps.size(), 15U);
  EXPECT_GT(options, 80U);
}

TEST(Docs, DataBlocksAreRead) {
  const Workshop w;
  size_t environments = 0;
  for (const char* language : {"xml", "json"}) {
    for (const docs::Block& block : docs::blocksOf(language)) {
      w.write("block", block.text);
      const Outcome outcome = w.wend("info block");
      EXPECT_EQ(outcome.exit, 0) << block.page << ": " << outcome.err;
      ++environments;
    }
  }
  EXPECT_GE(environments, 2U);
  size_t scenarios = 0;
  for (const docs::Block& block : docs::blocksOf("toml")) {
    // The others are parts of a scenario.
    if (!block.text.starts_with("format = 1")) continue;
    w.write("block.toml", block.text);
    const Outcome outcome = w.wend("simulate block.toml -o block.sqlite --force --quiet");
    EXPECT_EQ(outcome.exit, 0) << block.page << ": " << outcome.err;
    ++scenarios;
  }
  EXPECT_GE(scenarios, 1U);
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

TEST(Docs, TheGlossaryNamesFilesThatExist) {
  const std::string page = readText(kRoot / "docs/concepts.md");
  std::stringstream lines(page.substr(page.find("## Glossary")));
  size_t names = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| word")) continue;
    // The last column: `navigator.h`, `planning/corridor/`
    const size_t column = line.rfind(" | ");
    for (size_t at = line.find('`', column); at != std::string::npos; at = line.find('`', at + 1)) {
      const size_t end = line.find('`', at + 1);
      const std::string name = line.substr(at + 1, end - at - 1);
      EXPECT_TRUE(std::filesystem::exists(kRoot / "include/wend" / name) ||
                  std::filesystem::exists(kRoot / "src" / name))
          << line;
      at = end;
      ++names;
    }
  }
  EXPECT_GT(names, 200U);
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
