#include "base/file_section.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wend {
namespace {

// All marks that there are: what stands behind another section is found only if that one is known.
constexpr std::array<std::string_view, 2> kMarks{kHopSection, kPrismSection};
constexpr size_t kMarkSize = 8;
constexpr size_t kTail = 16;
constexpr size_t kAlignment = 8;

struct Section {
  std::string_view mark;
  size_t begin = 0;
  size_t end = 0;  // with its tail
};

// From the last to the first.
std::vector<Section> sectionsOf(std::span<const std::byte> file) {
  std::vector<Section> sections;
  for (size_t end = file.size(); end >= kTail;) {
    std::string_view mark;
    for (const std::string_view known : kMarks) {
      if (std::memcmp(file.data() + end - kMarkSize, known.data(), kMarkSize) == 0) mark = known;
    }
    uint64_t size = 0;
    std::memcpy(&size, file.data() + end - kTail, sizeof(size));
    if (mark.empty() || size > end - kTail) break;
    sections.push_back({mark, end - kTail - size, end});
    end -= kTail + size;
    for (size_t i = 0; i < kAlignment - 1 && end > 0 && file[end - 1] == std::byte{0}; ++i) --end;
  }
  return sections;
}

void append(std::string& file, std::string_view mark, std::string_view section) {
  file.resize((file.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
  const uint64_t size = section.size();
  file.append(section);
  file.append(reinterpret_cast<const char*>(&size), sizeof(size));
  file.append(mark);
}

}  // namespace

std::optional<std::span<const std::byte>> findSection(std::span<const std::byte> file, std::string_view mark) {
  for (const Section& section : sectionsOf(file)) {
    if (section.mark == mark) return file.subspan(section.begin, section.end - kTail - section.begin);
  }
  return std::nullopt;
}

void putSection(std::string& file, std::string_view mark, std::string_view section) {
  const std::vector<Section> sections = sectionsOf(std::as_bytes(std::span<const char>(file)));
  std::string result = sections.empty() ? std::move(file) : file.substr(0, sections.back().begin);
  for (auto old = sections.rbegin(); old != sections.rend(); ++old) {
    if (old->mark == mark) continue;
    append(result, old->mark, std::string_view(file).substr(old->begin, old->end - kTail - old->begin));
  }
  append(result, mark, section);
  file = std::move(result);
}

}  // namespace wend
