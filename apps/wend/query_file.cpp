#include "query_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace wend::app {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const size_t comma = line.find(',');
    fields.push_back(trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

enum Column { kFromX, kFromY, kFromZ, kToX, kToY, kToZ, kRadius, kColumns };
constexpr std::array<std::string_view, kColumns> kNames{"from_x", "from_y", "from_z", "to_x", "to_y", "to_z", "radius"};

constexpr size_t kMostColumns = 1000;
constexpr size_t kMostQueries = 10'000'000;

// Where each known column stands, or npos.
using Places = std::array<size_t, kColumns>;

Result<Places> readHeader(std::string_view line, const std::string& path) {
  const std::vector<std::string_view> fields = split(line);
  Places places;
  for (size_t c = 0; c < kColumns; ++c) {
    places[c] = std::string::npos;
    for (size_t f = 0; f < fields.size(); ++f) {
      if (fields[f] == kNames[c]) places[c] = f;
    }
  }
  for (const Column c : {kFromX, kFromY, kToX, kToY}) {
    if (places[c] == std::string::npos) {
      return Error{ErrorCode::kFormat, fmt::format("'{}' line 1: no column '{}'; the header must name from_x, from_y, "
                                                   "to_x, to_y and may name from_z, to_z, radius",
                                                   path, kNames[c])};
    }
  }
  return places;
}

}  // namespace

Result<std::vector<PathQuery>> readQueries(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = readFile(path);
  if (!bytes.ok()) return bytes.error();
  return parseQueries({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

Result<std::vector<PathQuery>> parseQueries(std::string_view text, const std::string& path) {
  std::vector<PathQuery> queries;
  Places places{};
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    if (static_cast<size_t>(std::count(line.begin(), line.end(), ',')) >= kMostColumns) {
      return Error{ErrorCode::kLimit, fmt::format("'{}' line {}: more than {} columns", path, number, kMostColumns)};
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (number == 1) {
      const Result<Places> header = readHeader(line, path);
      if (!header.ok()) return header.error();
      places = *header;
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string_view> fields = split(line);
    std::array<double, kColumns> values{};
    for (size_t c = 0; c < kColumns; ++c) {
      if (places[c] == std::string::npos) continue;
      const std::string_view field = places[c] < fields.size() ? fields[places[c]] : std::string_view();
      const auto [next, error] = std::from_chars(field.data(), field.data() + field.size(), values[c]);
      if (error != std::errc() || next != field.data() + field.size()) {
        return Error{ErrorCode::kFormat,
                     fmt::format("'{}' line {}: '{}' in column {} is not a number", path, number, field, kNames[c])};
      }
    }
    PathQuery query;
    query.from = {values[kFromX], values[kFromY]};
    query.to = {values[kToX], values[kToY]};
    if (places[kFromZ] != std::string::npos) query.from.z = values[kFromZ];
    if (places[kToZ] != std::string::npos) query.to.z = values[kToZ];
    query.radius = values[kRadius];
    if (queries.size() == kMostQueries) {
      return Error{ErrorCode::kLimit,
                   fmt::format("'{}' holds more than {} queries; cut it into parts", path, kMostQueries)};
    }
    queries.push_back(query);
  }
  if (queries.empty()) return Error{ErrorCode::kEmpty, fmt::format("'{}' holds no query", path)};
  return queries;
}

}  // namespace wend::app
