#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// The code blocks of the README and the pages of docs/.
namespace docs {

inline const std::filesystem::path kRoot = WEND_SOURCE_DIR;

inline std::string readText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream stream;
  stream << file.rdbuf();
  return stream.str();
}

struct Block {
  std::string page;
  std::string text;
};

// All blocks in a language: "sh", "toml", ...
inline std::vector<Block> blocksOf(const std::string& language) {
  std::vector<std::filesystem::path> pages = {kRoot / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  std::vector<Block> blocks;
  for (const std::filesystem::path& page : pages) {
    const std::string text = "\n" + readText(page);
    const std::string fence = "\n```" + language + "\n";
    for (size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
      const size_t begin = at + fence.size();
      const size_t end = text.find("\n```", begin - 1);
      blocks.push_back({page.filename().string(), text.substr(begin, end + 1 - begin)});
    }
  }
  return blocks;
}

// The commands of wend in a shell block, one each: without comments, with continued lines joined.
inline std::vector<std::string> commandsIn(const Block& block) {
  std::string joined = block.text;
  for (size_t at = joined.find("\\\n"); at != std::string::npos; at = joined.find("\\\n")) joined.replace(at, 2, "");
  std::vector<std::string> commands;
  std::stringstream lines(joined);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find(" #"));
    for (size_t begin = 0; begin < line.size();) {
      const size_t next = std::min(line.find(" && ", begin), line.size());
      const std::string command = line.substr(begin, next - begin);
      if (command.starts_with("wend ")) commands.push_back(command);
      begin = next + 4;
    }
  }
  return commands;
}

}  // namespace docs
