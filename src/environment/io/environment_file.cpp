#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>

#include <wend/environment_file.h>
#include <wend/file.h>

#include <fmt/format.h>

#include "base/text_cursor.h"
#include "environment/io/fill_rule.h"
#include "environment/io/formats.h"

namespace wend {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr const char* kReadable =
    "wend reads ENV (XML), WKT, GeoJSON, Moving AI .map, Polyanya .mesh and PNG, and extracts environments from OBJ, "
    "glTF, GLB, PLY, STL, FBX, COLLADA and IFC";

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

bool beginsGeometry(const std::string& word) {
  static constexpr std::array<std::string_view, 14> kTags{
      "polygon",      "multipolygon",    "geometrycollection", "point", "linestring",
      "multipoint",   "multilinestring", "triangle",           "tin",   "polyhedralsurface",
      "curvepolygon", "multisurface",    "circularstring",     "srid"};
  return std::any_of(kTags.begin(), kTags.end(), [&](std::string_view tag) {
    if (!word.starts_with(tag)) return false;
    const std::string_view suffix = std::string_view(word).substr(tag.size());
    return suffix.empty() || suffix == "z" || suffix == "m" || suffix == "zm";
  });
}

Result<Done> checkSettings(const ReadSettings& settings) {
  const auto invalid = [](const char* field, double value, const char* range) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("{} is {:g}; it must lie in {}", field, value, range)};
  };
  if (!isUnit(settings.unit)) return invalid("unit", settings.unit, "[1e-6, 1]");
  if (!(settings.scale > 0) || !std::isfinite(settings.scale)) return invalid("scale", settings.scale, "(0, infinity)");
  if (!(settings.cell > 0) || !std::isfinite(settings.cell)) return invalid("cell", settings.cell, "(0, infinity)");
  if (!(settings.threshold > 0 && settings.threshold <= 1)) return invalid("threshold", settings.threshold, "(0, 1]");
  return Done{};
}

Result<EnvironmentDraft> readDraft(EnvironmentFormat format, const Source& source) {
  switch (format) {
    case EnvironmentFormat::kEnv:
      return readEnv(source);
    case EnvironmentFormat::kWkt:
      return readWkt(source);
    case EnvironmentFormat::kGeoJson:
      return readGeoJson(source);
    case EnvironmentFormat::kMovingAi:
      return readMovingAi(source);
    case EnvironmentFormat::kPolyanya:
      return readPolyanya(source);
    case EnvironmentFormat::kPngMask:
      return readPngMask(source);
  }
  return Error{ErrorCode::kUnsupported, "unknown format"};
}

// Every reader and writer may run out of memory or meet a fault of a library below it; neither leaves as an exception.
template <typename Value, typename Body>
Result<Value> guarded(std::string_view name, Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, fmt::format("'{}': not enough memory", name)};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("'{}': {}", name, exception.what())};
  }
}

}  // namespace

const char* formatName(EnvironmentFormat format) {
  switch (format) {
    case EnvironmentFormat::kEnv:
      return "ENV";
    case EnvironmentFormat::kWkt:
      return "WKT";
    case EnvironmentFormat::kGeoJson:
      return "GeoJSON";
    case EnvironmentFormat::kMovingAi:
      return "Moving AI map";
    case EnvironmentFormat::kPolyanya:
      return "Polyanya mesh";
    case EnvironmentFormat::kPngMask:
      return "PNG mask";
  }
  return "unknown";
}

Result<EnvironmentFormat> formatOfPath(const std::string& path) {
  const std::string extension = lower(std::filesystem::path(path).extension().string());
  if (extension == ".env" || extension == ".xml") return EnvironmentFormat::kEnv;
  if (extension == ".wkt") return EnvironmentFormat::kWkt;
  if (extension == ".geojson" || extension == ".json") return EnvironmentFormat::kGeoJson;
  return Error{ErrorCode::kUnsupported, fmt::format("cannot tell the format of '{}' from its extension; use .env, "
                                                    ".wkt or .geojson",
                                                    path)};
}

Result<EnvironmentFormat> recogniseEnvironment(std::span<const std::byte> bytes) {
  std::string_view text = textOf(bytes);
  if (text.starts_with(kPngSignature)) return EnvironmentFormat::kPngMask;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return Error{ErrorCode::kUnsupported, "the text is UTF-16; save it as UTF-8"};
  }
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  TextCursor cursor(text, "");
  cursor.skipSpace();
  if (cursor.atEnd()) return Error{ErrorCode::kFormat, "the file is empty"};
  if (cursor.peek() == '<') return EnvironmentFormat::kEnv;
  if (cursor.peek() == '{' || cursor.peek() == '[') return EnvironmentFormat::kGeoJson;
  const std::string word = lower(cursor.word().substr(0, 32));
  if (word == "type") return EnvironmentFormat::kMovingAi;
  if (word == "mesh") return EnvironmentFormat::kPolyanya;
  if (beginsGeometry(word)) return EnvironmentFormat::kWkt;
  return Error{ErrorCode::kFormat, fmt::format("the contents are of no known format; {}", kReadable)};
}

Result<Environment> parseEnvironment(std::span<const std::byte> bytes, std::string_view name,
                                     const ReadSettings& settings, const Context& context) {
  return guarded<Environment>(name, [&]() -> Result<Environment> {
    if (const Status status = checkSettings(settings); !status.ok()) return status.error();
    if (bytes.size() > settings.maxBytes) {
      return Error{ErrorCode::kLimit,
                   fmt::format("'{}' is larger than the limit of {} bytes", name, settings.maxBytes)};
    }
    const Result<EnvironmentFormat> format = recogniseEnvironment(bytes);
    if (!format.ok()) return Error{format.error().code, fmt::format("'{}': {}", name, format.error().message)};
    std::string_view text = textOf(bytes);
    if (*format != EnvironmentFormat::kPngMask) {
      if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
        return errorAtLine(ErrorCode::kFormat, name, lineOfOffset(text, zero), "a zero byte in what should be text");
      }
      if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
    }
    context.report("read", 0);
    Result<EnvironmentDraft> draft = readDraft(*format, {text, name, settings, context});
    if (!draft.ok()) return draft.error();
    if (*format == EnvironmentFormat::kEnv || *format == EnvironmentFormat::kWkt ||
        *format == EnvironmentFormat::kGeoJson) {
      if (const Status status = applyFillRule(*draft, settings.fill, context); !status.ok()) return status.error();
    }
    if (context.cancelled()) return Error{ErrorCode::kCancelled, fmt::format("reading of '{}' was stopped", name)};
    Result<Environment> environment = buildEnvironment(*draft, context);
    if (environment.ok()) return environment;
    return Error{environment.error().code, fmt::format("'{}': {}", name, environment.error().message)};
  });
}

Result<Environment> readEnvironment(const std::string& path, const ReadSettings& settings, const Context& context) {
  return guarded<Environment>(path, [&]() -> Result<Environment> {
    if (const Status status = checkSettings(settings); !status.ok()) return status.error();
    const Result<std::vector<std::byte>> bytes = readFile(path, settings.maxBytes);
    if (!bytes.ok()) return bytes.error();
    return parseEnvironment(*bytes, path, settings, context);
  });
}

Result<std::string> formatEnvironment(const Environment& environment, EnvironmentFormat format) {
  return guarded<std::string>(environment.name, [&]() -> Result<std::string> {
    switch (format) {
      case EnvironmentFormat::kEnv:
        return formatEnv(environment);
      case EnvironmentFormat::kWkt:
        return formatWkt(environment);
      case EnvironmentFormat::kGeoJson:
        return formatGeoJson(environment);
      default:
        return Error{ErrorCode::kUnsupported,
                     fmt::format("wend reads {} files but does not write them; write .env, .wkt or .geojson",
                                 formatName(format))};
    }
  });
}

Status writeEnvironment(const Environment& environment, const std::string& path) {
  return guarded<Done>(path, [&]() -> Status {
    const Result<EnvironmentFormat> format = formatOfPath(path);
    if (!format.ok()) return format.error();
    const Result<std::string> text = formatEnvironment(environment, *format);
    if (!text.ok()) return Error{text.error().code, fmt::format("cannot write '{}': {}", path, text.error().message)};
    return writeFile(path, *text);
  });
}

}  // namespace wend
